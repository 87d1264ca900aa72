import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Knex } from "knex";
import { beforeEach, describe, expect, test } from "vitest";
import { VERSION } from "#foundation/version.js";
import { migrateDown, migrateUp } from "#infrastructure/db/migrate.js";
import { SOURCES } from "../house/imports.js";
import { givenEachDatabase } from "../support/database.js";

const db = givenEachDatabase();
let knex: Knex;
beforeEach(async () => {
  knex = db.database.knex;
});

const CHANGED = "a function of another version";

/** Replaces a function with that of another version of the service. */
const change = () =>
  knex.raw(
    `create or replace function audit_learner_names(asked text[]) returns text[] language sql stable as $$ select array['${CHANGED}'] $$`,
  );

const isChanged = async () =>
  (await knex.raw("select (audit_learner_names('{ana}'))[1] as name")).rows[0].name === CHANGED;

/** Changes the functions and their recorded version, as an upgrade to another version would. */
async function leaveAs(version: string): Promise<void> {
  await change();
  await knex("database_functions").update({ version, sha256: Buffer.alloc(32) });
}

test("each function of the database has a file of its own, and each file is a function", async () => {
  const { rows } = await knex.raw(
    "select distinct proname as name from pg_proc where pronamespace = 'public'::regnamespace order by 1",
  );
  const folder = join(SOURCES, "infrastructure/db/functions");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\/.*\.ts$/.test(path),
  );
  const named = files.flatMap((path) => {
    const text = readFileSync(join(folder, path), "utf8");
    return [...text.matchAll(/create or replace (?:function|aggregate) (\w+)/g)].map(([, name = ""]) => ({
      name,
      path,
    }));
  });
  expect(named.map(({ name }) => name).sort()).toEqual(rows.map(({ name }: { name: string }) => name));
  for (const path of files) {
    const own = path.replace(/^.*\/|\.ts$/g, "").replaceAll("-", "_");
    expect(named).toContainEqual({ name: own, path });
  }
});

describe("a start creates all functions again", () => {
  test.each([
    ["an older version has left", "0.0.9"],
    ["another build of this version has left", VERSION],
    ["a pre-release of this version has left", `${VERSION}-rc.1`],
  ])("that %s, with their grants and pinned schema", async (_, version) => {
    await knex.raw("create role caller_of_functions");
    try {
      await knex.raw("grant execute on function append_audit_entries to caller_of_functions");
      const config = async () =>
        (await knex.raw("select proconfig, proacl::text from pg_proc where proname = 'append_audit_entries'"))
          .rows;
      const before = await config();
      expect(before[0].proconfig).toContain("search_path=public, pg_temp");
      await leaveAs(version);
      expect(await isChanged()).toBe(true);
      expect(await migrateUp(db.database)).toEqual([]);
      expect(await isChanged()).toBe(false);
      expect(await config()).toEqual(before);
    } finally {
      await knex.raw("drop owned by caller_of_functions; drop role caller_of_functions");
    }
  });

  test("after a migration was reverted, whatever their version", async () => {
    await leaveAs("999.0.0");
    const reverted = await migrateDown(db.database);
    expect(await migrateUp(db.database)).toEqual([reverted]);
    expect(await isChanged()).toBe(false);
  });
});

test("the functions of a newer version stay", async () => {
  await leaveAs("999.0.0");
  expect(await migrateUp(db.database)).toEqual([]);
  expect(await isChanged()).toBe(true);
});

test("a start that finds them unchanged doesn't touch them", async () => {
  const versions = async () =>
    (await knex.raw("select oid, xmin from pg_proc where pronamespace = 'public'::regnamespace order by oid"))
      .rows;
  const before = await versions();
  expect(await migrateUp(db.database)).toEqual([]);
  expect(await versions()).toEqual(before);
});

test("calls continue while functions are created again", async () => {
  const calling = await knex.transaction();
  try {
    await calling.raw("select time_ordered_uuid()");
    await calling.raw(
      "lock table credentials, unsealed_credential_events, audit_entries in row exclusive mode",
    );
    await leaveAs("0.0.9");
    expect(await migrateUp(db.database)).toEqual([]);
    expect(await isChanged()).toBe(false);
  } finally {
    await calling.rollback();
  }
});
