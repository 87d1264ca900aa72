import { z } from "zod";
import type { Lookups, Scope } from "./driver.js";

/** The setting for the organisation in keys of courses: `course-v1:{organisation}+{short name}+{id}`. */
export const organisation = z
  .string()
  .regex(/^[\p{L}\p{N}_\-~.:]+$/u, "must have letters, digits, `_`, `-`, `~`, `.` and `:` only");

/** A course of a platform that knows no keys of our form. */
export interface NamedCourse {
  readonly id: string;
  readonly shortName: string;
  readonly displayName: string;
}

/** Gives courses their keys. A course keeps the key under which it was read first when its short name changes. */
export async function keyedCourses(
  courses: readonly NamedCourse[],
  own: string,
  lookups: Pick<Lookups, "keysOf">,
): Promise<Scope[]> {
  const keys = await lookups.keysOf(courses.map(({ id }) => id));
  return courses.map(({ id, shortName, displayName }) => ({
    contextKey: keys.get(id) ?? `course-v1:${own}+${slugOf(shortName)}+${id}`,
    externalId: id,
    displayName,
  }));
}

/** In characters; the key has room for 255. */
const MAX_LENGTH = 100;

/** Turns a short name into a part of a course key: other characters become `_`. */
export function slugOf(shortName: string): string {
  const slug = shortName.normalize("NFC").replace(/[^\p{L}\p{N}_\-~.:]+/gu, "_");
  return [...slug].slice(0, MAX_LENGTH).join("") || "_";
}
