import type { Scope } from "../driver/driver.js";
import type { EdxApi } from "./edx-api.js";
import { releasesPath } from "./edx-paths.js";
import { releases } from "./edx-shapes.js";

/**
 * Describes how much of a course is not released to learners yet. Empty if everything is released, or if the LMS is too
 * old to report release dates. The plug-in completion-aggregator leaves unreleased parts out of its percentage. A
 * learner who has done everything released in the first week would therefore seem to have completed the course.
 */
export async function unreleasedIn(api: EdxApi, scope: Scope): Promise<string> {
  const { value } = await api.get("blocks", releasesPath(scope), releases);
  const blocks = value.filter(({ visible_to_staff_only }) => visible_to_staff_only !== true);
  const coming = blocks.filter(({ start }) => start && new Date(start).getTime() > Date.now());
  if (coming.length === 0) return "";
  return `completion: ${coming.length} of ${blocks.length} sections and subsections are not released yet, and completion-aggregator leaves them out`;
}
