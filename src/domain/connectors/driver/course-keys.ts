import { z } from "zod";
import { isOrganisation } from "#foundation/text/organisation.js";
import { keyPartFrom } from "../../learners/learning-context-key.js";
import type { Lookups, Scope } from "./driver.js";

/**
 * The setting for the organisation in keys of courses, which have the form
 * `course-v1:{organisation}+{short name}+{id}`.
 */
export const organisation = z
  .string()
  .refine(
    isOrganisation,
    "must have 1 to 100 letters, digits, `_`, `-`, `~`, `.` and `:`, and not dots alone",
  );

interface NamedCourse {
  readonly id: string;
  readonly shortName: string;
  readonly displayName: string;
}

/** Assigns keys to courses. A course keeps its first key when its short name changes. */
export async function keyedCourses(
  courses: readonly NamedCourse[],
  own: string,
  lookups: Pick<Lookups, "keysOf">,
): Promise<Scope[]> {
  const keys = await lookups.keysOf(courses.map(({ id }) => id));
  return courses.map(({ id, shortName, displayName }) => ({
    contextKey: keys.get(id) ?? `course-v1:${own}+${keyPartFrom(shortName)}+${id}`,
    externalId: id,
    displayName,
  }));
}
