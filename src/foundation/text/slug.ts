/** Slug of an asset. Its column in the database has the same rule. */
export const slugPattern = /^[a-z0-9][a-z0-9_-]{0,99}$/;

/** The pattern in words. */
export const slugForm = "1 to 100 of a-z, 0-9, - and _, beginning with a letter or digit";
