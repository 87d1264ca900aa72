/** Maximum number of documents in one archive; for more, there is a command. */
export const MOST_DOCUMENTS = 500;
/** Maximum size, because the archive is built in the tab's memory. */
export const MOST_BYTES = 300 * 1024 * 1024;

/** Thrown if an archive would be too large for a tab's memory. */
export class TooLargeError extends Error {}
