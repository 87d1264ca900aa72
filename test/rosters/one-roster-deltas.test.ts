import { beforeEach, describe, expect, it } from "vitest";
import { forgetAccounts, renameAccounts } from "#domain/learners/connector-accounts.js";
import { readStoredIds, storeIds } from "#domain/learners/one-roster-ids.js";
import { readOneRoster } from "#domain/rosters/one-roster.js";
import { inTransaction } from "#infrastructure/db/database.js";
import { createTestDatabase } from "../support/database.js";
import { given } from "../support/given.js";
import { archiveOf, CHEMISTRY, manifestOf, WHOLE } from "./archive.js";

const never = new AbortController().signal;
const bench = given(createTestDatabase, ({ drop }) => drop());
const COURSE = CHEMISTRY.courseKey;

/** Reads an archive as the command `import` does, and returns the result. */
async function read(mode: "bulk" | "delta", files: Partial<typeof WHOLE>, organisation = "Uni") {
  const { knex } = bench.database;
  const zip = archiveOf({ manifest: manifestOf(mode, files), ...files });
  const stored = await readStoredIds(knex, organisation);
  const { records, rejects, stated } = await readOneRoster(zip, organisation, stored);
  await storeIds(knex, organisation, stated);
  return { records: records.map(({ record }) => record), reasons: rejects.map(({ reason }) => reason) };
}

beforeEach(async () => {
  await bench.database.knex("one_roster_ids").delete();
});

describe("a delta", () => {
  it("of grades is imported without the students, classes and line items of earlier files", async () => {
    await read("bulk", WHOLE);
    const head = "sourcedId,status,lineItemSourcedId,studentSourcedId,scoreStatus,score\n";
    const of = { kind: "subsectionGrade", courseKey: COURSE };
    expect(await read("delta", { results: `${head}r2,,l2,u2,fully graded,40\nr3,,l1,u2,exempt,\n` })).toEqual(
      {
        records: [
          { ...of, username: "ben", usageKey: "l1", assignmentType: "Homework", earned: 0, possible: 0 },
          { ...of, username: "ben", usageKey: "l2", assignmentType: "Exam", earned: 40, possible: 50 },
        ],
        reasons: [],
      },
    );
    expect((await read("delta", { results: `${head}r4,,l9,u1,,1\nr5,,l1,u9,,1\n` })).reasons).toEqual([
      "its line item is not in lineItems.csv or in an earlier file.",
      "its student is not in users.csv or in an earlier file.",
    ]);
  });

  it.each([
    ["exempt", "r1,,l1,u1,exempt,8", 0, 0],
    ["exempt, with a word in place of a score", "r1,,l1,u1,exempt,EX", 0, 0],
    ["deleted", "r1,tobedeleted,l1,u1,fully graded,8", 0, 10],
    ["deleted, as in OneRoster 1.0", "r1,inactive,l1,u1,fully graded,8", 0, 10],
    ["no longer submitted", "r1,active,l1,u1,not submitted,8", 0, 10],
    ["graded again", "r1,active,l1,u1,partially graded,8", 0, 10],
    ["replaced", "r9,active,l1,u1,fully graded,9\nr1,tobedeleted,l1,u1,fully graded,8", 9, 10],
  ])("with a result that is %s replaces the earlier grade", async (_, rows, earned, possible) => {
    await read("bulk", WHOLE);
    const head = "sourcedId,status,lineItemSourcedId,studentSourcedId,scoreStatus,score\n";
    const { records, reasons } = await read("delta", { results: `${head}${rows}\n` });
    expect(reasons).toEqual([]);
    expect(records).toMatchObject([{ username: "ana", usageKey: "l1", earned, possible }]);
  });

  it("with a deleted result of an unknown line item or student ignores it", async () => {
    await read("bulk", WHOLE);
    const head = "sourcedId,status,lineItemSourcedId,studentSourcedId,score\n";
    expect(
      await read("delta", { results: `${head}r4,tobedeleted,l9,u1,1\nr5,tobedeleted,l1,u9,1\n` }),
    ).toEqual({ records: [], reasons: [] });
  });

  it("of another organisation sees nothing of this one", async () => {
    await read("bulk", WHOLE);
    expect((await read("delta", { results: WHOLE.results }, "Other")).reasons).toHaveLength(1);
  });

  it("of a new line item updates the course's policy; a class keeps its key when its code changes", async () => {
    await read("bulk", { ...WHOLE, lineItems: WHOLE.lineItems.replace("l2,,k1,c2,0,50\n", "") });
    const { records } = await read("delta", {
      lineItems: `${WHOLE.lineItems.split("\n")[0]}\nl2,,k1,c2,0,50\n`,
    });
    expect(records).toEqual([CHEMISTRY]);
    const renamed = await read("delta", {
      classes: "sourcedId,title,classCode\nk1,Chemistry,C-2\n",
      categories: "sourcedId,title,weight\nc2,Test,70\n",
    });
    expect(renamed.records).toMatchObject([
      {
        courseKey: COURSE,
        displayName: "Chemistry",
        gradingPolicy: [{ weight: 0.3 }, { assignmentType: "Test", weight: 0.7 }],
      },
    ]);
  });

  it("of enrolments obeys dates: with the class, or before its end; a new student needs a row", async () => {
    await read("bulk", WHOLE);
    const head = "sourcedId,status,classSourcedId,userSourcedId,role,beginDate,endDate\n";
    const { records, reasons } = await read("delta", {
      enrollments: `${head}e1,,k1,u1,student,,2020-06-30\ne2,,k1,u2,student,,2020-01-31\ne3,,k1,u3,student,,\n`,
    });
    expect(records).toMatchObject([
      { kind: "enrollment", username: "ana", isActive: true },
      { kind: "enrollment", username: "ben", isActive: false },
    ]);
    expect(reasons).toEqual(["its user was not a student before: include their row in users.csv."]);
  });

  it("removes rows marked as deleted, and a whole file removes rows that it lacks", async () => {
    await read("bulk", WHOLE);
    const head = "sourcedId,status,classSourcedId,categorySourcedId,resultValueMin,resultValueMax\n";
    await read("delta", { lineItems: `${head}l1,tobedeleted,k1,c1,0,10\n` });
    expect((await read("delta", { results: WHOLE.results })).reasons).toHaveLength(1);
    await read("bulk", { users: "sourcedId,username,givenName,familyName\nu2,ben,Ben,Bo\n" });
    const stored = await readStoredIds(bench.database.knex, "Uni");
    expect([...stored.users]).toEqual([["u2", { username: "ben", isStudent: true }]]);
    expect([...stored.lineItems.keys()]).toEqual(["l2"]);
  });
});

it("an erased learner's ids are removed, and a new username is followed", async () => {
  await read("bulk", WHOLE);
  const { database } = bench;
  await inTransaction(database, never, async (transaction) => {
    await forgetAccounts(transaction, "ana");
    await renameAccounts(transaction, { username: "ben", newUsername: "ben.bo" });
  });
  const { users } = await readStoredIds(database.knex, "Uni");
  expect([...users.keys()].sort()).toEqual(["u2", "u3"]);
  expect(users.get("u2")?.username).toBe("ben.bo");
});
