import { invalid } from "../errors.js";

/** The key of a course or learning path, known to be well-formed. */
export interface LearningContextKey {
  readonly kind: "course" | "path";
  readonly text: string;
}

const MAX_LENGTH = 255;

/** Letters of any script, digits, `_ - ~ . :`. */
const part = "[\\p{L}\\p{N}_\\-~.:]+";
const coursePattern = new RegExp(`^course-v1:${part}\\+${part}\\+${part}$`, "u");
const pathPattern = new RegExp(`^path-v1:${part}\\+${part}\\+${part}\\+${part}$`, "u");

/**
 * Reads `course-v1:{org}+{course}+{run}` or `path-v1:{org}+{number}+{run}+{group}`.
 * @throws Problem `invalid` for anything else
 */
export function parseLearningContextKey(text: string): LearningContextKey {
  if (text.length <= MAX_LENGTH) {
    if (coursePattern.test(text)) return { kind: "course", text };
    if (pathPattern.test(text)) return { kind: "path", text };
  }
  throw invalid(
    `Invalid learning context key: ${quoted(text)}. A key looks like course-v1:{org}+{course}+{run} or ` +
      `path-v1:{org}+{number}+{run}+{group}, with at most ${MAX_LENGTH} characters.`,
  );
}

/** The same where only a course will do. */
export function parseCourseKey(text: string): string {
  if (text.length <= MAX_LENGTH && coursePattern.test(text)) return text;
  throw invalid(
    `Invalid course key: ${quoted(text)}. A course key looks like course-v1:{org}+{course}+{run}.`,
  );
}

/** The same where only a learning path will do. */
export function parsePathKey(text: string): string {
  if (text.length <= MAX_LENGTH && pathPattern.test(text)) return text;
  throw invalid(
    `Invalid learning path key: ${quoted(text)}. A path key looks like path-v1:{org}+{number}+{run}+{group}.`,
  );
}

/** The value as it may stand in a message: bounded, and with nothing that could break a line or a log. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
