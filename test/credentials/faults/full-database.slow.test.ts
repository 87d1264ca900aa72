import { chmod, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { Code, ConnectError } from "@connectrpc/connect";
import pg from "pg";
import { expect, test } from "vitest";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { openAcademy } from "../../support/academy.js";
import { newDirectory } from "../../support/directory.js";
import { findingsOn } from "../../support/health.js";
import { startInstalledPostgres } from "../../support/installed-postgres.js";
import { tokenOf } from "../../support/service.js";
import { mountDisk } from "./small-disk.js";

const PATIENCE_MS = 120_000;
const RUN = 40;
const MIB = Buffer.alloc(1024 * 1024);

/**
 * Writes until the disk has less than 4 KiB left.
 * @returns a function that frees the space
 */
async function fill(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, "filler");
  const file = await open(path, "w");
  try {
    for (let size = MIB.length; size >= 4096; ) {
      const { bytesWritten } = await file.write(MIB, 0, size).catch(unlessFull);
      if (bytesWritten < size) size /= 2;
    }
  } finally {
    await file.close();
  }
  return () => rm(path);
}

function unlessFull(error: NodeJS.ErrnoException): { bytesWritten: number } {
  if (error.code !== "ENOSPC") throw error;
  return { bytesWritten: 0 };
}

test("if the database's disk is full, changes are refused with the reason and verification works; with free space, everything continues", {
  timeout: 4 * PATIENCE_MS,
}, async (context) => {
  const { onTestFinished, skip } = context;
  const where = newDirectory("full");
  await chmod(where, 0o755);
  const disk = join(where, "disk");
  await mkdir(disk);
  mountDisk(context, disk, "300m");
  // On a full disk, a checkpoint makes Postgres 15 panic. The test would then find an outage instead of a full disk.
  const postgres = await startInstalledPostgres({ where: disk, settings: { checkpoint_timeout: "1h" } });
  if (!postgres) return skip("there is no PostgreSQL of the system");
  onTestFinished(postgres.stop);
  const url = await postgres.create();
  const academy = await openAcademy({ worker: true, settings: { DATABASE_URL: url } });
  onTestFinished(academy.service.stop);
  const { service, credentials, configurationId } = academy;

  const platform = await tokenOf({ username: "lms", service: "write" });
  const records = service.client(LearnerRecordService, platform);
  let reported = 0;
  /**
   * Imports a thousand more learners.
   * @returns the code of the refusal; undefined if they were imported
   */
  async function reportMore(): Promise<Code | undefined> {
    const kinds = Array.from({ length: 1_000 }, (_, number) => ({
      kind: {
        case: "learner" as const,
        value: { username: `many${reported}-${number}`, fullName: "Many ".repeat(40) },
      },
    }));
    try {
      await records.upsertRecords({ records: kinds });
      reported += 1;
      return undefined;
    } catch (error) {
      return ConnectError.from(error).code;
    }
  }
  const visit = async (path: string) => {
    const answer = await fetch(`${service.httpUrl}${path}`);
    await answer.arrayBuffer();
    return answer.status;
  };
  const ready = async () => {
    const { status, dependencies } = await service.app.readiness.check();
    return [status, ...dependencies.filter(({ works }) => !works).map(({ name }) => name)];
  };

  const usernames = Array.from({ length: RUN }, (_, number) => `learner${number}`);
  await academy.enrol("first", ...usernames);
  const { uuid } = await credentials.issueCredential({ configurationId, username: "first" });
  const verifyUuid = async () => (await credentials.getCredential({ uuid })).verifyUuid;
  await expect.poll(verifyUuid, { timeout: PATIENCE_MS }).not.toBe("");
  const paths = [
    `/api/learning_credentials/v1/metadata/${await verifyUuid()}/`,
    `/verify/${await verifyUuid()}/`,
  ];
  const verified = () => Promise.all(paths.map(visit));
  await expect.poll(verified, { timeout: PATIENCE_MS }).toEqual([200, 200]);
  await giveRoomToLog(url);
  expect(await ready()).toEqual(["ready"]);

  const free = await fill(disk);
  // the run may fit into space that the tables already have
  const { run } = await credentials.startIssuanceRun({ configurationId }).catch(() => ({ run: undefined }));
  let refusal: Code | undefined;
  for (let times = 0; times < 100 && refusal === undefined; times++) refusal = await reportMore();
  expect(refusal).toBe(Code.Unavailable);
  await expect.poll(ready, { timeout: PATIENCE_MS }).toEqual(["degraded", "writes"]);
  expect(await visit("/readyz")).toBe(200);
  for (let times = 0; times < 40; times++) {
    expect(await verified()).toEqual([200, 200]);
    expect([undefined, Code.Unavailable]).toContain(await reportMore());
  }
  expect(await ready()).toEqual(["degraded", "writes"]);
  console.info(`full: ${reported} thousand learners told of; the run ${run ? "was started" : "was refused"}`);

  await free();
  await expect.poll(ready, { timeout: PATIENCE_MS }).toEqual(["ready"]);
  expect(await reportMore()).toBeUndefined();
  if (!run) await credentials.startIssuanceRun({ configurationId });
  const countOf = async (table: string, filter: Record<string, unknown>) => {
    const counted = await service.app.database.knex(table).where(filter).count({ count: "*" });
    return counted[0]?.count;
  };
  await expect
    .poll(() => countOf("credentials", { status: "available" }), { timeout: PATIENCE_MS })
    .toBe(RUN + 1);
  expect(await countOf("learners", { full_name: "Many ".repeat(40).trim() })).toBe(reported * 1_000);
  await expect
    .poll(() => findingsOn(service.app, { now: new Date(Date.now() + 7_200_000) }), { timeout: PATIENCE_MS })
    .toEqual([]);
});

/** Makes Postgres create its log files in advance, because it panics if it can't create one. */
async function giveRoomToLog(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (let times = 0; times < 4; times++) {
    await client.query("select pg_logical_emit_message(false, 'room', 'for the log')");
    await client.query("select pg_switch_wal()");
  }
  await client.query("checkpoint");
  await client.end();
}
