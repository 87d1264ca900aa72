/** Documents in one archive; more belong to the command line. */
export const MOST_DOCUMENTS = 500;
/** The archive is built in the memory of the tab. */
export const MOST_BYTES = 300 * 1024 * 1024;

/** An archive would have become larger than a tab can hold. */
export class TooLargeError extends Error {}
