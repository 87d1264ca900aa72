/** Long enough for a directory, a UUID and a random name; short enough for S3 (1024) and every file system. */
const MAX_LENGTH = 512;

/** A segment does not begin with a dot: there is no `..`, and such names are left to the stores. */
const SEGMENT = /^[\w-][\w.-]{0,199}$/;

/** Whether the text can be the key of a file: segments of ASCII letters, digits, `_`, `-` and `.`, joined by `/`. */
export function isFileKey(text: string): boolean {
  return text.length <= MAX_LENGTH && text.split("/").every((segment) => SEGMENT.test(segment));
}

/** Our own code makes the keys: a wrong one is a bug. */
export function checkFileKey(key: string): string {
  if (!isFileKey(key)) throw new Error(`not a file key: ${JSON.stringify(key.slice(0, 600))}`);
  return key;
}

/** What can be listed: the key of a file, or a directory with a slash at its end. */
export function checkPrefix(prefix: string): string {
  checkFileKey(prefix.endsWith("/") ? prefix.slice(0, -1) : prefix);
  return prefix;
}

/** The keys of a move: one file can't be moved onto itself, as what is left behind is deleted. */
export function checkMove(from: string, to: string): void {
  if (checkFileKey(from) === checkFileKey(to)) throw new Error(`a move from ${from} to itself`);
}
