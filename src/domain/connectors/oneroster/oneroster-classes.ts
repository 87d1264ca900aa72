import { memoized } from "#foundation/concurrency/memoized.js";
import { takesPart } from "../../learners/takes-part.js";
import type { Scope } from "../driver/driver.js";
import { onceByCourse } from "../driver/once-by-course.js";
import type { OneRosterApi } from "./oneroster-api.js";
import { academicSessions, enrollments, isActiveRow, oneClass } from "./oneroster-shapes.js";

/** Facts about a class. They are requested once while the lists of the class are read. */
interface ClassFacts {
  /** The day after the last term of the class; undefined if the class has no terms. */
  readonly endsOn: string | undefined;
  /** The result is cached. Failures are not cached. */
  students(): Promise<ClassStudents>;
}

interface ClassStudents {
  readonly requestedAt: Date;
  /** Whether each student is active, by the student's id. */
  readonly takingPart: ReadonlyMap<string, boolean>;
}

export type ReadClass = (scope: Scope) => Promise<ClassFacts>;

/** Creates a function that reads a class. It caches the classes read last, and all terms. */
export function createReadClass(api: OneRosterApi): ReadClass {
  const readTerms = memoized(async (): Promise<ReadonlyMap<string, string>> => {
    const all = await api.all("roster", "academicSessions", "/academicSessions", academicSessions);
    return new Map(all.map(({ sourcedId, endDate }) => [sourcedId, endDate]));
  });

  async function read({ externalId }: Scope): Promise<ClassFacts> {
    const ends = await readTerms();
    const path = `/classes/${encodeURIComponent(externalId)}`;
    const { class: one } = await api.one("roster", "class", path, oneClass);
    const endsOn = (one.terms ?? [])
      .map(({ sourcedId }) => ends.get(sourcedId) ?? "")
      .filter((end) => end !== "")
      .sort()
      .at(-1);
    const list = `/schools/${encodeURIComponent(one.school.sourcedId)}${path}/enrollments`;
    return { endsOn, students: memoized(() => readStudents(list, endsOn)) };
  }

  async function readStudents(list: string, endsOn: string | undefined): Promise<ClassStudents> {
    const requestedAt = new Date();
    const rows = await api.all("roster", "enrollments", list, enrollments);
    const takingPart = new Map<string, boolean>();
    for (const row of rows.filter(({ role }) => role.toLowerCase() === "student")) {
      const { sourcedId } = row.user;
      takingPart.set(
        sourcedId,
        takingPart.get(sourcedId) === true || (isActiveRow(row) && takesPart(row, endsOn)),
      );
    }
    return { requestedAt, takingPart };
  }

  return onceByCourse(read);
}
