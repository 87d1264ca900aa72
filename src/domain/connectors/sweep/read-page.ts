import type { Lookups, RecordPage, Scope, Stage } from "../driver/driver.js";
import { PullError } from "../driver/pull-error.js";
import { storable } from "./storable.js";

/** Maximum length of a cursor. Links usually have a few hundred characters. */
const MAX_CURSOR = 2_000;

/**
 * Maximum number of pages. No platform has this many, at a hundred learners or courses for each page. A platform that
 * sends more is repeating itself.
 */
const MAX_PAGES = { sweep: 2_000, course: 20_000, path: 20_000 };

/**
 * Reads a page, and leaves out values that the database can't store.
 * @param before number of pages that the stage has read for this scope
 * @throws PullError also if the number of pages or the length of the cursor is implausible
 */
export async function readStagePage(
  stage: Stage,
  { cursor, pages: before }: { readonly cursor: string | null; readonly pages: number },
  scope: Scope,
  lookups: Lookups,
): Promise<RecordPage> {
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
    `${text}, which is the maximum. Check the next-page links that the platform returns.`,
  );
}
