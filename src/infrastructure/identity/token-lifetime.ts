/**
 * Default upper limit of a token's lifetime, in seconds: thirty days. Open edX issues users' tokens for an
 * hour. Services' tokens are often renewed by hand, and one that nobody has renewed for a month is one that
 * nobody watches.
 */
export const MAX_LIFETIME_S = 30 * 86_400;

/** Tolerated difference between the issuer's clock and this one, in seconds. */
export const LEEWAY_S = 10;
