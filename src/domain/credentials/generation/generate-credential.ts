import { createHash } from "node:crypto";
import { Problem } from "#foundation/errors.js";
import { type Database, inTransaction, NEVER_ABORTS } from "#infrastructure/db/database.js";
import type { Knex } from "#infrastructure/db/query.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { WORKER } from "#infrastructure/identity/actors.js";
import { outageOf } from "#infrastructure/jobs/outage-of.js";
import type { TaskContext } from "#infrastructure/jobs/tasks.js";
import type { Credential } from "../credential.js";
import { newFileKey } from "../credential-file-key.js";
import { setFailed, setLost } from "../credential-store.js";
import { removeFilesIfErased } from "../erasure/remove-erased.js";
import { appendEvents, type NewEvent } from "../events/append-events.js";
import { markRequiringFailed } from "../reviews.js";
import { createBeginning, createPublishing } from "./recording.js";
import { removeLostFiles } from "./remove-lost-files.js";
import { documentAttributes, type RenderingDeps, renderCredential } from "./render-credential.js";

const FAILED: NewEvent = { type: "failed", actor: WORKER, before: "generating", after: "error" };

export interface GenerationDeps extends RenderingDeps {
  readonly files: FileStore;
  /** Directory for the files in the store. */
  readonly outputDir: string;
}

/** @throws errors that a retry may solve */
type GenerateCredential = (
  credentialId: number,
  run: Pick<TaskContext, "isFirstRun" | "isLastAttempt">,
) => Promise<void>;

/**
 * Creates the function that generates a credential's file and makes the credential available. Database queries of
 * concurrent calls are batched.
 *
 * Several workers may generate the same credential, and each may stop at any point. Only the current attempt in the
 * database succeeds. A superseded attempt deletes its own file, and the successful one deletes files of workers that
 * stopped.
 *
 * No transaction is open during rendering and uploading.
 *
 * A permanent error, or a failure of the last attempt, sets the credential to `error`. If the store or the database
 * can't be reached, the credential keeps waiting.
 */
export function createGeneration(generation: GenerationDeps): GenerateCredential {
  const { database, files, outputDir } = generation;
  const begin = createBeginning(database);
  const publish = createPublishing(database);

  return async (credentialId, { isFirstRun, isLastAttempt }) => {
    const credential = await begin(credentialId, isFirstRun);
    if (!credential) {
      await removeFilesIfErased(generation, { id: credentialId });
      return removeLostFiles(generation, credentialId);
    }
    try {
      const { bytes, badgeKey, seal } = await renderCredential(generation, credential);
      const key = newFileKey(outputDir, credential.uuid);
      await files.put(key, bytes, documentAttributes(credential));
      const sha256 = createHash("sha256").update(bytes).digest();
      const won = await publish({ credential, file: { key, sha256, size: bytes.length, badgeKey, seal } });
      if (!won) await files.delete(key);
      else if (credential.attempt > 0) await removeLostFiles(generation, credentialId);
    } catch (error) {
      // The store may have the file although the upload seemed to fail. `doctor` finds files that this call doesn't
      // remove.
      await removeLostFiles(generation, credentialId).catch(() => {});
      if (outageOf(error) !== undefined) throw error;
      const isFinal = error instanceof Problem && error.kind !== "unavailable";
      if (!isFinal && !isLastAttempt) throw error;
      const reason =
        error instanceof Problem
          ? error.message
          : "The document could not be generated: see the service's log.";
      await recordFailure(database, credential, reason);
      if (!isFinal) throw error;
    }
  };
}

/** Records that the document can't be generated, unless another attempt has started. */
function recordFailure(database: Database, credential: Credential, reason: string): Promise<void> {
  return inTransaction(database, NEVER_ABORTS, async (transaction) => {
    if (await setFailed(transaction, credential, reason)) await reportFailed(transaction, [credential]);
  });
}

/** Sets credentials to failed because their workers died in every attempt. */
export async function failLostCredentials(
  database: Database,
  credentialIds: readonly number[],
): Promise<void> {
  const reason = "The worker stopped unexpectedly in every attempt to generate the document.";
  await inTransaction(database, NEVER_ABORTS, async (transaction) => {
    await reportFailed(transaction, await setLost(transaction, credentialIds, reason));
  });
}

/** Appends events about failed credentials, and marks the credentials that required them for review. */
async function reportFailed(
  transaction: Knex.Transaction,
  failed: readonly Pick<Credential, "uuid" | "configurationId">[],
): Promise<void> {
  await appendEvents(transaction, FAILED, failed);
  await markRequiringFailed(transaction, failed);
}
