import { setTimeout as sleep } from "node:timers/promises";
import type { Credential } from "#domain/credentials/credential.js";
import { getCredential } from "#domain/credentials/get-credential.js";
import { invalidateCredential } from "#domain/credentials/invalidation/invalidate-credentials.js";
import type { Database } from "#infrastructure/db/database.js";
import { SAMPLE_DATA } from "#infrastructure/identity/actors.js";
import { sampleCredentials } from "./credentials.js";

const PAUSE_MS = 100;

/**
 * Waits until the sample credential that demonstrates invalidation is available, and invalidates it. Does nothing if it
 * is already invalidated or has failed.
 * @returns the credential in its new state
 */
export async function invalidateMisprint(
  database: Database,
  uuid: string,
  signal: AbortSignal,
): Promise<Credential> {
  for (;;) {
    const credential = await getCredential(database.knex, uuid);
    if (credential.status === "available") {
      return invalidateCredential(database, { uuid, reason: reason(), invalidatedBy: SAMPLE_DATA }, signal);
    }
    if (credential.status !== "generating") return credential;
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

function reason(): string {
  const misprinted = sampleCredentials.find(({ invalidationReason }) => invalidationReason !== undefined);
  return misprinted?.invalidationReason ?? "";
}
