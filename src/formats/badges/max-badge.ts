/** Maximum size of a badge in bytes, compressed or decompressed. Signed badges take about 3 KB. */
export const MAX_BADGE = 256 * 1024;

/** Maximum size of a learner record in bytes. A record with 200 simple badges takes 700 KB. */
export const MAX_RECORD = 3 * 1024 * 1024;

/** Maximum number of badges in a learner record. */
export const MAX_PARTS = 200;
