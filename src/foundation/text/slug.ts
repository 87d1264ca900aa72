import { MAX_SLUG } from "../limits.js";

/** Matches the slug of an asset. The database column has the same constraint. */
export const slugPattern = new RegExp(`^[a-z0-9][a-z0-9_-]{0,${MAX_SLUG - 1}}$`);

export const slugForm = `1 to ${MAX_SLUG} of a-z, 0-9, - and _, beginning with a letter or digit`;
