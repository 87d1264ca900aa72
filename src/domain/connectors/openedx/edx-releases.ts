import type { Scope } from "../driver/driver.js";
import type { EdxApi } from "./edx-api.js";
import { releasesPath } from "./edx-paths.js";
import { releases } from "./edx-shapes.js";

/**
 * Says what of a course learners can't see yet. The plug-in completion-aggregator leaves that out of its percentage: who
 * has done all of the first week would have completed the course.
 * @returns empty if everything is released, or if the LMS is so old that it doesn't say
 */
export async function unreleasedIn(api: EdxApi, scope: Scope): Promise<string> {
  const { value } = await api.get("blocks", releasesPath(scope), releases);
  const blocks = value.filter(({ visible_to_staff_only }) => visible_to_staff_only !== true);
  const coming = blocks.filter(({ start }) => start && new Date(start).getTime() > Date.now());
  if (coming.length === 0) return "";
  return `completion: ${coming.length} of ${blocks.length} sections and subsections are not released yet, and completion-aggregator leaves them out`;
}
