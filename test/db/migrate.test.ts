import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { migrateDown, migrateUp, migrationStatus } from "#infrastructure/db/migrate.js";
import { openDatabase } from "#infrastructure/db/open-database.js";
import { BUILT_MAIN } from "../support/built-main.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";
import { SETTINGS } from "../support/service.js";

/** The migration files. Read from the directory, so that a file that isn't listed is noticed. */
const ALL = readdirSync(new URL("../../src/infrastructure/db/migrations/", import.meta.url))
  .filter((name) => name.endsWith(".ts"))
  .map((name) => name.slice(0, -".ts".length))
  .sort();

let db: TestDatabase;
const create = async () => {
  db = await createTestDatabase();
};
const drop = () => db.drop();

async function toNothing(): Promise<string[]> {
  const reverted: string[] = [];
  for (;;) {
    const name = await migrateDown(db.database);
    if (name === undefined) return reverted;
    reverted.push(name);
  }
}

/** Describes the columns, constraints and indexes of all tables except Knex's own. */
async function schema(): Promise<string[]> {
  const { rows } = await db.database.knex.raw(`
    with relation as (
      select oid, oid::regclass::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname not like 'knex%'
    )
    select what from (
      select format('%s.%s %s %s', relation.name, attname, format_type(atttypid, atttypmod), attnotnull)
      from pg_attribute join relation on attrelid = relation.oid where attnum > 0 and not attisdropped
      union all select format('%s %s', relation.name, pg_get_constraintdef(pg_constraint.oid))
      from pg_constraint join relation on conrelid = relation.oid
      union all select pg_get_indexdef(indexrelid) from pg_index join relation on indrelid = relation.oid
    ) as it (what) order by what`);
  return rows.map(({ what }: { what: string }) => what);
}

/** Returns the definitions of all functions, except those of the queue. */
async function functions(): Promise<string[]> {
  const { rows } = await db.database.knex.raw(`
    select case prokind when 'a' then oid::regprocedure::text else pg_get_functiondef(oid) end as definition
    from pg_proc where pronamespace = 'public'::regnamespace order by oid::regprocedure::text`);
  return rows.map(({ definition }: { definition: string }) => definition);
}

