import { expect, test } from "vitest";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { COURSE, exam, givenAcademy } from "../support/academy.js";
import { enrolled, learner } from "../support/records.js";
import { tokenOf } from "../support/service.js";

const academy = givenAcademy();

async function rename(username: string, newUsername: string) {
  expect(await refusalOf(username, newUsername)).toBeUndefined();
}

async function refusalOf(username: string, newUsername: string): Promise<string | undefined> {
  const { renamed, refused } = await academy.records.renameLearners({ renames: [{ username, newUsername }] });
  expect([...renamed, ...refused.map(({ rename }) => rename)]).toMatchObject([{ username, newUsername }]);
  return refused[0]?.reason;
}

async function registrar() {
  return academy.service.client(LearnerRecordService, await tokenOf({ username: "rita", isStaff: true }));
}

async function found(query: string) {
  const { learners } = await (await registrar()).searchLearners({ query });
  return learners.map(({ learner }) => learner?.username);
}

const TWO_LEARNERS =
  "Both usernames have records: if they belong to one learner, withdraw the records under one of them first.";

test("two learners who are enrolled are not merged, until the records of one username are withdrawn", async () => {
  await academy.enrol("alice");
  await academy.report(learner("bob"), enrolled("bob", COURSE));
  expect(await refusalOf("alice", "bob")).toBe(TWO_LEARNERS);
  expect([await found("alice"), await found("bob")]).toEqual([["alice"], ["bob"]]);
  await academy.withdraw(learner("bob"), enrolled("bob", COURSE));
  await rename("alice", "bob");
  expect(await found("alice")).toEqual(["bob"]);
});

test("a learner whose only record is the name is not merged into one who is enrolled", async () => {
  await academy.report(learner("carol"));
  await academy.enrol("dave");
  expect(await refusalOf("carol", "dave")).toBe(TWO_LEARNERS);
});

test("a new username can have a name already, or all records if they are of the same account", async () => {
  await academy.enrol("eve");
  await academy.report(learner("eva", "Eva Reported"));
  await rename("eve", "eva");
  await academy.enrol("frank", "frances", "gil", "gail");
  const { knex } = academy.service.app.database;
  await knex("connector_people").insert({
    connector: "lms",
    external_id: "1",
    previous_username: "frank",
    username: "frances",
    seen_sweep: 1,
  });
  await rename("frank", "frances");
  const subject = { issuer: "lms", subject: "7" };
  await knex("account_subjects").insert([
    { username: "gil", ...subject },
    { username: "gail", ...subject },
  ]);
  await rename("gil", "gail");
  expect([await found("eva"), await found("frances"), await found("gail")]).toEqual([
    ["eva"],
    ["frances"],
    ["gail"],
  ]);
});

test("a username whose records were withdrawn can be used again", async () => {
  await academy.enrol("new");
  await academy.withdraw(learner("new"), enrolled("new", COURSE), exam("new", 9));
  await academy.enrol("old");
  await rename("old", "new");
  const { learner: renamed, contexts } = await (await registrar()).getLearner({ username: "new" });
  expect(renamed).toMatchObject({ username: "new", fullName: "Learner old" });
  expect(contexts).toMatchObject([{ learningContextKey: COURSE, isEnrolled: true }]);
});

test("a learner with a corrected name is found by the new username only, also after later records", async () => {
  await academy.report(learner("before", "Mispelt Person"));
  const correction = { username: "before", fullName: "Misspelt Person", reason: "A letter was missing." };
  await (await registrar()).correctLearnerName(correction);
  await rename("before", "after");
  await academy.report({
    case: "learner",
    value: { username: "after", fullName: "Mispelt Person", locale: "de" },
  });
  expect([await found("before"), await found("after"), await found("misspelt")]).toEqual([
    [],
    ["after"],
    ["after"],
  ]);
});
