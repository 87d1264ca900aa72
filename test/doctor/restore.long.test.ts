import { createHash, randomBytes, randomUUID } from "node:crypto";
import { cp } from "node:fs/promises";
import { Client } from "minio";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { startS3rver } from "../files/s3/endpoints.js";
import { openAcademy } from "../support/academy.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";
import { newDirectory } from "../support/directory.js";
import { findingsOn, repairOf } from "../support/health.js";
import { startInstalledPostgres } from "../support/installed-postgres.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";

/** A time at which everything stored so far is old. */
const later = () => new Date(Date.now() + 2 * 3_600_000);

async function openDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return database;
}

async function openDirectory(): Promise<string> {
  const path = newDirectory("restore");
  return path;
}

/** A database server, and how to back up its databases. */
interface Server {
  /**
   * Creates a database.
   * @returns its URL
   */
  create(): Promise<string>;
  /**
   * Copies the current state of a database without connections.
   * @returns the URL of the copy
   */
  copy(url: string): Promise<string>;
}

/** The Postgres of all tests, which has no pg_dump. */
const testServer: Server = {
  create: async () => (await openDatabase()).url,
  async copy(url) {
    const { knex } = (await openDatabase()).database;
    const name = new URL(url).pathname.slice(1);
    const copy = `${name}_${randomBytes(4).toString("hex")}`;
    await knex.raw(`create database ${copy} template ${name}`);
    onTestFinished(() => knex.raw(`drop database ${copy} with (force)`));
    return url.replace(name, copy);
  },
};

const installed = await startInstalledPostgres();
afterAll(() => installed?.stop());
const server: Server = installed ?? testServer;

async function staffOf(service: TestService) {
  return service.client(CredentialService, await tokenOf({ username: "registrar", isStaff: true }));
}

const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 40_000, interval: 50 });

async function issue(service: TestService, configurationId: number, username: string): Promise<string> {
  const credentials = await staffOf(service);
  const { uuid } = await credentials.issueCredential({ configurationId, username });
  await until(async () => {
    const { status } = await credentials.getCredential({ uuid });
    expect(status).toBe(CredentialStatus.AVAILABLE);
  });
  return uuid;
}

/** Returns a hash of the downloaded document. */
async function downloaded(service: TestService, uuid: string): Promise<string> {
  const { url } = await (await staffOf(service)).getDownloadUrl({ uuid });
  const response = await fetch(url.replace("https://credentials.test", service.httpUrl));
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  return createHash("sha256").update(bytes).digest("hex");
}

/** A file store, and how to back up its files. */
interface Store {
  readonly settings: Record<string, string>;
  /**
   * Copies the current state of all files.
   * @returns the settings of a service that uses the copy
   */
  save(): Promise<Record<string, string>>;
}

async function openFolder(): Promise<Store> {
  const settings = { DATA_DIR: await openDirectory() };
  return {
    settings,
    async save() {
      const saved = await openDirectory();
      await cp(settings.DATA_DIR, saved, { recursive: true });
      return { DATA_DIR: saved };
    },
  };
}

async function openBucket(): Promise<Store> {
  const s3 = await startS3rver();
  onTestFinished(() => s3.stop());
  const { hostname, port } = new URL(s3.endpoint);
  const client = new Client({ endPoint: hostname, port: Number(port), useSSL: false, ...s3 });
  const bucket = "original";
  const settings = { ...s3.settings, S3_BUCKET: bucket };
  return {
    settings,
    async save() {
      const saved = `saved-${randomUUID()}`;
      await client.makeBucket(saved);
      for await (const { name } of client.listObjectsV2(bucket, "", true)) {
        await client.copyObject(saved, name, `/${bucket}/${name}`);
      }
      return { ...settings, S3_BUCKET: saved };
    },
  };
}

const stores = [
  ["a directory", openFolder],
  ["a bucket", openBucket],
] as const;

describe.each(stores)("with files in %s", (_, openStore) => {
  test.each([
    ["before", "after", ["missing-file", "orphaned-file", "stray-file"]],
    ["after", "before", ["missing-file", "missing-kept-file", "still-public"]],
  ] as const)(
    "a database saved %s and files saved %s something happened are put right by doctor, and documents are as they were",
    async (databaseFrom, filesFrom, kinds) => {
      const original = await server.create();
      const store = await openStore();
      const settings = { DATABASE_URL: original, ...store.settings };
      /** Backs up in the order that the documentation requires. */
      const save = async () => ({ database: await server.copy(original), files: await store.save() });

      const { service: first, configurationId, ...academy } = await openAcademy({ worker: true, settings });
      await academy.enrol("kept", "withdrawn", "late");
      const stored = await issue(first, configurationId, "kept");
      const withdrawn = await issue(first, configurationId, "withdrawn");
      const documents: Record<string, string> = {};
      for (const uuid of [stored, withdrawn]) documents[uuid] = await downloaded(first, uuid);
      await first.stop();
      const before = await save();

      const second = await startTestService({ worker: true, settings });
      const late = await issue(second, configurationId, "late");
      documents[late] = await downloaded(second, late);
      await (await staffOf(second)).invalidateCredential({ uuid: withdrawn, reason: "Issued in error." });
      await until(async () => {
        const { rows } = await second.app.database.knex.raw("select from jobs");
        expect(rows).toEqual([]);
      });
      await second.stop();
      const saved = { before, after: await save() };

      const restored = { DATABASE_URL: saved[databaseFrom].database, ...saved[filesFrom].files };
      const third = await startTestService({ worker: true, settings: restored });
      onTestFinished(() => third.stop());
      const { app } = third;
      const findings = await findingsOn(app, { now: later() });
      expect(findings.map(({ kind }) => kind).sort()).toEqual(kinds);
      const repair = repairOf(app);
      for (const finding of findings) expect(await repair(finding)).toBe("repaired");
      expect(await findingsOn(app, { now: later() })).toEqual([]);
      for (const uuid of databaseFrom === "before" ? [stored, withdrawn] : [stored, late]) {
        expect(await downloaded(third, uuid)).toBe(documents[uuid]);
      }
      if (databaseFrom === "before") await issue(third, configurationId, "late");
    },
  );
});
