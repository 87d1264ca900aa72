/** The name of a new course, and the parts of its key. */
export interface TypedCourse {
  readonly name: string;
  readonly organisation: string;
  /** If empty, the code is derived from the name. */
  readonly code: string;
  readonly edition: string;
}

/** Maximum length in characters. */
const MAX_CODE = 40;

/** Matches characters that a part of a key can't contain. */
const unfit = /[^\p{L}\p{N}_\-~.:]+/gu;

/**
 * Converts a text to a part of a key. Letters and digits of any script are kept, and other characters become hyphens.
 */
export function keyPart(typed: string): string {
  return typed
    .normalize("NFC")
    .replace(unfit, "-")
    .replace(/^-+|-+$/g, "");
}

export function codeFrom(name: string): string {
  return [...keyPart(name)].slice(0, MAX_CODE).join("").replace(/-+$/, "");
}

/** Returns the key of a course; undefined if a part is missing. The service refuses a key that is too long. */
export function courseKeyOf({ name, organisation, code, edition }: TypedCourse): string | undefined {
  const parts = [organisation, code || codeFrom(name), edition].map(keyPart);
  return parts.every((part) => part !== "") ? `course-v1:${parts.join("+")}` : undefined;
}

/** Returns the organisations in keys. The most frequent one comes first. */
export function organisationsIn(keys: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const key of keys) {
    const [, organisation] = /^\w+-v1:([^+]+)\+/.exec(key) ?? [];
    if (organisation !== undefined) counts.set(organisation, (counts.get(organisation) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([organisation]) => organisation);
}
