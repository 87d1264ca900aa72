import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { work } from "#app/work.js";
import { endDoneRuns } from "#domain/credentials/runs/end-done-runs.js";
import { watchIssuanceRun } from "#domain/credentials/runs/watch-issuance-run.js";
import type { IssuanceRun } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { openAcademy } from "../../support/academy.js";
import { codeAndMessage as refusal } from "../../support/refusal.js";
import { counts, givenRuns, type Row } from "./runs.js";

const UNKNOWN = "00000000-0000-4000-8000-000000000000";

const runs = givenRuns();
beforeEach(() => runs.emptyQueue());

describe("a client that reads runs", () => {
  it("finds the newest first, page by page", async () => {
    const { configurationId } = await runs.offer("listed");
    const ids = [];
    for (let i = 0; i < 5; i++) ids.unshift((await runs.start(configurationId)).id);
    const seen: string[] = [];
    let pageToken = "";
    do {
      const page = await runs.academy.credentials.listIssuanceRuns({
        configurationId,
        pageSize: 2,
        pageToken,
      });
      seen.push(...page.runs.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(seen).toEqual(ids);
    const all = await runs.academy.credentials.listIssuanceRuns({ pageSize: 1000 });
    expect(all.runs.slice(0, 5).map(({ id }) => id)).toEqual(ids);
  });

  it.each(["getIssuanceRun", "cancelIssuanceRun", "retryIssuanceRun"] as const)(
    "learns from %s that there is none",
    async (method) => {
      for (const id of [UNKNOWN, "x", ""]) {
        expect(await refusal(runs.academy.credentials[method]({ id }))).toEqual([
          "NotFound",
          "Issuance run not found.",
        ]);
      }
    },
  );

  it("follows one to its end", async () => {
    const { configurationId } = await runs.offer("followed a", "followed b");
    const { id } = await runs.start(configurationId);
    const [a, b] = Object.values(await runs.issued(configurationId));
    const seen: unknown[][] = [];
    for await (const run of runs.academy.credentials.watchIssuanceRun({ id })) {
      seen.push(counts(run));
      if (seen.length === 1) await runs.make(a?.id ?? 0);
      if (seen.length === 2) await runs.make(b?.id ?? 0);
      await endDoneRuns(runs.database);
    }
    expect(seen).toEqual([
      ["RUNNING", 2, 2, 0, 0],
      ["RUNNING", 2, 1, 1, 0],
      ["COMPLETE", 2, 0, 2, 0],
    ]);
  });

  it("stops following as soon as the client disconnects", async () => {
    const { configurationId } = await runs.offer("left");
    const { id } = await runs.start(configurationId);
    const leaving = new AbortController();
    const watching = watchIssuanceRun(runs.database, id, leaving.signal);
    await watching.next();
    const next = watching.next();
    await sleep(50);
    leaving.abort();
    await expect(next).rejects.toThrow();
    expect(await watching.next()).toEqual({ done: true, value: undefined });
  });
});

it("two workers generate one document for each credential", async () => {
  const busy = await openAcademy({ worker: true });
  try {
    work(busy.service.app);
    const usernames = Array.from({ length: 40 }, (_, index) => `worked ${index}`);
    await busy.enrol(...usernames);
    const { run } = await busy.credentials.startIssuanceRun({ configurationId: busy.configurationId });
    let last: IssuanceRun | undefined;
    for await (const report of busy.credentials.watchIssuanceRun({ id: run?.id ?? "" })) last = report;
    expect(last && counts(last)).toEqual(["COMPLETE", 40, 0, 40, 0]);
    const { app } = busy.service;
    const rows: Row[] = await app.database.knex("credentials");
    for (const { uuid } of rows) expect(await busy.filesOf(uuid)).toHaveLength(1);
    const { rows: made } = await app.database.knex.raw(
      `select credential_uuid from (
         select credential_uuid, type from unsealed_credential_events
         union all select credential_uuid, type from credential_events
       ) event where type = 'available'`,
    );
    expect(made.length).toBe(40);
    const directory = `${app.config.dataDir}/files/${app.config.outputDir}`;
    expect((await readdir(directory)).sort()).toEqual(rows.map(({ uuid }) => uuid).sort());
  } finally {
    await busy.service.stop();
  }
});