describe("migrating", () => {
  beforeEach(create);
  afterEach(drop);

  it("goes down to an empty schema step by step, and up again to the same schema", async () => {
    const before = await schema();
    expect(before.length).toBeGreaterThan(50);
    expect(await migrationStatus(db.database)).toEqual({ applied: ALL, pending: [] });
    const made = await functions();
    expect(made.length).toBeGreaterThan(20);
    expect(await toNothing()).toEqual([...ALL].reverse());
    expect(await schema()).toEqual([]);
    expect(await functions()).toEqual([]);
    expect(await migrationStatus(db.database)).toEqual({ applied: [], pending: ALL });
    expect(await migrateUp(db.database)).toEqual(ALL);
    expect(await schema()).toEqual(before);
    expect(await functions()).toEqual(made);
    expect(await migrateUp(db.database)).toEqual([]);
  });

  it("reports on a database that was never migrated, without touching it", async () => {
    await toNothing();
    await db.database.knex.raw("drop table knex_migrations, knex_migrations_lock");
    expect(await migrationStatus(db.database)).toEqual({ applied: [], pending: ALL });
    const { rows } = await db.database.knex.raw("select to_regclass('knex_migrations') as made");
    expect(rows).toEqual([{ made: null }]);
  });

  it("happens once when several processes start at the same time", async () => {
    await toNothing();
    await db.database.knex.raw("drop table knex_migrations, knex_migrations_lock");
    const others = Array.from({ length: 4 }, () => openDatabase(db.url));
    const [here, there] = await Promise.all([
      Promise.all(others.map((database) => migrateUp(database))),
      Promise.all([migrateInAProcess(), migrateInAProcess()]),
    ]);
    await Promise.all(others.map((other) => other.close()));
    const applied = [...here.flat(), ...there.flat().filter((name) => ALL.includes(name))];
    expect(applied.sort()).toEqual(ALL);
    expect(await migrationStatus(db.database)).toEqual({ applied: ALL, pending: [] });
  });

  it("reports what was applied without changes, also while another process releases the lock", async () => {
    const { knex } = db.database;
    await knex("knex_migrations_lock").del();
    expect(await migrationStatus(db.database)).toEqual({ applied: ALL, pending: [] });
    expect(await knex("knex_migrations_lock")).toEqual([]);
    await knex("knex_migrations_lock").insert({ is_locked: 0 });
  });

  it("does not wait when nothing is pending", async () => {
    await db.database.knex.transaction(async (other) => {
      await other.raw("lock table knex_migrations_lock");
      expect(await migrateUp(db.database)).toEqual([]);
    });
  });

  it("says that it has created the functions again if nothing else is pending", async () => {
    await db.database.knex("database_functions").delete();
    const created = { code: 0, said: "created the SQL functions of this version\n", complained: "" };
    expect(await runMigrate("up")).toEqual(created);
    expect(await runMigrate("up")).toEqual({ ...created, said: "nothing is pending\n" });
  });

  it("overcomes the lock of a process that was killed while migrating", async () => {
    await migrateDown(db.database);
    await db.database.knex("knex_migrations_lock").update({ is_locked: 1 });
    expect(await migrateUp(db.database)).toEqual(ALL.slice(-1));
    await db.database.knex("knex_migrations_lock").update({ is_locked: 1 });
    expect(await migrateDown(db.database)).toBe(ALL.at(-1));
  });

  it("ignores migrations that a newer version has added", async () => {
    await db.database
      .knex("knex_migrations")
      .insert({ name: "999-from-the-future", batch: 9, migration_time: new Date() });
    expect(await migrateUp(db.database)).toEqual([]);
  });

  it("refuses to delete data from the command line without the option for it", async () => {
    const { knex } = db.database;
    await knex("learners").insert({
      username: "ana",
      email: "",
      full_name: "",
      is_active: true,
      locale: "",
      is_deleted: false,
      observed_at: new Date(),
    });
    for (const name of ALL.slice(1).reverse()) {
      expect(await migrateDown(db.database)).toBe(name);
    }
    const refused = await runMigrate("down");
    expect(refused).toMatchObject({ code: 1, said: "" });
    expect(refused.complained).toMatch(
      /^Reverting 001-schema deletes .*\blearners \(1 row\).*\. Nothing was changed\. .*`migrate down --delete-data 001-schema`\.\n$/,
    );
    const other = await runMigrate("down", "--delete-data", "002-something");
    expect(other).toMatchObject({
      code: 1,
      complained: expect.stringContaining("the last migration is 001-schema"),
    });
    expect(await knex("learners").select("username")).toEqual([{ username: "ana" }]);
    const deleted = await runMigrate("down", "--delete-data", "001-schema");
    expect(deleted).toEqual({ code: 0, said: "reverted 001-schema\n", complained: "" });
  });

  it("names the columns whose data it would delete", async () => {
    const { knex } = db.database;
    await knex("courses").insert({
      course_key: "course-v1:A+B+C",
      display_name: "",
      assignment_types: [],
      weights: [],
      is_deleted: false,
      observed_at: new Date(),
    });
    const later = ALL.slice(2).reverse();
    for (const _ of later) await migrateDown(db.database);
    const { complained } = await runMigrate("down");
    expect(complained).toContain(
      "Reverting 002-platform-verdicts deletes letter_grades of courses (1 row). Nothing",
    );
  });

  it("refuses a database created by a version before the first release", async () => {
    const { knex } = db.database;
    await knex("knex_migrations").whereNot({ name: "001-schema" }).delete();
    await knex.raw("update knex_migrations set name = '001-learner-records' where name = '001-schema'");
    await knex("knex_migrations").insert({ name: "002-configurations", batch: 1 });
    await knex.raw("drop table database_functions");
    for (const step of ["up", "down"]) {
      const refused = await runMigrate(step);
      expect(refused).toEqual({
        code: 1,
        said: "",
        complained: expect.stringMatching(
          /before the first release \(.* 001-learner-records\).* DATABASE_URL to an empty database/,
        ),
      });
    }
    await expect(migrateUp(db.database)).rejects.toMatchObject({ kind: "failed-precondition" });
    expect((await migrationStatus(db.database)).applied).toEqual([
      "001-learner-records",
      "002-configurations",
    ]);
  });
});

/**
 * Runs the command like an operator.
 * @returns the names of the migrations that it reports as applied
 */
async function migrateInAProcess(): Promise<string[]> {
  const { code, said, complained } = await runMigrate("up");
  expect([code, said, complained]).toEqual([
    0,
    expect.stringMatching(/applied|created|nothing is pending/),
    "",
  ]);
  return said.split("\n").map((line) => line.replace("applied ", ""));
}

