import { takesPart } from "../../learners/takes-part.js";
import type { Scope } from "../driver/driver.js";
import type { OneRosterApi } from "./oneroster-api.js";
import { academicSessions, enrollments, oneClass } from "./oneroster-shapes.js";

/** What is asked of a class once, while its lists are read. */
export interface ClassFacts {
  /** The first day after its last term; undefined: it names none */
  readonly endsOn: string | undefined;
  /** Its students, by id, and whether they take part. */
  readonly students: ReadonlyMap<string, boolean>;
  readonly askedAt: Date;
}

export type ReadClass = (scope: Scope) => Promise<ClassFacts>;

/** Classes of which facts are remembered. So many are read at a time, and more. */
const REMEMBERED = 64;

/** Reads classes, each once while its lists are read, and all terms once. */
export function createReadClass(api: OneRosterApi): ReadClass {
  const known = new Map<string, Promise<ClassFacts>>();
  let terms: Promise<ReadonlyMap<string, string>> | undefined;

  async function readTerms(): Promise<ReadonlyMap<string, string>> {
    const all = await api.all("roster", "academicSessions", "/academicSessions", academicSessions);
    return new Map(all.map(({ sourcedId, endDate }) => [sourcedId, endDate]));
  }

  async function read({ externalId }: Scope): Promise<ClassFacts> {
    terms ??= readTerms();
    terms.catch(() => {
      terms = undefined;
    });
    const path = `/classes/${encodeURIComponent(externalId)}`;
    const { class: one } = await api.one("roster", "class", path, oneClass);
    const ends = await terms;
    const endsOn = (one.terms ?? [])
      .map(({ sourcedId }) => ends.get(sourcedId) ?? "")
      .filter((end) => end !== "")
      .sort()
      .at(-1);
    const askedAt = new Date();
    const list = `/schools/${encodeURIComponent(one.school.sourcedId)}${path}/enrollments`;
    const rows = await api.all("roster", "enrollments", list, enrollments);
    const students = new Map<string, boolean>();
    for (const row of rows.filter(({ role }) => role.toLowerCase() === "student")) {
      const { sourcedId } = row.user;
      students.set(
        sourcedId,
        students.get(sourcedId) === true ||
          (row.status.toLowerCase() !== "tobedeleted" && takesPart(row, endsOn)),
      );
    }
    return { endsOn, students, askedAt };
  }

  return (scope) => {
    const told = known.get(scope.contextKey);
    if (told) return told;
    const asked = read(scope);
    known.set(scope.contextKey, asked);
    asked.catch(() => known.delete(scope.contextKey));
    const [oldest] = known.keys();
    if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
    return asked;
  };
}
