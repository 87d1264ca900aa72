import type { Client } from "@connectrpc/connect";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { type MeasuredPostgres, startMeasuredPostgres } from "../support/measured-postgres.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";

const LEARNERS = 500;

const postgres = await startMeasuredPostgres();
afterAll(() => postgres?.stop());

// Debian's PostgreSQL compiles a plan whose estimated cost is high. When it did so for each learner of a call, the call
// took half a minute.
describe.skipIf(postgres === undefined)("on a PostgreSQL with JIT, a batch of 500 learners", () => {
  const { create, reset, costs } = postgres as MeasuredPostgres;
  let url: string;
  let service: TestService;
  let records: Client<typeof LearnerRecordService>;
  let session: pg.Client;
  let observedAt = Math.floor(Date.now() / 1000) - 100;
  beforeAll(async () => {
    url = await create();
    service = await startTestService({ settings: { DATABASE_URL: url } });
    records = service.client(LearnerRecordService, await tokenOf({ username: "lms", service: "write" }));
    session = new pg.Client(url);
    await session.connect();
  });
  afterAll(async () => {
    await session?.end();
    await service?.stop();
  });

  const usernames = Array.from({ length: LEARNERS }, (_, index) => `learner${index}`);

  async function upsert(given = usernames): Promise<void> {
    observedAt += 1; // so that each batch replaces the records of the previous one
    await records.upsertRecords({
      records: given.map((username) => ({
        kind: { case: "learner", value: { username, fullName: `Name of ${username}` } },
        observeTime: { seconds: BigInt(observedAt) },
      })),
    });
  }

  /** Appends an entry in a session with the server's default settings, as a service behind a pooler does. */
  const append = (names: readonly string[]) =>
    session.query("select append_audit_entries($1)", [
      JSON.stringify([
        {
          caller_kind: "service",
          name: "lms",
          bearer: "service",
          issuer: "",
          subject: "",
          method: "m",
          learners: names,
          objects: [],
          request_id: "",
          source: "",
        },
      ]),
    ]);

  async function costOf(work: () => Promise<unknown>) {
    await reset(url);
    await work();
    const statements = await costs(url);
    const sum = (key: "blocks" | "compiled") => statements.reduce((total, each) => total + each[key], 0);
    return { blocks: sum("blocks"), compiled: sum("compiled") };
  }

  test("takes as long after an erasure as before, and no statement is compiled", async () => {
    const { rows } = await session.query("select pg_jit_available() as compiles");
    expect(rows).toEqual([{ compiles: true }]);
    await upsert();
    await append(usernames);
    const before = { upsert: await costOf(upsert), append: await costOf(() => append(usernames)) };
    const username = "somebody.else";
    await upsert([username]);
    await records.eraseLearner({ username });
    const after = { upsert: await costOf(upsert), append: await costOf(() => append(usernames)) };
    expect(before.upsert.blocks).toBeGreaterThan(LEARNERS);
    console.log(`blocks: ${JSON.stringify({ before, after })}`);
    for (const each of ["upsert", "append"] as const) {
      expect(after[each].blocks).toBeLessThan(2 * before[each].blocks);
      expect(after[each].compiled).toBe(0);
    }
    // Names that are not in the trail yet are handled differently.
    const unknown = usernames.map((name) => `${name}.new`);
    expect((await costOf(() => append(unknown))).compiled).toBe(0);
  });
});