async function runMigrate(
  step: string,
  ...options: readonly string[]
): Promise<{ code: unknown; said: string; complained: string }> {
  const child = spawn(
    process.execPath,
    [BUILT_MAIN, "migrate", step, ...options, ...(step === "down" ? ["--yes"] : [])],
    {
      env: {
        ...process.env,
        ...SETTINGS,
        DATABASE_URL: db.url,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let said = "";
  let complained = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  child.stderr.on("data", (chunk) => {
    complained += chunk;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  return { code, said, complained };
}

describe("the database constraints", () => {
  const uuid = "00000000-0000-4000-8000-000000000000";
  const rows: Record<string, Record<string, unknown>> = {
    learners: { username: "u", email: "", full_name: "", is_active: true, locale: "" },
    courses: { course_key: "c", display_name: "C", assignment_types: ["exam"], weights: [1] },
    learning_paths: { path_key: "p", display_name: "P", invite_only: true, step_course_keys: ["c"] },
    enrollments: { learning_context_key: "c", username: "u", is_active: true },
    subsection_grades: {
      course_key: "c",
      username: "u",
      usage_key: "1",
      assignment_type: "exam",
      earned: 1,
      possible: 1,
    },
    completions: { course_key: "c", username: "u", percent: 0.5 },
    course_grades: { course_key: "c", username: "u", percent: 0.5, passed: true },
    credential_types: { name: "T", retrieval_func: "r", generation_func: "g", custom_options: "{}" },
    credential_configurations: { learning_context_key: "c", credential_type_id: 1, custom_options: "{}" },
    credentials: {
      username: "u",
      configuration_id: 1,
      status: "generating",
      issued_by: "staff",
      user_full_name: "U",
      learning_context_key: "c",
      learning_context_name: "C",
      credential_type: "T",
      generation_func: "g",
      options: "{}",
      assets: "{}",
      print_settings: "{}",
      created_at: "2026-01-01T00:00:00Z",
      verify_uuid: uuid,
    },
  };
  const facts = [
    "learners",
    "courses",
    "learning_paths",
    "enrollments",
    "subsection_grades",
    "completions",
    "course_grades",
  ];

  async function insert(table: string, changes: Record<string, unknown> = {}): Promise<void> {
    const reported = facts.includes(table) ? { observed_at: "2026-01-01T00:00:00Z", is_deleted: false } : {};
    await db.database.knex(table).insert({ ...rows[table], ...reported, ...changes });
  }

  async function createWithRows(): Promise<void> {
    await create();
    for (const name of Object.keys(rows)) await insert(name);
  }

  const file = { file_key: "f", file_sha256: Buffer.alloc(32), file_size: 1 };
  const other = { verify_uuid: "00000000-0000-4000-8000-000000000001" };
  const long = "x".repeat(256);
  const erasure = {
    username: "v",
    status: "available",
    user_full_name: "",
    erased_at: "2026-01-01T00:00:00Z",
  };
  const invalidation = {
    status: "invalidated",
    invalidation_reason: "x",
    invalidated_at: "2026-01-01T00:00:00Z",
    invalidated_by: "registrar",
  };

  describe("refuse", () => {
    beforeAll(createWithRows);
    afterAll(drop);

    const lone = { ...other, username: "v" };
    const made = { ...lone, status: "available", ...file };
    it.each<[table: string, reason: string, changes: Record<string, unknown>, code?: string]>([
      ["learners", "the same username", {}, "23505"],
      ["learners", "no username", { username: "" }],
      ["learners", "a long username", { username: long }],
      ["learners", "a long name", { username: "v", full_name: long }],
      ["courses", "a weight below 0", { course_key: "d", weights: [-0.1] }],
      ["courses", "a weight above 1", { course_key: "d", weights: [1.1] }],
      ["courses", "a weight that is no number", { course_key: "d", weights: ["NaN"] }],
      ["courses", "a weight missing", { course_key: "d", weights: [] }],
      ["courses", "a weight of null", { course_key: "d", weights: [null] }],
      ["courses", "an assignment type of null", { course_key: "d", assignment_types: [null] }],
      ["learning_paths", "a step of null", { path_key: "q", step_course_keys: [null] }],
      ["enrollments", "the same learner and context", {}, "23505"],
      ["subsection_grades", "the same subsection", {}, "23505"],
      ["subsection_grades", "less than nothing earned", { usage_key: "2", earned: -0.001 }],
      ["subsection_grades", "NaN earned", { usage_key: "2", earned: "NaN" }],
      ["subsection_grades", "too much earned", { usage_key: "2", earned: 1_000_000_001 }],
      ["subsection_grades", "infinitely much earned", { usage_key: "2", earned: "Infinity" }],
      ["subsection_grades", "less than nothing possible", { usage_key: "2", possible: -1 }],
      ["subsection_grades", "NaN possible", { usage_key: "2", possible: "NaN" }],
      ["completions", "more than all", { username: "v", percent: 1.0000001 }],
      ["completions", "less than nothing", { username: "v", percent: -0.0000001 }],
      ["course_grades", "more than all", { username: "v", percent: 1.0000001 }],
      ["courses", "a letter grade of null", { course_key: "d", letter_grades: ["A", null] }],
      ["course_grades", "a long letter grade", { username: "v", letter: "x".repeat(65) }],
      ["course_grades", "NaN", { username: "v", percent: "NaN" }],
      ["completions", "NaN", { username: "v", percent: "NaN" }],
      ["credential_types", "the same name", {}, "23505"],
      ["credential_types", "no name", { name: "" }],
      ["credential_types", "options that are no object", { name: "S", custom_options: "[]" }],
      ["credential_configurations", "the same context and type", {}, "23505"],
      ["credential_configurations", "an unknown type", { credential_type_id: 9 }, "23503"],
      [
        "credential_configurations",
        "options that are no object",
        { learning_context_key: "d", custom_options: "1" },
      ],
      ["credentials", "the same verify_uuid", { username: "v" }, "23505"],
      ["credentials", "a second one in force", { ...other }, "23505"],
      [
        "credentials",
        "a second one in force, failed",
        { ...other, status: "error", error_reason: "x" },
        "23505",
      ],
      ["credentials", "an unknown configuration", { ...lone, configuration_id: 9 }, "23503"],
      ["credentials", "an unknown status", { ...lone, status: "lost" }],
      ["credentials", "available without a file", { ...lone, status: "available" }],
      ["credentials", "generating with a file", { ...lone, ...file }],
      ["credentials", "a file without its hash", { ...made, file_sha256: null }],
      ["credentials", "a hash of another length", { ...made, file_sha256: Buffer.alloc(20) }],
      ["credentials", "an empty file", { ...made, file_size: 0 }],
      ["credentials", "failed without a reason", { ...lone, status: "error" }],
      ["credentials", "a reason though not failed", { ...lone, error_reason: "x" }],
      ["credentials", "invalidated without a reason", { ...lone, ...invalidation, invalidation_reason: "" }],
      ["credentials", "a reason though not invalidated", { ...lone, invalidation_reason: "x" }],
      ["credentials", "a long reason", { ...lone, ...invalidation, invalidation_reason: long }],
      ["credentials", "invalidated without a time", { ...lone, ...invalidation, invalidated_at: null }],
      ["credentials", "invalidated without an actor", { ...lone, ...invalidation, invalidated_by: null }],
      [
        "credentials",
        "a moment of invalidation though not invalidated",
        { ...lone, invalidated_at: "2026-01-01T00:00:00Z" },
      ],
      ["credentials", "one moved away though not invalidated", { ...made, invalidated_file_key: "k" }],
      ["credentials", "one in the place of nothing", { ...lone, replaces: other.verify_uuid }, "23503"],
      [
        "credentials",
        "one in its own place",
        { ...lone, uuid: other.verify_uuid, replaces: other.verify_uuid },
      ],
      ["credentials", "a blank name", { ...lone, user_full_name: " \t\n" }],
      ["credentials", "an empty name though not erased", { ...lone, user_full_name: "" }],
      ["credentials", "erased with a name", { ...other, ...erasure, user_full_name: "U" }],
      ["credentials", "erased with a file", { ...other, ...erasure, ...file }],
      ["credentials", "erased with a legacy id", { ...other, ...erasure, legacy_id: "17" }],
      [
        "credentials",
        "erased and generating",
        { ...other, ...erasure, status: "generating", error_reason: "" },
      ],
      ["credentials", "a fraction of a second", { ...lone, created_at: "2026-01-01T00:00:00.5Z" }],
    ])("in %s: %s", async (table, _, changes, code = "23514") => {
      await expect(insert(table, changes)).rejects.toMatchObject({ code });
    });

    it("the deletion of a type in use, and of a configuration with credentials", async () => {
      const { knex } = db.database;
      const code = expect.stringMatching(/^(23001|23503)$/); // 23001 since PostgreSQL 18
      await expect(knex("credential_types").delete()).rejects.toMatchObject({ code });
      await expect(knex("credential_configurations").delete()).rejects.toMatchObject({ code });
    });
  });

  describe("accept", () => {
    beforeEach(createWithRows);
    afterEach(drop);

    it("a new credential beside an invalidated one, and extra credit", async () => {
      const [invalidated] = await db.database.knex("credentials").update(invalidation).returning("uuid");
      const successor = { ...other, replaces: invalidated.uuid };
      await insert("credentials", successor);
      const second = { ...successor, username: "v", verify_uuid: randomUUID() };
      await expect(insert("credentials", second)).rejects.toMatchObject({ code: "23505" });
      await insert("subsection_grades", { usage_key: "2", earned: 11, possible: 10 });
    });
  });
});
