import { createHash } from "node:crypto";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { CredentialStatus } from "../../gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "../../gen/learning_credentials/v1/credential_service_pb.js";
import { createRepair } from "../../src/doctor/repair.js";
import { openAcademy } from "../credentials/academy.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";
import { findingsOn } from "../support/health.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";

/** When whatever was put so far has been there for long. */
const later = () => new Date(Date.now() + 2 * 3_600_000);

async function openDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return database;
}

async function openDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "learning-credentials-restore-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** The URL of a copy, as of now, of a database that nobody is connected to. */
async function copyOf(original: TestDatabase): Promise<string> {
  const { knex } = (await openDatabase()).database;
  const name = new URL(original.url).pathname.slice(1);
  await knex.raw(`create database ${name}_copy template ${name}`);
  onTestFinished(() => knex.raw(`drop database ${name}_copy with (force)`));
  return original.url.replace(name, `${name}_copy`);
}

async function staffOf(service: TestService) {
  return service.client(CredentialService, await tokenOf({ username: "registrar", isStaff: true }));
}

const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 50 });

async function issue(service: TestService, configurationId: number, username: string): Promise<string> {
  const credentials = await staffOf(service);
  const { uuid } = await credentials.issueCredential({ configurationId, username });
  await until(async () => {
    const { status } = await credentials.getCredential({ uuid });
    expect(status).toBe(CredentialStatus.AVAILABLE);
  });
  return uuid;
}

/** A hash of the document, as it is downloaded. */
async function downloaded(service: TestService, uuid: string): Promise<string> {
  const { url } = await (await staffOf(service)).getDownloadUrl({ uuid });
  const response = await fetch(url.replace("https://credentials.test", service.httpUrl));
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  return createHash("sha256").update(bytes).digest("hex");
}

test("a database restored with files that were saved later is put right by doctor, and its documents are as they were", async () => {
  const original = await openDatabase();
  const saved = { DATABASE_URL: original.url, DATA_DIR: await openDirectory() };

  const {
    service: first,
    configurationId,
    ...academy
  } = await openAcademy({ worker: true, settings: saved });
  await academy.enrol("kept", "withdrawn", "late");
  const kept = await issue(first, configurationId, "kept");
  const withdrawn = await issue(first, configurationId, "withdrawn");
  const documents = [await downloaded(first, kept), await downloaded(first, withdrawn)];
  await first.stop();
  const savedUrl = await copyOf(original);

  // What happens between the saving of the one and of the other.
  const second = await startTestService({ worker: true, settings: saved });
  await issue(second, configurationId, "late");
  await (await staffOf(second)).invalidateCredential({ uuid: withdrawn, reason: "Issued in error." });
  await until(async () => {
    const { rows } = await second.app.database.knex.raw("select from graphile_worker._private_jobs");
    expect(rows).toEqual([]);
  });
  await second.stop();
  const restored = { DATABASE_URL: savedUrl, DATA_DIR: await openDirectory() };
  await cp(saved.DATA_DIR, restored.DATA_DIR, { recursive: true });

  const third = await startTestService({ worker: true, settings: restored });
  onTestFinished(() => third.stop());
  const { app } = third;
  const findings = await findingsOn(app, { now: later() });
  expect(findings.map(({ kind }) => kind).sort()).toEqual(["missing-file", "orphaned-file", "stray-file"]);
  const repair = createRepair({ ...app, outputDir: app.config.outputDir, publicUrl: app.publicUrl.get });
  for (const finding of findings) expect(await repair(finding)).toBe("repaired");
  expect(await findingsOn(app, { now: later() })).toEqual([]);
  expect([await downloaded(third, kept), await downloaded(third, withdrawn)]).toEqual(documents);
  await issue(third, configurationId, "late");
});
