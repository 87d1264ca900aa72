import { createHash, randomBytes } from "node:crypto";
import type { LoadAssets } from "../configurations/assets/load-assets.js";
import type { Functions } from "../configurations/functions.js";
import { pick } from "../configurations/options.js";
import type { Database } from "../db/database.js";
import type { Processor } from "../eligibility/processor.js";
import { Problem } from "../errors.js";
import type { FileStore } from "../files/file-store.js";
import { enqueueJobs } from "../jobs/enqueue.js";
import type { CredentialFacts, Generator } from "../rendering/generator.js";
import type { Renderer } from "../rendering/renderer.js";
import type { Credential } from "./credential.js";
import { beginAttempt, type CredentialFile, setAvailable, setFailed, setLost } from "./credential-store.js";
import { verifyUrl } from "./verify-url.js";

/** What generating needs beside the credential. */
export interface Generation {
  readonly database: Database;
  readonly functions: Functions<Processor, Generator>;
  readonly files: FileStore;
  readonly renderer: Renderer;
  readonly loadAssets: LoadAssets;
  /** Where the files lie in the store. */
  readonly outputDir: string;
  /** Where the service is reached, without a slash at its end. */
  publicUrl(): string;
}

/**
 * Makes the file of a credential, and the credential available. Several workers may do so at once, and one may die at any
 * point: the attempt that is the current one in the database wins, and who has lost deletes the file of its own.
 *
 * No transaction is open while it renders and uploads.
 * @throws whatever may go better next time; what can't leaves the credential in `error`
 */
export async function generateCredential(
  { database, functions, files, renderer, loadAssets, outputDir, publicUrl }: Generation,
  credentialId: number,
  isLastAttempt: boolean,
): Promise<void> {
  const credential = await beginAttempt(database.knex, credentialId);
  if (!credential) return;
  try {
    const generator = functions.generation(credential.generationFunc);
    const bytes = await renderer.render(
      generator.name,
      factsOf(credential, publicUrl()),
      pick(credential.options, generator),
      await loadAssets(credential.assets),
    );
    const key = `${outputDir}/${credential.uuid}/${randomBytes(16).toString("hex")}.pdf`;
    await files.put(key, bytes, {
      contentType: "application/pdf",
      downloadName: `${credential.learningContextName} - ${credential.userFullName}.pdf`,
    });
    const sha256 = createHash("sha256").update(bytes).digest();
    const won = await publish(database, credential, { key, sha256, size: bytes.length });
    if (!won) await files.delete(key);
  } catch (error) {
    const isFinal = error instanceof Problem && error.kind !== "unavailable";
    if (!isFinal && !isLastAttempt) throw error;
    const reason =
      error instanceof Problem
        ? error.message
        : "The document could not be made or stored; the log says why.";
    await setFailed(database.knex, credential, reason);
    if (!isFinal) throw error;
  }
}

/** The mail is on its way when the credential is available, and not before. */
function publish(database: Database, credential: Credential, file: CredentialFile): Promise<boolean> {
  return database.knex.transaction(async (transaction) => {
    const won = await setAvailable(transaction, credential, file);
    if (won) {
      await enqueueJobs(transaction, [{ task: "send_mail", payload: { credentialUuid: credential.uuid } }]);
    }
    return won;
  });
}

/** Sets credentials to `error` whose job was lost with its worker, and has no attempt left. */
export async function failLostCredentials(
  database: Database,
  credentialIds: readonly number[],
): Promise<void> {
  await setLost(database.knex, credentialIds, "The worker that made the document died, at every attempt.");
}

function factsOf(credential: Credential, publicUrl: string): CredentialFacts {
  const { printSettings } = credential;
  return {
    userFullName: credential.userFullName,
    learningContextName: credential.learningContextName,
    credentialType: credential.credentialType,
    created: credential.createdAt,
    verifyUuid: credential.verifyUuid,
    verifyUrl: verifyUrl(publicUrl, credential.verifyUuid),
    platformName: printSettings.platformName,
    language: printSettings.language,
    settings: printSettings,
  };
}
