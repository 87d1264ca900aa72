/** Long enough for a directory, a UUID and a random name; short enough for S3 (1024) and every file system. */
const MAX_LENGTH = 512;

/** A segment must not begin with a dot. This excludes `..`, and reserves such names for the stores. */
const SEGMENT = /^[\w-][\w.-]{0,199}$/;

/**
 * Returns whether the text can be a file's key: segments of ASCII letters, digits, `_`, `-` and `.`, joined by
 * `/`.
 */
export function isFileKey(text: string): boolean {
  return text.length <= MAX_LENGTH && text.split("/").every((segment) => SEGMENT.test(segment));
}

/** Checks a key. Keys are made by this service, so a wrong one is a bug. */
export function checkFileKey(key: string): string {
  if (!isFileKey(key)) throw new Error(`not a file key: ${JSON.stringify(key.slice(0, 600))}`);
  return key;
}

/** Checks a prefix to list: the key of a file, or a directory with a trailing slash. */
export function checkPrefix(prefix: string): string {
  checkFileKey(prefix.endsWith("/") ? prefix.slice(0, -1) : prefix);
  return prefix;
}

/**
 * Checks the keys of a move. Moving a file onto itself would delete it, because the source is removed
 * afterwards.
 */
export function checkMove(from: string, to: string): void {
  if (checkFileKey(from) === checkFileKey(to)) throw new Error(`a move from ${from} to itself`);
}
