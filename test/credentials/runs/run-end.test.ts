import { beforeEach, describe, expect, it } from "vitest";
import { endDoneRuns } from "#domain/credentials/runs/end-done-runs.js";
import { endRuns, findDoneRuns, lockRunning } from "#domain/credentials/runs/run-store.js";
import { learner } from "../../support/records.js";
import { counts, eligible, exam, givenRuns, NO_GLYPH, type Row } from "./runs.js";

const runs = givenRuns();
beforeEach(() => runs.emptyQueue());

describe("the end of a run", () => {
  it("comes when its last credential is available or has failed, and its report stays", async () => {
    const { configurationId } = await runs.offer("end a", "end b", "end fails");
    const { id } = await runs.start(configurationId);
    const rows = await runs.issued(configurationId);
    await endDoneRuns(runs.database);
    expect(counts(await runs.get(id))).toEqual(["RUNNING", 3, 3, 0, 0]);
    await runs.make(rows["end a"]?.id ?? 0);
    await runs.make(rows["end fails"]?.id ?? 0, true);
    await endDoneRuns(runs.database);
    const running = await runs.get(id);
    expect([counts(running), running.endTime]).toEqual([["RUNNING", 3, 1, 1, 1], undefined]);
    await runs.academy.invalidate(rows["end a"]?.uuid ?? "");
    expect(counts(await runs.get(id))).toEqual(["RUNNING", 3, 1, 1, 1]);
    await runs.make(rows["end b"]?.id ?? 0);

    await Promise.all(Array.from({ length: 8 }, () => endDoneRuns(runs.database)));
    const report = await runs.get(id);
    expect([counts(report), report.endTime]).toEqual([["COMPLETE", 3, 0, 2, 1], expect.anything()]);
    const reason = "The document could not be generated: see the service's log.";
    expect(report.failures).toMatchObject([{ uuid: rows["end fails"]?.uuid, username: "end fails", reason }]);

    await runs.academy.invalidate(rows["end b"]?.uuid ?? "");
    await runs.academy.credentials.issueCredential({ configurationId, username: "end fails" });
    await endDoneRuns(runs.database);
    expect(await runs.get(id)).toEqual(report);
  });

  it("stores no names: they are looked up when the report is shown", async () => {
    const { configurationId } = await runs.offer("kept fails");
    const { id } = await runs.start(configurationId);
    await runs.makeAll(configurationId);
    await endDoneRuns(runs.database);
    const { rows } = await runs.database.knex.raw(
      `select to_jsonb(run) as run, to_jsonb(failure) as failure
       from issuance_runs run join issuance_run_failures failure on run_id = id where id = ?::uuid`,
      [id],
    );
    expect(rows.length).toBe(1);
    expect(JSON.stringify(rows)).not.toContain("kept fails");
    expect((await runs.get(id)).failures).toMatchObject([{ username: "kept fails" }]);
  });

  it("waits for a credential that is retried individually while others are generating", async () => {
    const { configurationId } = await runs.offer("again", "other");
    const { id } = await runs.start(configurationId);
    const first = await runs.issued(configurationId);
    await runs.make(first.again?.id ?? 0, true);
    await runs.academy.credentials.issueCredential({ configurationId, username: "again" });
    await runs.make(first.other?.id ?? 0);
    await endDoneRuns(runs.database);
    expect(counts(await runs.get(id))).toEqual(["RUNNING", 2, 1, 1, 0]);
    await runs.makeAll(configurationId);
    await endDoneRuns(runs.database);
    expect(counts(await runs.get(id))).toEqual(["COMPLETE", 2, 0, 2, 0]);
  });

  it("includes a credential that a later run retries as failed in this one", async () => {
    const { configurationId } = await runs.offer("taken", "slow one");
    const first = await runs.start(configurationId);
    await runs.make((await runs.issued(configurationId)).taken?.id ?? 0, true);
    const second = await runs.start(configurationId);
    expect(counts(second)).toEqual(["RUNNING", 1, 1, 0, 0]);
    expect(counts(await runs.get(first.id))).toEqual(["RUNNING", 2, 1, 0, 1]);
    await runs.makeAll(configurationId);
    await endDoneRuns(runs.database);
    expect(counts(await runs.get(first.id))).toEqual(["COMPLETE", 2, 0, 1, 1]);
    expect(counts(await runs.get(second.id))).toEqual(["COMPLETE", 1, 0, 1, 0]);
  });
});

