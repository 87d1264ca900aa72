import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, openApp } from "#app/app.js";
import { attachToEmbeddedPostgres } from "#infrastructure/db/embedded/postgres.js";
import { openDatabase } from "#infrastructure/db/open-database.js";
import { readConfig } from "#runtime/settings/config.js";
import { givenDirectory } from "../../support/directory.js";

const dataDir = givenDirectory("embedded-role");
let app: App;

const open = (embedded: "own" | "attach") =>
  openApp(
    readConfig({ DATA_DIR: dataDir, HTTP_PORT: "0", GRPC_PORT: "0" }),
    pino({ level: "silent" }),
    embedded,
  );

beforeAll(async () => {
  app = await open("own");
});
afterAll(() => app?.close());

test("on embedded defaults the service works as a role that owns nothing", async () => {
  const { rows } = await app.database.knex.raw(`
    select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as "isSuperuser",
      exists (select from pg_class where relowner = role.oid) as "ownsTables"
    from pg_roles as role where rolname = current_user`);
  expect(rows).toEqual([{ isSuperuser: false, ownsTables: false }]);
});

test.each([
  "copy learners to program 'cat'",
  "copy learners from '/etc/passwd'",
  "select pg_read_file('/etc/passwd')",
  "update credential_event_head set position = 0",
  "alter table credential_events disable trigger all",
  "drop table learners",
])("it can't %s", async (sql) => {
  await expect(app.database.knex.raw(sql)).rejects.toThrow(/permission denied|must be owner/);
});

test("a command beside it works with the same role", async () => {
  const beside = await open("attach");
  expect(beside.database.url).toBe(app.database.url);
  await beside.close();
});

test("a database that an earlier version ran as a superuser can be opened, and the role gets its missing grants", async () => {
  const { url } = (await attachToEmbeddedPostgres(dataDir)) ?? expect.unreachable();
  const owner = openDatabase(url);
  await owner.knex.raw("drop owned by learning_credentials_service");
  await owner.knex.raw(
    "insert into learning_paths values ('path-v1:A+B+C+D', 'P', false, '{}', now(), false)",
  );
  await owner.close();
  await app.close();
  app = await open("own");
  expect(await app.database.knex("learning_paths").select("path_key")).toEqual([
    { path_key: "path-v1:A+B+C+D" },
  ]);
});
