import type { Scope } from "../driver/driver.js";
import { onceByCourse } from "../driver/once-by-course.js";
import { PullError } from "../driver/pull-error.js";
import { WHOLE_LIST } from "../driver/read-json.js";
import { faultOfOne, type MoodleApi } from "./moodle-api.js";
import { userIds } from "./moodle-shapes.js";

/** Number of learners per page. Each learner is requested separately. */
export const PAGE_SIZE = 200;

/**
 * Maximum share of learners on a page who can't be read. A larger share means that something is wrong with the course.
 */
const MAX_UNREADABLE_SHARE = 0.5;

/** Returns the ids of a course's active learners in ascending order. The list is read once per course. */
export type ActiveIds = (scope: Scope) => Promise<readonly number[]>;

export function createActiveIds(api: MoodleApi): ActiveIds {
  return onceByCourse(async ({ externalId }) => {
    const { value } = await api.call(
      "core_enrol_get_enrolled_users",
      { courseid: externalId, ...listOptions({ onlyactive: 1, userfields: "id" }) },
      userIds,
      WHOLE_LIST,
    );
    return value.map(({ id }) => id).sort((a, b) => a - b);
  });
}

export function idsAfter(ids: readonly number[], cursor: string | null): string[] {
  return ids.filter((id) => id > Number(cursor ?? 0)).map(String);
}

export function listOptions(options: Readonly<Record<string, string | number>>) {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value], index) => [
      [`options[${index}][name]`, name],
      [`options[${index}][value]`, value],
    ]),
  );
}

/**
 * Reads learners one by one. Learners whose accounts can't be read, for example unconfirmed ones, are left out and
 * counted.
 * @throws PullError if most learners can't be read
 */
export async function oneByOne<T>(
  ids: readonly string[],
  read: (userid: string) => Promise<T>,
): Promise<{ readonly read: T[]; readonly skipped: Readonly<Record<string, number>> }> {
  const all: T[] = [];
  const skipped: Record<string, number> = {};
  let count = 0;
  for (const id of ids) {
    try {
      all.push(await read(id));
    } catch (error) {
      const fault = faultOfOne(error);
      if (fault === undefined || ++count > Math.max(1, ids.length * MAX_UNREADABLE_SHARE)) throw error;
      const reason = `learner who can't be read: ${fault}`;
      skipped[reason] = (skipped[reason] ?? 0) + 1;
    }
  }
  return { read: all, skipped };
}

export function isForbidden(error: unknown): error is PullError {
  return error instanceof PullError && error.fault === "forbidden";
}
