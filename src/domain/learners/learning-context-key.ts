import { invalidField, quoted } from "#foundation/errors.js";
import { MAX_NAME } from "#foundation/limits.js";

/** A well-formed key of a course or learning path. */
export interface LearningContextKey {
  readonly kind: "course" | "path";
  readonly text: string;
}

/** Letters of any script, digits, and `_ - ~ . :`. */
const letters = "\\p{L}\\p{N}_\\-~.:";
const coursePart = `[${letters}]+`;
export const coursePattern = new RegExp(`^course-v1:${coursePart}\\+${coursePart}\\+${coursePart}$`, "u");

/**
 * A part of a path's key. Open edX allows spaces and punctuation in it. Excluded are `/`, which would end a URL
 * segment, and characters that break or reverse lines.
 */
const pathPart = "[^+/\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Bidi_Control}]+";
export const pathPattern = new RegExp(`^path-v1:${pathPart}\\+${pathPart}\\+${pathPart}\\+${pathPart}$`, "u");

/**
 * Parses `course-v1:{org}+{course}+{run}` or `path-v1:{org}+{number}+{run}+{group}`.
 * @param field name of the field in the error, if a request has several keys
 * @throws Problem `invalid`
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
      `path-v1:{org}+{number}+{run}+{group}, with at most ${MAX_NAME} characters.`,
  );
}

export function parseCourseKey(text: string, field: string): string {
  if (isShortEnough(text) && coursePattern.test(text)) return text;
  throw invalidField(
    field,
    `${field}: Invalid course key: ${quoted(text)}. A course key looks like course-v1:{org}+{course}+{run}.`,
  );
}

/** @throws Problem `invalid` */
export function parsePathKey(text: string, field: string): string {
  if (isShortEnough(text) && pathPattern.test(text)) return text;
  throw invalidField(
    field,
    `${field}: Invalid learning path key: ${quoted(text)}. A path key looks like path-v1:{org}+{number}+{run}+{group}.`,
  );
}

/** Maximum number of characters in a part. A key contains three parts of this kind. */
const MAX_PART_LENGTH = 80;
const unfit = new RegExp(`[^${letters}]+`, "gu");

/** Turns a name or an id into a part of a key. Characters that are not allowed become `_`. */
export function keyPartFrom(text: string): string {
  const fit = text.normalize("NFC").replace(unfit, "_");
  return [...fit].slice(0, MAX_PART_LENGTH).join("") || "_";
}

/**
 * Returns whether the key is short enough. A letter outside the basic plane, whose `length` is 2, counts as one
 * character, as in Postgres.
 */
function isShortEnough(text: string): boolean {
  if (text.length <= MAX_NAME) return true;
  return text.length <= 2 * MAX_NAME && [...text].length <= MAX_NAME;
}
