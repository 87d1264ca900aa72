import { Code, ConnectError } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { COURSE, givenAcademy } from "../support/academy.js";

const academy = givenAcademy();

const issue = async (username: string, fullName: string) => {
  await academy.enrol(username);
  await academy.report({ case: "learner", value: { username, fullName } });
  return academy.issue(username);
};
const refusal = async (call: Promise<unknown>) => {
  const error = await call.then(() => undefined, ConnectError.from);
  return [error?.code, error?.rawMessage];
};

it.each([
  ["spaces around and within", "  Trailing    Spaces  ", "Trailing Spaces"],
  ["an override of direction", "Ada \u202eecalevoL", "Ada ecalevoL"],
  ["marks of direction", "\u200fיעל כהן\u200f", "יעל כהן"],
  ["other spaces", "Ada\u00a0\u2003Lovelace", "Ada Lovelace"],
  ["joiners, which shape a name", "علی\u200cرضا", "علی\u200cرضا"],
])("a name with %s is stored as it is printed", async (what, fullName, shown) => {
  expect((await issue(what, fullName)).userFullName).toBe(shown);
});

it.each(["\u200b", "\u00ad", "\u3164", "\u2060", "\u115f", "\u200d\u200c", "\u2800", " \u202e "])(
  "a name without visible characters is treated as empty (%j)",
  async (fullName) => {
    const username = `nobody ${JSON.stringify(fullName)}`;
    expect(await refusal(issue(username, fullName))).toEqual([
      Code.FailedPrecondition,
      `Learner ${username} has no full name: send a record that contains it.`,
    ]);
    const { plan } = await academy.credentials.startIssuanceRun({
      configurationId: academy.configurationId,
      dryRun: true,
    });
    expect(plan?.usernames).not.toContain(username);
  },
);

it.each(["\u200b", "\u2800\u3164"])("a reason without visible characters is refused (%j)", async (reason) => {
  const { uuid } = await issue(`withdrawn ${JSON.stringify(reason)}`, "Ada Lovelace");
  expect(await refusal(academy.credentials.invalidateCredential({ uuid, reason }))).toEqual([
    Code.InvalidArgument,
    "reason is blank.",
  ]);
});

it("a reason is shown as it is stored, and a course's name keeps its line breaks", async () => {
  const { uuid } = await issue("turned", "Ada Lovelace");
  await academy.generate(uuid);
  const reason = "ok \u202eelbadaernu";
  const { invalidationReason } = await academy.credentials.invalidateCredential({ uuid, reason });
  expect(invalidationReason).toBe("ok elbadaernu");
  await academy.report({
    case: "course",
    value: {
      courseKey: COURSE,
      displayName: " Course \n  One\u202d ",
      gradingPolicy: [{ assignmentType: "Exam", weight: 1 }],
    },
  });
  expect((await issue("lines", "Ada Lovelace")).learningContextName).toBe("Course\nOne");
});
