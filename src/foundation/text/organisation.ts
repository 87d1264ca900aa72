import { MAX_ORGANISATION } from "../limits.js";

/** Describes an organisation in errors about an invalid one. */
export const ORGANISATION_RULE =
  "the org part of context keys (Uni in course-v1:Uni+Math+2026): letters, digits and _ - ~ . :";

const form = new RegExp(`^[\\p{L}\\p{N}_\\-~.:]{1,${MAX_ORGANISATION}}$`, "u");

/** Returns whether a text can be the `org` of context keys. Refuses `.` and `..`, which look like directories. */
export function isOrganisation(name: string): boolean {
  return form.test(name) && !/^\.{1,2}$/.test(name);
}
