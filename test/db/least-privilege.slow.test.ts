import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type App, openApp } from "#app/app.js";
import { startBackground } from "#app/background.js";
import { work } from "#app/work.js";
import { currentLog, lastCheckpoint } from "#domain/credentials/checkpoints/log-store.js";
import { publishCheckpoint } from "#domain/credentials/checkpoints/publish-checkpoint.js";
import { verifyEventChain } from "#domain/credentials/events/verify-event-chain.js";
import { issueCredential } from "#domain/credentials/issuance/issue-credential.js";
import { newSigningKey } from "#formats/badges/signing-key.js";
import { migrateAndGrant } from "#infrastructure/db/migrate.js";
import { openDatabase } from "#infrastructure/db/open-database.js";
import { readConfig } from "#runtime/settings/config.js";
import { append } from "../credentials/events/chain.js";
import { BUILT_MAIN } from "../support/built-main.js";
import { givenDatabase, rowsOf } from "../support/database.js";
import { givenDirectory } from "../support/directory.js";
import { SETTINGS } from "../support/service.js";

const signal = new AbortController().signal;
const PASSWORD = "the password of the service";
const everythingIsRemoved = { removesEvents: true, removesAudit: true };
const role = `service_${randomBytes(8).toString("hex")}`;

const db = givenDatabase();
let serviceUrl: string;
const dataDir = givenDirectory("role");
let app: App;

/**
 * Runs the command like an operator.
 * @returns its exit code and output
 */
async function migrateUp(settings: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [BUILT_MAIN, "migrate", "up"], {
    env: { PATH: process.env.PATH, EVENT_RETENTION_DAYS: "30", ...settings },
  });
  const said: Buffer[] = [];
  child.stdout.on("data", (chunk) => said.push(chunk));
  child.stderr.on("data", (chunk) => said.push(chunk));
  const [code] = await once(child, "close");
  return { code, said: Buffer.concat(said).toString() };
}

const as = (name: string, password: string) => {
  const url = new URL(db.url);
  url.username = name;
  url.password = password;
  return url.href;
};

/** The role's name is unique to this run, because all databases of a server share their roles. */
beforeAll(async () => {
  serviceUrl = as(role, PASSWORD);
  const { code, said } = await migrateUp({ DATABASE_URL: serviceUrl, DATABASE_OWNER_URL: db.url });
  expect({ code, said }).toEqual({
    code: 0,
    said: `nothing is pending\ngranted ${role} what the service needs\n`,
  });
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
  await writeFile(join(dataDir, "log.pem"), newSigningKey("Ed25519"));
  const config = readConfig({
    DATABASE_URL: serviceUrl,
    DATA_DIR: dataDir,
    ...SETTINGS,
    EVENT_RETENTION_DAYS: "30",
    LOG_KEY_FILE: join(dataDir, "log.pem"),
  });
  app = await openApp(config, pino({ level: process.env.TEST_LOG_LEVEL ?? "silent" }), "own");
});

afterAll(async () => {
  await app?.close();
  await db.database.knex.raw(`drop owned by ${role}`);
  await onServer(`drop role ${role}`);
});

test("the service runs with only the grants that `migrate up` gives", {
  timeout: 60_000,
}, async () => {
  await append(db.database.knex, 3, { daysAgo: 40 });
  startBackground(app, ["sealing"]);
  const sealed = async () => (await db.database.knex("credential_event_head").first("position")).position;
  await expect.poll(sealed).toBe(3);
  await expect.poll(async () => (await app.readiness.check()).status).toBe("ready");
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
  await expect.poll(types, { timeout: 60_000 }).toEqual(["issued", "available", "emailed"]);
  expect(await verifyEventChain(app.database, signal)).toEqual({
    events: 3,
    removedUpTo: 3,
    broken: undefined,
  });
  await expect.poll(sealed, { timeout: 60_000 }).toBe(6);
  const signing = await app.openLogSigning();
  if (!signing) throw new Error("the settings name no key");
  const publishing = { ...app, outputDir: app.config.outputDir, publicUrl: app.publicUrl, signing };
  await publishCheckpoint(publishing, signal, { isDue: () => true });
  // The log contains the removed events only if a worker has begun the log before they were removed.
  const { after = 0 } = (await currentLog(app.database.knex)) ?? {};
  expect(after + ((await lastCheckpoint(app.database.knex, 1))?.size ?? 0)).toBe(6);
});

test.each([
  "insert into credential_events select * from credential_events",
  "update credential_events set actor_id = 1",
  "delete from credential_events",
  "truncate credential_events",
  "select from credential_events_from_1",
  "insert into credential_events_from_1 select * from credential_events",
  "alter table credential_events detach partition credential_events_from_1",
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
  "delete from credentials",
  "insert into unsealed_credential_events (occurred_at) values (now())",
  "update erasure_key set key = ''",
  "insert into knex_migrations (name) values ('x')",
  "create table public.mine ()",
  "create role mine",
  "copy learners to program 'cat'",
])("and it can't %s", async (sql) => {
  await expect(app.database.knex.raw(sql)).rejects.toThrow(
    /^.* - (permission denied (for|to)|must be owner of) /,
  );
});

