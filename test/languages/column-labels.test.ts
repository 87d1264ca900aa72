import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { languageTags } from "#foundation/languages/list.js";
import { type ColumnMeaning, meaningOfHeading } from "#foundation/text/tables/column-headings.js";

/** Columns whose label in the console is a heading that people use. The other labels explain their column. */
const NAMED: readonly ColumnMeaning[] = [
  "username",
  "email",
  "fullName",
  "givenName",
  "familyName",
  "learnerId",
  "hours",
  "awardDate",
];

test.each(languageTags)("a list with the console's names of columns in %s is recognised", (tag) => {
  const file = new URL(`../../src/console/languages/${tag}/issuing.json`, import.meta.url);
  const { meanings } = JSON.parse(readFileSync(file, "utf8")).list;
  expect(NAMED.map((meaning) => meaningOfHeading(meanings[meaning]))).toEqual(NAMED);
});
