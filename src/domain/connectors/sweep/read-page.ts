import type { Lookups, Page, Scope, Stage } from "../driver/driver.js";
import { PullError } from "../driver/pull-error.js";
import { storable } from "./storable.js";

/** Maximum length in characters. Links usually have a few hundred. */
const MAX_CURSOR = 2_000;

/** Maximum number of pages. A platform with more is repeating itself: a page has a hundred learners or courses. */
const MAX_PAGES = { sweep: 2_000, course: 20_000, path: 20_000 };

/**
 * Reads a page of a stage. Leaves out, and counts, values that the database can't store.
 * @param before the number of pages that the stage has read for this scope
 * @throws PullError also if there are more pages, or a longer link to the next one, than plausible
 */
export async function readPage(
  stage: Stage,
  { cursor, pages: before }: { readonly cursor: string | null; readonly pages: number },
  scope: Scope,
  lookups: Lookups,
): Promise<Page> {
  const { name, each } = stage;
  if (before >= MAX_PAGES[each]) throw tooMany(`${name}: the list has more than ${MAX_PAGES[each]} pages`);
  const page = storable(await stage.page(cursor, scope, lookups));
  if ((page.next ?? "").length > MAX_CURSOR)
    throw tooMany(`${name}: the link to the next page has more than ${MAX_CURSOR} characters`);
  return page;
}

function tooMany(text: string): PullError {
  return new PullError(
    "excessive",
    `${text}, the most allowed. Check the next-page links that the platform returns.`,
  );
}
