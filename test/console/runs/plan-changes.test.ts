import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { groupFailures } from "#console/runs/grouped-failures.js";
import { changesBetween, type PlanChanges } from "#console/runs/plan-changes.js";
import { FailedCredentialSchema, IssuancePlanSchema } from "#gen/learning_credentials/v1/issuance_run_pb.js";

const plan = (usernames: string[], issueCount = usernames.length) =>
  create(IssuancePlanSchema, {
    usernames,
    issueCount,
    learners: usernames.map((username) => ({ username })),
  });

const named = ({ joined, left, ...counts }: PlanChanges) => ({
  ...counts,
  joined: joined.map(({ username }) => username),
  left: left.map(({ username }) => username),
});

test("a changed plan names who joined and who left", () => {
  expect(named(changesBetween(plan(["ana", "ben", "zoe"]), plan(["ana", "cat", "zoe"])))).toEqual({
    before: 3,
    now: 3,
    joined: ["cat"],
    left: ["ben"],
  });
});

test("nobody beyond the end of a shortened list is named", () => {
  const before = plan(["ana", "ben", "cat"], 5000);
  const now = plan(["ana", "cat", "dan"], 4999);
  expect(named(changesBetween(before, now))).toEqual({ before: 5000, now: 4999, joined: [], left: ["ben"] });
});

test("failures are grouped by reason, the most frequent first", () => {
  const failures = ["a", "b", "a"].map((reason) => create(FailedCredentialSchema, { reason }));
  const groups = groupFailures(failures);
  expect(groups.map(({ reason, failures: grouped }) => [reason, grouped.length])).toEqual([
    ["a", 2],
    ["b", 1],
  ]);
});
