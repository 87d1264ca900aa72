import { createHash, randomUUID } from "node:crypto";
import type { Knex } from "knex";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import { quoted } from "#foundation/text/quoted.js";
import type { Database } from "#infrastructure/db/database.js";
import { inTransaction } from "#infrastructure/db/transaction.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import type { InspectDocument } from "../../assets/inspection/inspect-asset.js";
import { OPEN_BADGE } from "../../configurations/open-badge-option.js";
import { findErased } from "../../learners/erased-learners.js";
import { inLearnerTransaction, type LearnerTransaction } from "../../learners/learner-transaction.js";
import type { Credential } from "../credential.js";
import { invalidatedDir, newFileKey } from "../credential-file-key.js";
import { findActive, findByVerifyUuid } from "../credential-store.js";
import { appendEvents } from "../events/append-events.js";
import { documentAttributes } from "../generation/render-credential.js";
import { frozenSettings, type IssuingSettings } from "../print-settings.js";
import {
  type ExternalCredential,
  findMatchingConfiguration,
  insertImported,
  type MatchingConfiguration,
} from "./import-store.js";

/** Dependencies for importing. */
export interface ImportDeps {
  readonly database: Database;
  readonly files: FileStore;
  readonly inspectDocument: InspectDocument;
  readonly settings: IssuingSettings;
  /** Directory in the store for files of credentials in force. */
  readonly outputDir: string;
}

/**
 * Imports a credential that was issued by another system. Its file is uploaded first, under an unguessable
 * key. Then one transaction inserts the row, which makes the credential count, and its event. No job is
 * enqueued, and no mail is sent.
 * @returns `unchanged` if it was imported before with the same content
 * @throws Problem `invalid` if the file is unfit to be served; `failed-precondition` naming the obstacle
 */
export async function importCredential(
  deps: ImportDeps,
  external: ExternalCredential,
  importedBy: Actor,
  signal: AbortSignal,
): Promise<"imported" | "unchanged"> {
  const { database, files, inspectDocument, settings, outputDir } = deps;
  const sha256 = external.file && createHash("sha256").update(external.file).digest();
  const check = (transaction: Knex.Transaction) => checkImported(transaction, external, sha256);
  if ((await inTransaction(database, signal, check)) === "unchanged") return "unchanged";
  if (external.file) await inspectDocument(external.file, signal);

  const uuid = randomUUID();
  const key = newFileKey(external.invalidated ? invalidatedDir(outputDir) : outputDir, uuid);
  const file = external.file && sha256 && { key, sha256, size: external.file.length };
  if (external.file) await files.put(key, external.file, documentAttributes(external));

  let isAtCommit = false;
  const insert = async (transaction: LearnerTransaction) => {
    isAtCommit = false; // the transaction may be retried
    const offer = await check(transaction);
    if (offer === "unchanged") return offer;
    const takeover = {
      ...offer,
      uuid,
      importedBy: importedBy.name,
      printSettings: frozenSettings(settings, external.learningContextKey, { logoSha256: null, contact: "" }),
      file,
    };
    const isInserted = await insertImported(transaction, external, takeover);
    if (!isInserted) return overtaken(await check(transaction));
    const after = external.invalidated ? "invalidated" : "available";
    await appendEvents(transaction, { type: "imported", actor: importedBy, before: null, after }, [
      { uuid, configurationId: offer.configurationId },
    ]);
    isAtCommit = true;
    return "imported";
  };
  try {
    const outcome = await inLearnerTransaction(database, signal, insert);
    if (outcome === "unchanged" && file) await files.delete(key);
    return outcome;
  } catch (error) {
    // If the response to a commit was lost, the commit may have succeeded. The file then belongs to the
    // credential.
    const isRolledBack = !isAtCommit || error === signal.reason;
    if (isRolledBack && file) await files.delete(key);
    throw error;
  }
}

/**
 * Another process has imported the same credential between the check and the insert: the second check sees
 * it.
 */
function overtaken(look: MatchingConfiguration | "unchanged"): "unchanged" {
  if (look === "unchanged") return look;
  throw new Problem("unavailable", "The credential was changed while it was imported: try again.");
}

/**
 * Checks for obstacles to importing a credential.
 * @returns the configuration under which to import it
 */
async function checkImported(
  transaction: Knex.Transaction,
  external: ExternalCredential,
  sha256: Buffer | null,
): Promise<MatchingConfiguration | "unchanged"> {
  const { username, verifyUuid, learningContextKey, credentialType } = external;
  const offer = await findMatchingConfiguration(transaction, external);
  const { configurationId } = offer ?? { configurationId: null };
  const inForce =
    external.invalidated || configurationId === null
      ? undefined
      : await findActive(transaction, { username, configurationId });
  // This look-up comes last: if this very credential was imported just now, it is found here.
  const known = await findByVerifyUuid(transaction, verifyUuid);
  if (known) {
    refuseOther(known, external, sha256);
    return "unchanged";
  }
  const erasedAt = (await findErased(transaction, [username])).get(username);
  if (erasedAt !== undefined && external.createdAt <= new Date(erasedAt))
    throw refused("the learner was erased after it was issued");
  const type = quoted(credentialType);
  if (!offer)
    throw refused(
      `there is no credential type named ${type}: create it, and a configuration of it for ${learningContextKey}`,
    );
  if (offer.configurationId === null)
    throw refused(
      `${type} is not configured for ${learningContextKey}: create a credential configuration of credential type ${offer.typeId} for it`,
    );
  if (inForce)
    throw refused(
      `the learner has a credential under configuration ${configurationId} that is ${inForce.status}, ${inForce.uuid}: ` +
        "invalidate one of the two first",
    );
  return offer;

  function refused(reason: string): Problem {
    return failedPrecondition(`${verifyUuid} can't be imported: ${reason}.`);
  }
}

/**
 * Throws if the known credential is not the one to import. A credential that was invalidated here after its
 * import still counts as the same.
 */
function refuseOther(known: Credential, external: ExternalCredential, sha256: Buffer | null): void {
  const { verifyUuid, invalidated } = external;
  if (known.erasedAt) {
    throw failedPrecondition(
      `${verifyUuid} exists already, and its learner was erased: it can't be imported again.`,
    );
  }
  const same: Record<string, boolean> = {
    legacy_id: known.legacyId === external.legacyId,
    issuer: known.originalIssuer === null || known.originalIssuer === external.issuer,
    username: known.username === external.username,
    user_full_name: known.userFullName === external.userFullName,
    learning_context_key: known.learningContextKey === external.learningContextKey,
    learning_context_name: known.learningContextName === external.learningContextName,
    credential_type: known.credentialType === external.credentialType,
    create_time: known.createdAt.getTime() === external.createdAt.getTime(),
    expire_time: known.validUntil?.getTime() === external.validUntil?.getTime(),
    open_badge: Object.hasOwn(known.options, OPEN_BADGE) === external.hasBadge,
    file: known.fileSha256 === (sha256?.toString("hex") ?? null),
    ...(invalidated
      ? {
          status: known.status === "invalidated",
          invalidation_reason: known.invalidationReason === invalidated.reason,
          invalidate_time: known.invalidatedAt?.getTime() === invalidated.at.getTime(),
        }
      : { status: known.status === "available" || known.status === "invalidated" }),
  };
  const others = Object.keys(same).filter((field) => !same[field]);
  if (others.length === 0) return;
  throw failedPrecondition(`${verifyUuid} exists already, with another ${others.join(", ")}.`);
}
