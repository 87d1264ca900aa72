import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openDatabase } from "#infrastructure/db/database.js";
import { startEmbeddedPostgres } from "#infrastructure/db/embedded/postgres.js";
import { migrateUp } from "#infrastructure/db/migrate.js";
import { startInstalledPostgres } from "./installed-postgres.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The server of this run. Its database `template1` is migrated, and so is every new database. */
    postgresUrl: string;
  }
}

/** Settings for speed, and for many tests at once. All others are PostgreSQL's own, as `jit` is. */
const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300" };

/**
 * Starts one real Postgres for the whole run; each test file makes databases of its own in it. It is the embedded one, or
 * with TEST_POSTGRES=installed that of the operating system.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "learning-credentials-test-"));
  const installed =
    process.env.TEST_POSTGRES === "installed" ? await startInstalledPostgres({ settings }) : undefined;
  const postgres = installed ?? (await startEmbeddedPostgres({ dataDir, settings }));
  const template = openDatabase(databaseUrl(postgres.url, "template1"));
  await migrateUp(template);
  await template.close();
  project.provide("postgresUrl", postgres.url);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
