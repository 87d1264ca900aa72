import { expect } from "vitest";
import type { App } from "#app/app.js";
import { createMakeDocumentBadge } from "#domain/credentials/badges/make-badge.js";
import { readTsaAnchors } from "#domain/keys/seals.js";
import { diagnose } from "#runtime/doctor/diagnose.js";
import type { EventMark } from "#runtime/doctor/doctor-deps.js";
import type { Finding } from "#runtime/doctor/finding.js";
import { createRepair } from "#runtime/doctor/repair.js";
import type { TestService } from "./service.js";

/** Returns the findings of `doctor` on a test service. */
export async function findingsOn(
  { database, files, config, signingKeys, checkEmail }: App,
  {
    withHashes = true,
    now = new Date(),
    expected = [] as EventMark[],
    eventRetentionDays = config.eventRetentionDays,
    anchorsFile = undefined as string | undefined,
  } = {},
): Promise<Finding[]> {
  const timestampAnchors = await readTsaAnchors(anchorsFile);
  const parts = {
    database,
    files,
    signingKeys,
    outputDir: config.outputDir,
    eventRetentionDays,
    timestampAnchors,
    checkEmail,
  };
  const stats = { credentialFiles: 0, storedFiles: 0, assets: 0 };
  const findings: Finding[] = [];
  const { signal } = new AbortController();
  for await (const finding of diagnose(parts, { withHashes, stats, now, expected }, signal))
    findings.push(finding);
  return findings;
}

/** Expects that database, store and queue are consistent after the tests. */
export async function expectHealthy({ app }: { app: App }): Promise<void> {
  expect(await findingsOn(app)).toEqual([]);
}

/** Checks a service's health, then stops the service. For tests that cause no damage on purpose. */
export async function stopHealthy(service: TestService): Promise<void> {
  try {
    await expectHealthy(service);
  } finally {
    await service.stop();
  }
}

/** Returns a function that repairs as `doctor --repair` does. */
export function repairOf(app: App) {
  const publicUrl = app.publicUrl;
  const makeDocumentBadge = createMakeDocumentBadge({ ...app, publicUrl });
  return createRepair({ ...app, outputDir: app.config.outputDir, publicUrl, makeDocumentBadge });
}
