/** Matches the slug of an asset. The database column has the same constraint. */
export const slugPattern = /^[a-z0-9][a-z0-9_-]{0,99}$/;

export const slugForm = "1 to 100 of a-z, 0-9, - and _, beginning with a letter or digit";
