/** The entered parts of a new course: its name, and the parts of its key. */
export interface TypedCourse {
  readonly name: string;
  readonly organisation: string;
  /** Empty: derived from the name. */
  readonly code: string;
  readonly edition: string;
}

/** In characters. */
const MAX_KEY = 255;
const MAX_CODE = 40;

/** Characters that are not allowed in a part of a key. */
const unfit = /[^\p{L}\p{N}_\-~.:]+/gu;

/** Turns typed text into a part of a key: letters and digits of any script, with hyphens for other characters. */
function keyPart(typed: string): string {
  return typed
    .normalize("NFC")
    .replace(unfit, "-")
    .replace(/^-+|-+$/g, "");
}

/** Returns the default code of a course. */
export function codeFrom(name: string): string {
  return [...keyPart(name)].slice(0, MAX_CODE).join("").replace(/-+$/, "");
}

/** Returns the key of a course; undefined while a part is missing, or if it is too long. */
export function courseKeyOf({ name, organisation, code, edition }: TypedCourse): string | undefined {
  const parts = [organisation, code || codeFrom(name), edition].map(keyPart);
  const key = `course-v1:${parts.join("+")}`;
  return parts.every((part) => part !== "") && [...key].length <= MAX_KEY ? key : undefined;
}

/** Returns the organisations in keys, most frequent first. */
export function organisationsIn(keys: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const key of keys) {
    const [, organisation] = /^\w+-v1:([^+]+)\+/.exec(key) ?? [];
    if (organisation !== undefined) counts.set(organisation, (counts.get(organisation) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([organisation]) => organisation);
}
