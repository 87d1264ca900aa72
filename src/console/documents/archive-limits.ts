/** Maximum number of documents in an archive. A command can save more. */
export const MAX_DOCUMENTS = 500;
/** Maximum size of an archive, which is built in the tab's memory. */
export const MAX_BYTES = 300 * 1024 * 1024;

export class TooLargeError extends Error {}
