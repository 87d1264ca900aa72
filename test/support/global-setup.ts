import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "#infrastructure/db/embedded/postgres.js";
import { migrateUp } from "#infrastructure/db/migrate.js";
import { openDatabase } from "#infrastructure/db/open-database.js";
import { startInstalledPostgres } from "./installed-postgres.js";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the server of this run. The server's database `template1` is migrated, and so is every new database. */
    postgresUrl: string;
  }
}

/**
 * Settings for speed, and for many simultaneous tests. All other settings, such as `jit`, have PostgreSQL's defaults.
 */
const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300" };

/**
 * Starts one Postgres for the whole run. Each test file creates its own databases in it. The server is the embedded
 * Postgres or, with TEST_POSTGRES=installed, that of the operating system.
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
