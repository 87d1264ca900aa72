import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBackground } from "#app/background.js";
import { endOperation } from "#domain/operations/operation-store.js";
import {
  AdministrationService,
  CheckOutcome,
  OperationKind,
  OperationState,
  RepairOutcome,
  SweepState,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { type FakeMoodle, startFakeMoodle } from "../connectors/fake-moodle.js";
import { CLIENT_SECRET } from "../connectors/fake-open-edx.js";
import { createPlatformData } from "../connectors/platform-data.js";
import { type Academy, openAcademy } from "../support/academy.js";
import { refusal } from "../support/refusal.js";
import { tokenOf } from "../support/service.js";

const files = join(tmpdir(), `learning-credentials-operations-${process.pid}`);
let site: FakeMoodle;
let academy: Academy;
let client: ReturnType<typeof open>;

function open(token: string) {
  return academy.service.client(AdministrationService, token);
}

beforeAll(async () => {
  site = await startFakeMoodle(createPlatformData({ courses: 2, learners: 8 }), new Set());
  await writeFile(`${files}-token`, CLIENT_SECRET);
  const moodle = {
    id: "moodle",
    type: "moodle",
    base_url: site.url,
    allow_http: true,
    token_file: `${files}-token`,
    organisation: "Uni",
    courses: { only_configured: false },
    requests_per_minute: 100_000,
    sweep: "",
  };
  await writeFile(`${files}.json`, JSON.stringify([moodle]));
  academy = await openAcademy({ settings: { CONNECTORS_FILE: `${files}.json` } });
  client = open(await tokenOf({ username: "lms", service: "write" }));
  await academy.enrol("ana", "ben");
});
afterAll(async () => {
  await academy.service.stop();
  await site.close();
  await Promise.all([rm(`${files}-token`), rm(`${files}.json`)]);
});

const app = () => academy.service.app;

/** Starts an operation, and waits until it has ended. */
async function done(request: Parameters<typeof client.startOperation>[0]) {
  const { id } = await client.startOperation(request);
  const isOpen = async () => {
    const { state } = await client.getOperation({ id });
    return state === OperationState.WAITING || state === OperationState.RUNNING;
  };
  await expect.poll(isOpen, { timeout: 60_000 }).toBe(false);
  return client.getOperation({ id });
}

test("a waiting operation is returned again, is ended by whoever cancels it, and then never starts", async () => {
  const request = { kind: OperationKind.DIAGNOSIS };
  const first = await client.startOperation(request);
  expect(first).toMatchObject({ state: OperationState.WAITING, requestedBy: "lms" });
  expect(await client.startOperation(request)).toEqual(first);
  const changeCounts = async () => {
    const { entries } = await client.listAuditEntries({ method: "StartOperation" });
    return entries.map(({ changes }) => changes.length);
  };
  // Only the first call has changed something.
  await expect.poll(changeCounts).toEqual([0, 2]);
  expect(await client.cancelOperation({ id: first.id })).toMatchObject({ state: OperationState.CANCELLED });
  startBackground(app(), ["operations", "connector operations"]);
  const next = await done(request);
  expect(next.state).toBe(OperationState.DONE);
  expect((await client.getOperation({ id: first.id })).state).toBe(OperationState.CANCELLED);
  expect(await refusal(client.cancelOperation({ id: next.id }))).toContain("has already ended (done)");
  const { operations } = await client.listOperations({ kinds: [OperationKind.DIAGNOSIS] });
  expect(operations.map(({ id }) => id)).toEqual([next.id, first.id]);
});

test("a diagnosis finds damage, and exactly its plan is repaired", async () => {
  const { uuid } = await academy.issue("ana");
  const id = await academy.idOf(uuid);
  await academy.generate(id);
  await app().database.knex.raw("delete from jobs");
  expect((await done({ kind: OperationKind.DIAGNOSIS })).diagnosis).toMatchObject({
    groups: [],
    credentialFileCount: 1,
    planHash: "",
  });
  const { file_key: key } = await app().database.knex("credentials").where({ id }).first("file_key");
  await app().files.delete(key);
  const found = await done({ kind: OperationKind.DIAGNOSIS, withHashes: true });
  expect(found.diagnosis).toMatchObject({
    groups: [
      {
        kind: "missing-file",
        count: 1,
        findings: [{ credentialUuid: uuid, outcome: RepairOutcome.UNSPECIFIED }],
      },
    ],
    repairableCount: 1,
  });
  const plan = { kind: OperationKind.REPAIR, diagnosisId: found.id };
  expect(await refusal(client.startOperation({ ...plan, planHash: "another" }))).toMatch(
    /^Aborted: plan_hash/,
  );
  const repaired = await done({ ...plan, planHash: found.diagnosis?.planHash ?? "" });
  expect(repaired.diagnosis).toMatchObject({
    repairedCount: 1,
    groups: [
      {
        kind: "missing-file",
        findings: [{ credentialUuid: uuid, outcome: RepairOutcome.REPAIRED, problem: "" }],
      },
    ],
  });
  expect((await done({ kind: OperationKind.DIAGNOSIS, withHashes: true })).diagnosis?.groups).toEqual([]);
});

test("a platform is checked, planned and read; the list of connectors shows its state", async () => {
  const { knex } = app().database;
  const contexts = async () => Number((await knex("connector_contexts").count())[0]?.count);
  const check = await done({ kind: OperationKind.CHECK_CONNECTOR, connector: "moodle" });
  expect(check.checks.map(({ outcome }) => outcome)).toContain(CheckOutcome.OK);
  const plan = await done({ kind: OperationKind.PLAN_SYNC, connector: "moodle" });
  const would = plan.sync?.counts.find(({ name }) => name === "enrollment.written")?.count ?? 0;
  expect([would > 0, await contexts()]).toEqual([true, 0]);
  const sync = await done({ kind: OperationKind.SYNC, connector: "moodle" });
  expect(sync.sync).toMatchObject({ state: SweepState.COMPLETE, heldCount: 0, problems: [] });
  expect(sync.sync?.counts).toContainEqual(
    expect.objectContaining({ name: "enrollment.written", count: would }),
  );
  expect(await contexts()).toBe(2);
  expect((await client.listConnectors({})).connectors).toMatchObject([
    {
      id: "moodle",
      type: "moodle",
      sweep: "",
      lastSweep: { state: SweepState.COMPLETE, cause: "console" },
      problems: [],
    },
  ]);
});

test("operations of a crashed process are given up, with the reason; unreadable data is reported", async () => {
  await site.close();
  const failed = await done({ kind: OperationKind.CHECK_CONNECTOR, connector: "moodle" });
  expect([failed.state, failed.checks.map(({ outcome }) => outcome)]).toEqual([
    OperationState.DONE,
    expect.arrayContaining([CheckOutcome.FAILED]),
  ]);
  const { knex } = app().database;
  const [{ id }] = await knex("operations")
    .insert({
      kind: "repair",
      asked_by: "ada",
      state: "running",
      began_at: new Date(0),
      renewed_at: new Date(0),
    })
    .returning("id");
  const state = async () => (await client.getOperation({ id })).state;
  await expect.poll(state, { timeout: 20_000 }).toBe(OperationState.FAILED);
  await endOperation(knex, id, { result: {} }); // as a process that was only paused would do
  expect(await client.getOperation({ id })).toMatchObject({
    state: OperationState.FAILED,
    error: "The process that ran the operation has ended.",
  });
});
