/** What a person types of a course to make: the parts of its key, and its name. */
export interface TypedCourse {
  readonly name: string;
  readonly organisation: string;
  /** Empty: made from the name. */
  readonly code: string;
  readonly edition: string;
}

/** In characters. */
const MAX_KEY = 255;
const MAX_CODE = 40;

/** What a part of a key can't have. */
const unfit = /[^\p{L}\p{N}_\-~.:]+/gu;

/** Returns a part of a key for what was typed: letters and digits of any script, hyphens for what stands between. */
function keyPart(typed: string): string {
  return typed
    .normalize("NFC")
    .replace(unfit, "-")
    .replace(/^-+|-+$/g, "");
}

/** Returns the code that a course gets if none is typed. */
export function codeFrom(name: string): string {
  return [...keyPart(name)].slice(0, MAX_CODE).join("").replace(/-+$/, "");
}

/** Returns the key of a course; undefined as long as a part is missing, or it is too long. */
export function courseKeyOf({ name, organisation, code, edition }: TypedCourse): string | undefined {
  const parts = [organisation, code || codeFrom(name), edition].map(keyPart);
  const key = `course-v1:${parts.join("+")}`;
  return parts.every((part) => part !== "") && [...key].length <= MAX_KEY ? key : undefined;
}

/** Returns the organisations of keys, those of most keys first. */
export function organisationsIn(keys: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const key of keys) {
    const [, organisation] = /^\w+-v1:([^+]+)\+/.exec(key) ?? [];
    if (organisation !== undefined) counts.set(organisation, (counts.get(organisation) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([organisation]) => organisation);
}
