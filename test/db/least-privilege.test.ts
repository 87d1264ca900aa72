import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, openApp, seal } from "../../src/app.js";
import { readConfig } from "../../src/config.js";
import { verifyEventChain } from "../../src/credentials/events/verify-event-chain.js";
import { issueCredential } from "../../src/credentials/issue-credential.js";
import { work } from "../../src/work.js";
import { append } from "../credentials/events/chain.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";

const signal = new AbortController().signal;
const role = `service_${randomBytes(8).toString("hex")}`;

let db: TestDatabase;
let dataDir: string;
let app: App;

/** As the README says, under another name: roles belong to all databases of a server. */
beforeAll(async () => {
  db = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "learning-credentials-role-"));
  const readme = await readFile(join(import.meta.dirname, "../../README.md"), "utf8");
  const [, grants = ""] = /```sql\n(create role [\s\S]*?)```/.exec(readme) ?? [];
  expect(grants).not.toBe("");
  await db.database.knex.raw(grants.replaceAll("credentials_service", role).replaceAll("…", "secret"));
  await db.database.knex.raw(`
    insert into learners (username, email, full_name, is_active, locale, observed_at, is_deleted)
    values ('ana', 'ana@uni.test', 'Ana', true, '', now(), false);
    insert into courses (course_key, display_name, assignment_types, weights, observed_at, is_deleted)
    values ('course-v1:A+B+C', 'C', '{}', '{}', now(), false);
    insert into credential_types (name, retrieval_func, generation_func, custom_options)
    values ('T', 'learning_credentials.processors.retrieve_completions',
      'learning_credentials.generators.generate_pdf_credential', '{}');
    insert into credential_configurations (learning_context_key, credential_type_id, custom_options)
    values ('course-v1:A+B+C', 1, '{}')`);
  const url = new URL(db.url);
  url.username = role;
  url.password = "secret";
  const config = readConfig({
    DATABASE_URL: url.href,
    DATA_DIR: dataDir,
    PUBLIC_URL: "https://credentials.test",
    URL_SIGNING_SECRET: "another secret that only tests know",
    AUTH_JWT_SECRET: "a secret that only tests know, 32+",
    AUTH_JWT_ISSUER: "any",
    AUTH_JWT_AUDIENCE: "any",
    EVENT_RETENTION_DAYS: "30",
  });
  app = await openApp(config, pino({ level: process.env.TEST_LOG_LEVEL ?? "silent" }), "own");
});

afterAll(async () => {
  await app?.close();
  await db.database.knex.raw(`drop owned by ${role}`);
  await db.drop();
  await onServer(`drop role ${role}`);
  await rm(dataDir, { recursive: true, force: true });
});

test("the service runs with no more than the grants in the README", { timeout: 60_000 }, async () => {
  await append(db.database.knex, 3, { daysAgo: 40 });
  seal(app);
  const sealed = async () => (await db.database.knex("credential_event_head").first("position")).position;
  await expect.poll(sealed, { timeout: 10_000 }).toBe(3);
  await expect.poll(async () => (await app.readiness.look()).status).toBe("ready");
  work(app);
  const issuing = {
    configurationId: 1,
    username: "ana",
    skipEligibilityCheck: true,
    issuedBy: { kind: "user", name: "registrar" } as const,
  };
  await issueCredential({ ...app, settings: app.config }, issuing, signal);
  const types = async () =>
    (await db.database.knex("credential_events").orderBy("position")).map(({ type }) => type);
  await expect.poll(types, { timeout: 30_000 }).toEqual(["issued", "available", "emailed"]);
  expect(await verifyEventChain(app.database, signal)).toEqual({
    events: 3,
    removedUpTo: 3,
    broken: undefined,
  });
});

test.each([
  "insert into credential_events select * from credential_events",
  "update credential_events set actor_id = 1",
  "delete from credential_events",
  "truncate credential_events",
  "update unsealed_credential_events set actor_id = 1",
  "delete from unsealed_credential_events",
  "update credential_event_head set position = position + 1",
  "insert into credential_event_anchors (position, hash) values (1, '')",
  "delete from credential_event_actors",
  "insert into audit_entries (entered_at) values (now())",
  "update audit_entries set entered_at = now()",
  "delete from audit_entries",
  "insert into audit_outcomes (entry_id, code) values (1, 'Ok')",
  "update audit_names set name = 'somebody.else'",
  "alter table credential_events disable trigger all",
])("and can't %s", async (sql) => {
  await expect(app.database.knex.raw(sql)).rejects.toThrow(/^.* - (permission denied for|must be owner of) /);
});

async function onServer(sql: string): Promise<void> {
  const url = new URL(db.url);
  url.pathname = "/postgres";
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