describe("a cancelled run", () => {
  it("fails generating credentials, removes their jobs from the queue, and leaves available ones", async () => {
    const { configurationId } = await runs.offer("made", "waiting a", "waiting b");
    const elsewhere = await runs.offer("not concerned");
    await runs.start(elsewhere.configurationId);
    const { id } = await runs.start(configurationId);
    await runs.make((await runs.issued(configurationId)).made?.id ?? 0);
    const cancelled = await runs.academy.credentials.cancelIssuanceRun({ id });
    expect([counts(cancelled), cancelled.endTime]).toEqual([["CANCELLED", 3, 0, 1, 2], expect.anything()]);
    expect(cancelled.failures).toMatchObject([
      { username: "waiting a", reason: "The run was cancelled." },
      { username: "waiting b", reason: "The run was cancelled." },
    ]);
    const rows = await runs.issued(configurationId);
    expect(rows.made?.status).toBe("available");
    expect(rows["waiting a"]).toMatchObject({ status: "error", error_reason: "The run was cancelled." });
    const left = [rows.made?.id, (await runs.issued(elsewhere.configurationId))["not concerned"]?.id];
    expect((await runs.academy.jobs()).sort()).toEqual(left.sort());
    expect((await runs.events(configurationId)).slice(-2)).toEqual(
      Array(2).fill("failed generating -> error by registrar"),
    );
    expect(await runs.academy.credentials.cancelIssuanceRun({ id })).toEqual(cancelled);
    await endDoneRuns(runs.database);
    expect(await runs.get(id)).toEqual(cancelled);
  });

  it("supersedes an attempt in progress, which deletes its file", async () => {
    const { configurationId } = await runs.offer("under way");
    const { id } = await runs.start(configurationId);
    const credential = (await runs.issued(configurationId))["under way"] as Row;
    await runs.database.knex.raw("update jobs set leased_until = now() + interval '10 seconds'");
    const { files } = runs.academy.service.app;
    await runs.academy.generate(credential.id, {
      files: {
        async put(...file) {
          await files.put(...file);
          await runs.academy.credentials.cancelIssuanceRun({ id });
        },
      },
    });
    expect((await runs.issued(configurationId))["under way"]).toMatchObject({
      status: "error",
      file_key: null,
    });
    expect(await runs.academy.filesOf(credential.uuid)).toEqual([]);
    expect(await runs.academy.jobs()).toEqual([credential.id]);
    expect(counts(await runs.get(id))).toEqual(["CANCELLED", 1, 0, 0, 1]);
  });

  it("that had already ended stays unchanged", async () => {
    const { configurationId } = await runs.offer("ended");
    const { id } = await runs.start(configurationId);
    await runs.makeAll(configurationId);
    await endDoneRuns(runs.database);
    const report = await runs.get(id);
    expect(await runs.academy.credentials.cancelIssuanceRun({ id })).toEqual(report);
  });
});

describe("a run that is retried", () => {
  it("generates failed credentials from the current records, for learners who are still eligible", async () => {
    const names = ["retry fails", "renamed fails", "dropped fails", "unprintable fails", "retry made"];
    const { configurationId, courseKey } = await runs.offer(...names);
    const { id } = await runs.start(configurationId);
    await runs.makeAll(configurationId);
    await endDoneRuns(runs.database);
    expect(counts(await runs.get(id))).toEqual(["COMPLETE", 5, 0, 1, 4]);
    const before = await runs.issued(configurationId);
    await runs.academy.report(
      learner("renamed fails", "Renamed"),
      exam(courseKey, "dropped fails", 1),
      learner("unprintable fails", NO_GLYPH),
      ...eligible(courseKey, "newcomer"),
    );
    await runs.database.knex.raw("delete from jobs");

    const running = await runs.academy.credentials.retryIssuanceRun({ id });
    expect([counts(running), running.endTime]).toEqual([["RUNNING", 5, 2, 1, 2], undefined]);
    expect(running.failures.map(({ username }) => username)).toEqual(["dropped fails", "unprintable fails"]);
    const after = await runs.issued(configurationId);
    expect(after["renamed fails"]).toMatchObject({
      uuid: before["renamed fails"]?.uuid,
      status: "generating",
      user_full_name: "Renamed",
    });
    expect(after["retry made"]).toEqual(before["retry made"]);
    expect(after.newcomer).toBeUndefined();
    expect(await runs.academy.jobs()).toEqual([after["renamed fails"]?.id, after["retry fails"]?.id]);

    for (const username of ["renamed fails", "retry fails"]) await runs.make(after[username]?.id ?? 0);
    await endDoneRuns(runs.database);
    const report = await runs.get(id);
    expect(counts(report)).toEqual(["COMPLETE", 5, 0, 3, 2]);
    expect(report.failures.map(({ username }) => username)).toEqual(["dropped fails", "unprintable fails"]);
  });

  it("is complete after it was cancelled, too", async () => {
    const { configurationId } = await runs.offer("resumed a", "resumed b");
    const { id } = await runs.start(configurationId);
    const [old] = Object.values(await runs.issued(configurationId));
    await runs.academy.credentials.cancelIssuanceRun({ id });
    expect(counts(await runs.academy.credentials.retryIssuanceRun({ id }))).toEqual(["RUNNING", 2, 2, 0, 0]);
    await runs.make(old?.id ?? 0); // an attempt that started before the retry finds no row to change
    expect(counts(await runs.get(id))).toEqual(["RUNNING", 2, 2, 0, 0]);
    await runs.makeAll(configurationId);
    await endDoneRuns(runs.database);
    expect(counts(await runs.get(id))).toEqual(["COMPLETE", 2, 0, 2, 0]);
  });

  it("is not ended by a worker that checked before the retry", async () => {
    const { configurationId } = await runs.offer("looked fails");
    const { id } = await runs.start(configurationId);
    await runs.makeAll(configurationId);
    const done = await findDoneRuns(runs.database.knex);
    expect(done).toContain(id);
    await runs.academy.credentials.retryIssuanceRun({ id });
    await runs.database.knex.transaction(async (transaction) => {
      await endRuns(transaction, await lockRunning(transaction, done), "complete");
    });
    expect(counts(await runs.get(id))).toEqual(["RUNNING", 1, 1, 0, 0]);
  });

  it("ends immediately if there is nothing to retry", async () => {
    const { configurationId } = await runs.offer("fine", "mended fails");
    const { id } = await runs.start(configurationId);
    await runs.makeAll(configurationId);
    await endDoneRuns(runs.database);
    await runs.academy.credentials.issueCredential({ configurationId, username: "mended fails" });
    await runs.make((await runs.issued(configurationId))["mended fails"]?.id ?? 0);
    expect(counts(await runs.academy.credentials.retryIssuanceRun({ id }))).toEqual(["COMPLETE", 2, 0, 2, 0]);
  });
});
