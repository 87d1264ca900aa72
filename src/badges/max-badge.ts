/** Signed badges take about 3 KB. A longer text, or one that unpacks to more bytes than this, is not read. */
export const MAX_BADGE = 256 * 1024;