test("each table has its grants, and functions with their owner's rights can't be called", async () => {
  const { rows } = await db.database.knex.raw(`
    select relname as name, not relispartition and not exists (
        select from aclexplode(relacl) where grantee = '${role}'::regrole
      ) and not exists (
        select from pg_attribute, aclexplode(attacl) where attrelid = relation.oid and grantee = '${role}'::regrole
      ) as "isClosed"
    from pg_class as relation
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    order by 1`);
  const closed = rows.filter(({ isClosed }: { isClosed: boolean }) => isClosed);
  // Add a new table to src/infrastructure/db/service-role.ts, with the privileges that the service needs.
  expect(closed.map(({ name }: { name: string }) => name)).toEqual([]);
  const { rows: callable } = await app.database.knex.raw(`
    select proname as name from pg_proc
    where pronamespace = 'public'::regnamespace and prosecdef and has_function_privilege(oid, 'execute') order by 1`);
  expect(callable.map(({ name }: { name: string }) => name)).toEqual([
    "append_audit_entries",
    "append_audit_outcomes",
    "erase_credential_event_actor",
    "pseudonymise_audit_names",
    "remove_old_audit_entries",
    "remove_old_credential_events",
    "seal_credential_events",
  ]);
});

describe("the command", () => {
  const grants = async () =>
    (
      await db.database.knex.raw(`
        select relname, relacl::text, array(
          select attname || attacl::text from pg_attribute
          where attrelid = relation.oid and attacl is not null order by 1
        ) as columns
        from pg_class as relation where relacl is not null order by 1`)
    ).rows;

  test("gives the same grants when run again, and revokes any others", async () => {
    const before = await grants();
    await db.database.knex.raw(`grant delete, truncate on credentials, credential_events to ${role}`);
    await db.database.knex.raw(`revoke insert on learners from ${role}`);
    await db.database.knex.raw(`grant update (occurred_at) on unsealed_credential_events to ${role}`);
    expect(await migrateAndGrant(app.database, { ownerUrl: db.url, ...everythingIsRemoved })).toEqual({
      applied: [],
      createdFunctions: false,
      roles: [role],
    });
    expect(await grants()).toEqual(before);
  });

  test("knows the service roles when run with only the owner's URL", async () => {
    const before = await grants();
    await db.database.knex.raw(`revoke insert on learners from ${role}`);
    await migrateAndGrant(db.database, { ...everythingIsRemoved });
    expect(await grants()).toEqual(before);
  });

  test("allows nobody to remove events unless a retention is set", async () => {
    await migrateAndGrant(db.database, { removesEvents: false, removesAudit: false });
    const removals = ["remove_old_credential_events", "remove_old_audit_entries"].map(
      (removal) => () => app.database.knex.raw(`select ${removal}(1, 1000)`),
    );
    for (const remove of removals) await expect(remove()).rejects.toThrow(/permission denied for function/);
    await migrateAndGrant(db.database, everythingIsRemoved);
    for (const remove of removals) await remove();
  });

  test("refuses a role with the owner's rights, without revealing secrets", async () => {
    const { code, said } = await migrateUp({ DATABASE_URL: db.url, DATABASE_OWNER_URL: serviceUrl });
    expect(code).toBe(1);
    expect(said).toContain("run `migrate up` with the owner's URL in DATABASE_OWNER_URL");
    const mighty = await migrateUp({
      DATABASE_URL: db.url,
      DATABASE_OWNER_URL: `${db.url}&application_name=x`,
    });
    expect(mighty.code).toBe(1);
    expect(mighty.said).toMatch(/has the owner's rights or more: name another role/);
    for (const text of [said, mighty.said]) {
      expect(text).not.toContain(PASSWORD);
      expect(text).not.toContain(new URL(db.url).password);
    }
  });
});

test("a service whose role lacks a grant reports the remedy", async () => {
  await db.database.knex.raw(`revoke update on credentials from ${role}`);
  const failure = await openApp(app.config, pino({ level: "silent" }), "own").catch((error) => error);
  expect(failure).toMatchObject({
    name: "Problem",
    kind: "failed-precondition",
    message: expect.stringMatching(/run `migrate up` with the owner's URL in DATABASE_OWNER_URL/),
  });
  const config = { ...app.config, databaseOwnerUrl: db.url };
  await (await openApp(config, pino({ level: "silent" }), "own")).close();
  const { rows } = await app.database.knex.raw("select has_table_privilege('credentials', 'update') as may");
  expect(rows).toEqual([{ may: true }]);
});

test("an owner who may not create roles gets the statements for an administrator, and then continues", async () => {
  const [owner, servant] = [
    `owner_${randomBytes(4).toString("hex")}`,
    `servant_${randomBytes(4).toString("hex")}`,
  ];
  const database = `owned_${randomBytes(4).toString("hex")}`;
  await onServer(`create role ${owner} login password 'secret'`);
  await onServer(`create database ${database} owner ${owner} template template0`);
  const urlOf = (user: string) => {
    const url = new URL(db.url);
    return Object.assign(url, { username: user, password: "secret", pathname: `/${database}` }).href;
  };
  const asServant = openDatabase(urlOf(servant));
  const upkeep = { ownerUrl: urlOf(owner), removesEvents: false, removesAudit: false };
  try {
    await expect(migrateAndGrant(asServant, upkeep)).rejects.toMatchObject({
      kind: "failed-precondition",
      message:
        `The role ${servant} does not exist, and ${owner} is not permitted to create it: have an administrator run ` +
        `"create role ${servant} login password '…'", then run this again.`,
    });
    await onServer(`create role ${servant} login password 'secret'`);
    expect((await migrateAndGrant(asServant, upkeep)).roles).toEqual([servant]);
  } finally {
    await asServant.close();
    await onServer(`drop database ${database} with (force)`);
    await onServer(`drop role if exists ${servant}`);
    await onServer(`drop role ${owner}`);
  }
});

async function onServer(sql: string): Promise<void> {
  const url = new URL(db.url);
  url.pathname = "/postgres";
  await rowsOf(url.href, sql);
}
