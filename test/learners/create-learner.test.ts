import { expect, onTestFinished, test } from "vitest";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { givenAcademy } from "../support/academy.js";
import { codeAndMessage as refusal } from "../support/refusal.js";
import { boundedToken, startTestService, tokenOf } from "../support/service.js";

const academy = givenAcademy();

async function registrar() {
  return academy.service.client(LearnerRecordService, await tokenOf({ username: "rita", isStaff: true }));
}

test("a learner created by hand can be issued to, until a platform sends another record", async () => {
  const records = await registrar();
  const learner = { username: "hand", fullName: "Made by Hand", email: "hand@uni.test" };
  expect((await records.createLearner(learner)).learner).toMatchObject(learner);
  expect((await records.getLearner({ username: "hand" })).learner).toMatchObject(learner);
  const issued = await academy.made("hand", { skipEligibilityCheck: true });
  expect(issued.userFullName).toBe("Made by Hand");
  await academy.report({ case: "learner", value: { username: "hand", fullName: "Sent Later", email: "" } });
  expect((await records.getLearner({ username: "hand" })).learner).toMatchObject({ fullName: "Sent Later" });
});

test("is refused under a username that is in use, was deleted or erased", async () => {
  const records = await registrar();
  await academy.enrol("taken", "gone", "erased");
  await academy.withdraw({ case: "learner", value: { username: "gone" } });
  await academy.records.eraseLearner({ username: "erased" });
  const refused = (username: string) => refusal(records.createLearner({ username, fullName: "Again" }));
  for (const username of ["taken", "gone"])
    expect(await refused(username)).toEqual([
      "AlreadyExists",
      `The username "${username}" was already used: choose another username.`,
    ]);
  expect(await refused("erased")).toEqual([
    "FailedPrecondition",
    'Learner "erased" was erased: choose another username.',
  ]);
  expect(await refused("line\nbreak")).toEqual(["InvalidArgument", expect.stringContaining("username")]);
});

test("is created once by concurrent callers, and by nobody who is restricted to organisations", async () => {
  const records = await registrar();
  const create = () => records.createLearner({ username: "raced", fullName: "Raced" });
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => refusal(create())));
  expect(outcomes.map(([code]) => code ?? "created").sort()).toEqual([
    ...Array(9).fill("AlreadyExists"),
    "created",
  ]);

  const settings = { AUTH_JWT_ORGANISATIONS_CLAIM: "organisations" };
  const service = await startTestService({ beside: academy.service, settings });
  onTestFinished(() => service.stop());
  const bounded = service.client(LearnerRecordService, await boundedToken(service, ["Uni"]));
  expect(await refusal(bounded.createLearner({ username: "ana", fullName: "Ana" }))).toEqual([
    "PermissionDenied",
    expect.stringContaining("organisations"),
  ]);
});
