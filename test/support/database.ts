import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import type { Database } from "#infrastructure/db/database.js";
import { openDatabase } from "#infrastructure/db/open-database.js";
import { given, givenEach } from "./given.js";

/** A migrated database for a single test file. */
export interface TestDatabase {
  readonly url: string;
  readonly database: Database;
  drop(): Promise<void>;
}

/**
 * Creates a database on the Postgres of this run. Drop it in `afterAll`. The strategy `file_copy` takes half as long as
 * the default strategy.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject("postgresUrl");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await onServer(serverUrl, `create database ${name} strategy file_copy`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const database = openDatabase(url.href);
  return {
    url: url.href,
    database,
    async drop() {
      await database.close();
      await onServer(serverUrl, `drop database ${name} with (force)`);
    },
  };
}

/** Provides a database for the tests of this file or of a `describe`. */
export const givenDatabase = () => given(createTestDatabase, (db) => db.drop());

/** Provides a separate database for each test. */
export const givenEachDatabase = () => givenEach(createTestDatabase, (db) => db.drop());

/**
 * Runs a statement on the server. Only one runs at a time, because `create database` copies `template1`, and fails
 * while another copy is in progress.
 */
async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(1)");
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Runs a statement on a separate connection. */
export async function rowsOf<Row = unknown>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}
