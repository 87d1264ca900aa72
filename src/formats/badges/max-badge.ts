/** Signed badges take about 3 KB. A longer text, or one that unpacks to more bytes than this, is not read. */
export const MAX_BADGE = 256 * 1024;

/** The same of a learner record. Badges of 200 plain credentials take 700 KB. */
export const MAX_RECORD = 3 * 1024 * 1024;

/** Maximum number of badges in a learner record. */
export const MAX_PARTS = 200;
