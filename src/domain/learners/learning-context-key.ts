import { invalidField } from "#foundation/errors.js";
import { quoted } from "#foundation/text/quoted.js";

/** The key of a course or learning path, known to be well-formed. */
export interface LearningContextKey {
  readonly kind: "course" | "path";
  readonly text: string;
}

/** In characters. */
export const MAX_KEY_LENGTH = 255;

/** Letters of any script, digits, `_ - ~ . :`. */
const letters = "\\p{L}\\p{N}_\\-~.:";
const coursePart = `[${letters}]+`;
export const coursePattern = new RegExp(`^course-v1:${coursePart}\\+${coursePart}\\+${coursePart}$`, "u");

/** Open edX allows spaces and punctuation here. `/` would end the segment of a URL; the rest breaks or reverses lines. */
const pathPart = "[^+/\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Bidi_Control}]+";
export const pathPattern = new RegExp(`^path-v1:${pathPart}\\+${pathPart}\\+${pathPart}\\+${pathPart}$`, "u");

/**
 * Returns whether a key is that of a learning path. Stored keys may be older than today's rules, so only the prefix is
 * checked.
 */
export function isPathKey(text: string): boolean {
  return text.startsWith("path-v1:");
}

/**
 * Parses `course-v1:{org}+{course}+{run}` or `path-v1:{org}+{number}+{run}+{group}`.
 * @param field field name for the error, if the request has several keys
 * @throws Problem `invalid` for anything else
 */
export function parseLearningContextKey(text: string, field?: string): LearningContextKey {
  if (isShortEnough(text)) {
    if (coursePattern.test(text)) return { kind: "course", text };
    if (pathPattern.test(text)) return { kind: "path", text };
  }
  const named = field === undefined ? "" : `${field}: `;
  throw invalidField(
    field ?? "learning_context_key",
    `${named}Invalid learning context key: ${quoted(text)}. A key looks like course-v1:{org}+{course}+{run} or ` +
      `path-v1:{org}+{number}+{run}+{group}, with at most ${MAX_KEY_LENGTH} characters.`,
  );
}

/** Parses the key of a course. */
export function parseCourseKey(text: string, field: string): string {
  if (isShortEnough(text) && coursePattern.test(text)) return text;
  throw invalidField(
    field,
    `${field}: Invalid course key: ${quoted(text)}. A course key looks like course-v1:{org}+{course}+{run}.`,
  );
}

/** Parses the key of a learning path. */
export function parsePathKey(text: string, field: string): string {
  if (isShortEnough(text) && pathPattern.test(text)) return text;
  throw invalidField(
    field,
    `${field}: Invalid learning path key: ${quoted(text)}. A path key looks like path-v1:{org}+{number}+{run}+{group}.`,
  );
}

/** In characters. A key holds three such parts. */
const MAX_PART_LENGTH = 80;
const unfit = new RegExp(`[^${letters}]+`, "gu");

/** Turns a name or an id into a part of a key: characters that are not allowed become `_`. */
export function keyPartFrom(text: string): string {
  const fit = text.normalize("NFC").replace(unfit, "_");
  return [...fit].slice(0, MAX_PART_LENGTH).join("") || "_";
}

/** Counts characters as Postgres does: one for a letter outside the basic plane, for which `length` is 2. */
function isShortEnough(text: string): boolean {
  if (text.length <= MAX_KEY_LENGTH) return true;
  return text.length <= 2 * MAX_KEY_LENGTH && [...text].length <= MAX_KEY_LENGTH;
}
