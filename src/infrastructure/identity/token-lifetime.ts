/**
 * Default maximum lifetime of a token: thirty days. Open edX issues users' tokens for an hour. Services' tokens are
 * often renewed by hand, and a token that has not been renewed for a month is probably forgotten.
 */
export const MAX_LIFETIME_S = 30 * 86_400;

/** Tolerated difference between the issuer's clock and this machine's clock, in seconds. */
export const LEEWAY_S = 10;
