import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { type Database, openDatabase } from "#infrastructure/db/database.js";
import { given, givenEach } from "./given.js";

/** A migrated database for one test file alone. */
export interface TestDatabase {
  readonly url: string;
  readonly database: Database;
  drop(): Promise<void>;
}

/** Creates a database on the Postgres of this run; drop it in `afterAll`. To copy files takes half of the time. */
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

/** A database that is there for the tests of this file, or of a `describe`. */
export const givenDatabase = () => given(createTestDatabase, (db) => db.drop());

/** A database for each test alone. */
export const givenEachDatabase = () => givenEach(createTestDatabase, (db) => db.drop());

/** `create database` copies `template1`, and fails while another copy is in progress. */
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

/** Runs a statement on a connection of its own. */
export async function rowsOf<Row = unknown>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}
