import { expect, test } from "vitest";
import { describeFailure } from "../../src/commands/failure.js";
import { migrateDown, migrateUp, migrationStatus } from "../../src/db/migrate.js";
import { createTestDatabase } from "../support/database.js";
import { lockTables } from "./lock.js";

test("a migration that can't lock its table fails with the reason, and is applied at the next start", async () => {
  const { url, database, drop } = await createTestDatabase();
  const { applied } = await migrationStatus(database);
  await toBefore("005-assets");
  const lock = await lockTables(url, "credentials");
  const started = performance.now();
  const failure = await migrateUp(database).catch((error) => error);
  expect(performance.now() - started).toBeGreaterThan(9_000);
  const { text } = describeFailure(failure, url);
  expect(text).toMatch(
    /Migration 00\d-[\w-]+ has waited 10 seconds for a table that others use, and changed/,
  );
  expect(text).toContain("lock timeout");
  await lock.release();

  const { pending } = await migrationStatus(database);
  expect(pending.length).toBeGreaterThan(0);
  expect(await migrateUp(database)).toEqual(pending);
  expect((await migrationStatus(database)).applied).toEqual(applied);
  await drop();

  async function toBefore(name: string): Promise<void> {
    while ((await migrateDown(database)) !== name);
  }
});
