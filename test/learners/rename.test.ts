import { expect, test } from "vitest";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { COURSE, givenAcademy } from "../support/academy.js";
import { enrolled, learner } from "../support/records.js";
import { tokenOf } from "../support/service.js";

const academy = givenAcademy();

async function rename(username: string, newUsername: string) {
  const platform = academy.service.client(
    LearnerRecordService,
    await tokenOf({ username: "lms", service: "write" }),
  );
  expect(await platform.renameLearners({ renames: [{ username, newUsername }] })).toMatchObject({
    renamed: [{ username, newUsername }],
    refused: [],
  });
}

async function registrar() {
  return academy.service.client(LearnerRecordService, await tokenOf({ username: "rita", isStaff: true }));
}

async function found(query: string) {
  const { learners } = await (await registrar()).searchLearners({ query });
  return learners.map(({ learner }) => learner?.username);
}

test("a username whose records were withdrawn can be used again", async () => {
  await academy.enrol("new");
  await academy.withdraw(learner("new"), enrolled("new", COURSE));
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
