/** Long enough for a directory, a UUID and a random name; short enough for S3 (1024) and every file system. */
const MAX_LENGTH = 512;

/** A segment does not begin with a dot: there is no `..`, and such names are left to the stores. */
const SEGMENT = /^[\w-][\w.-]{0,199}$/;

/** Whether the text can be the key of a file: segments of ASCII letters, digits, `_`, `-` and `.`, joined by `/`. */
export function isFileKey(text: string): boolean {
  return text.length <= MAX_LENGTH && text.split("/").every((segment) => SEGMENT.test(segment));
}
