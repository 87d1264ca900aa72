import { expect, test } from "vitest";
import { describeFailure } from "#app/commands/failure.js";
import { migrateDown, migrateUp, migrationStatus } from "#infrastructure/db/migrate.js";
import { createTestDatabase } from "../support/database.js";
import { lockTables } from "./lock.js";

test("a migration that can't lock its table fails with the reason, and is repeated later", async () => {
  const { url, database, drop } = await createTestDatabase();
  const { applied } = await migrationStatus(database);
  for (const _ of applied.slice(1)) await migrateDown(database);
  const lock = await lockTables(url, "credentials");
  const started = performance.now();
  const failure = await migrateDown(database).catch((error) => error);
  expect(performance.now() - started).toBeGreaterThan(9_000);
  const { text } = describeFailure(failure, url);
  expect(text).toContain(
    "Migration 001-schema waited 10 seconds for a table that other transactions have locked, and changed nothing",
  );
  expect(text).toContain("lock timeout");
  await lock.release();

  expect((await migrationStatus(database)).applied).toEqual(applied.slice(0, 1));
  expect(await migrateDown(database)).toBe("001-schema");
  expect(await migrateUp(database)).toEqual(applied);
  expect((await migrationStatus(database)).applied).toEqual(applied);
  await drop();
});
