import { expect, it } from "vitest";
import { IssuanceRunState } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { codeAndMessage as refusal } from "../../support/refusal.js";
import { givenRuns } from "./runs.js";

const runs = givenRuns();

it("failures of a run are counted by reason, and listed in pages, all of them or by reason", async () => {
  const { academy, database } = runs;
  const { configurationId } = await runs.offer("f1", "f2", "f3", "f4");
  const { id } = await runs.start(configurationId);
  const fail = (usernames: string[], reason: string) =>
    database
      .knex("credentials")
      .where({ configuration_id: configurationId })
      .whereIn("username", usernames)
      .update({ status: "error", error_reason: reason });
  await fail(["f1", "f3", "f4"], "The store is full.");
  await fail(["f2"], "It failed.");

  const first = await academy.credentials.listIssuanceRunFailures({ id, pageSize: 3 });
  expect(first.groups.map(({ reason, count }) => [reason, count])).toEqual([
    ["The store is full.", 3],
    ["It failed.", 1],
  ]);
  const second = await academy.credentials.listIssuanceRunFailures({
    id,
    pageSize: 3,
    pageToken: first.nextPageToken,
  });
  expect([second.groups, second.nextPageToken]).toEqual([[], ""]);
  const all = [...first.failures, ...second.failures];
  expect(all.map(({ username }) => username)).toEqual(["f1", "f2", "f3", "f4"]);
  const some = await academy.credentials.listIssuanceRunFailures({ id, reason: "The store is full." });
  expect(some.failures.map(({ username }) => username)).toEqual(["f1", "f3", "f4"]);

  const other = { id, reason: "It failed.", pageToken: first.nextPageToken };
  const [code] = await refusal(academy.credentials.listIssuanceRunFailures(other));
  expect(code).toBe("InvalidArgument");
});

it("runs are listed by their state", async () => {
  const { configurationId } = await runs.offer("s1");
  const going = await runs.start(configurationId);
  const { configurationId: nobodys } = await runs.offer();
  const ended = await runs.start(nobodys);
  const list = async (state: IssuanceRunState) =>
    (await runs.academy.credentials.listIssuanceRuns({ state })).runs.map(({ id }) => id);
  expect(await list(IssuanceRunState.RUNNING)).toContain(going.id);
  expect(await list(IssuanceRunState.RUNNING)).not.toContain(ended.id);
  expect(await list(IssuanceRunState.COMPLETE)).toContain(ended.id);
  expect(await list(IssuanceRunState.CANCELLED)).toEqual([]);
});
