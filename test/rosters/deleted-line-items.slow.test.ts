import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { queryValues } from "#infrastructure/db/query.js";
import { ended, startOn } from "../commands/run-command.js";
import { givenDatabase } from "../support/database.js";
import { newDirectory } from "../support/directory.js";
import { archiveOf, manifestOf, WHOLE } from "./archive.js";

const db = givenDatabase();
const RESULTS = `${WHOLE.results}r2,,l2,u1,fully graded,40\nr3,,l2,u2,fully graded,20\n`;

beforeEach(async () => {
  await db.database.knex.raw("truncate one_roster_ids, subsection_grades");
});

async function importing(mode: "bulk" | "delta", files: Readonly<Record<string, string>>) {
  const directory = newDirectory("import");
  const file = join(directory, "roster.zip");
  await writeFile(file, archiveOf({ manifest: manifestOf(mode, files), ...files }));
  const settings = { DATABASE_URL: db.url, DATA_DIR: directory };
  return ended(startOn(settings, ["import", "--organisation", "Uni", file]));
}

const grades = () =>
  queryValues<string>(
    db.database.knex,
    `select username || ' ' || usage_key from subsection_grades where not is_deleted order by 1`,
  );

const LINE_ITEM = WHOLE.lineItems.split("\n")[0];

it.each([
  ["line item", { lineItems: `${LINE_ITEM}\nl2,tobedeleted,k1,c2,0,50\n` }, ["ana l1", "ben l1"]],
  ["category", { categories: "sourcedId,status,title\nc2,inactive,Exam\n" }, ["ana l1", "ben l1"]],
  ["class", { classes: "sourcedId,status,title\nk1,tobedeleted,Chemistry 1\n" }, []],
])("grades are withdrawn when their %s is deleted", async (_, files, left) => {
  expect(await importing("bulk", { ...WHOLE, results: RESULTS })).toMatchObject({ code: 0, err: "" });
  expect(await grades()).toEqual(["ana l1", "ana l2", "ben l1", "ben l2"]);
  const withdrawn = `${4 - left.length} grades of deleted line items withdrawn`;
  expect(await importing("delta", files)).toMatchObject({ err: "", out: expect.stringContaining(withdrawn) });
  expect(await grades()).toEqual(left);
});

it("a deleted line item can return", async () => {
  await importing("bulk", { ...WHOLE, results: RESULTS });
  await importing("delta", { lineItems: `${LINE_ITEM}\nl1,tobedeleted,k1,c1,0,10\n` });
  expect(await grades()).toEqual(["ana l2", "ben l2"]);
  const { lineItems, results } = WHOLE;
  await importing("delta", { lineItems, results });
  expect(await grades()).toEqual(["ana l1", "ana l2", "ben l2"]);
});
