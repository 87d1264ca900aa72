/** In characters; the key has room for 255. */
const MAX_LENGTH = 100;

/** Turns a short name into a part of a course key: other characters become `_`. */
export function slugOf(shortName: string): string {
  const slug = shortName.normalize("NFC").replace(/[^\p{L}\p{N}_\-~.:]+/gu, "_");
  return [...slug].slice(0, MAX_LENGTH).join("") || "_";
}
