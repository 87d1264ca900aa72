/**
 * Maximum length of a key. Long enough for a directory, a UUID and a random name; short enough for S3 (1024) and every
 * file system.
 */
const MAX_LENGTH = 512;

/**
 * A segment doesn't begin with a dot. This excludes `..`, and reserves names with a leading dot for the stores' own
 * files.
 */
const SEGMENT = /^[\w-][\w.-]{0,199}$/;

/** A key consists of segments of ASCII letters, digits, `_`, `-` and `.`, joined by `/`. */
export function isFileKey(text: string): boolean {
  return text.length <= MAX_LENGTH && text.split("/").every((segment) => SEGMENT.test(segment));
}

/** Throws if the key is not valid. This service creates the keys, so an invalid key is a bug. */
export function checkFileKey(key: string): string {
  if (!isFileKey(key)) throw new Error(`not a file key: ${JSON.stringify(key.slice(0, 600))}`);
  return key;
}

/** @param prefix the key of a file, or a directory with a trailing slash */
export function checkPrefix(prefix: string): string {
  checkFileKey(prefix.endsWith("/") ? prefix.slice(0, -1) : prefix);
  return prefix;
}

/** Refuses to move a file onto itself. This would delete the file, because the source is removed afterwards. */
export function checkMove(from: string, to: string): void {
  if (checkFileKey(from) === checkFileKey(to)) throw new Error(`a move from ${from} to itself`);
}
