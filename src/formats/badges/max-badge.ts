/** Maximum size of a badge, packed or unpacked, in bytes; larger ones are not read. Signed badges take about 3 KB. */
export const MAX_BADGE = 256 * 1024;

/** Maximum size of a learner record in bytes. Badges of 200 simple credentials take 700 KB. */
export const MAX_RECORD = 3 * 1024 * 1024;

/** Maximum number of badges in a learner record. */
export const MAX_PARTS = 200;
