import { createHash, randomUUID } from "node:crypto";
import { failedPrecondition, Problem, quoted } from "#foundation/errors.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import type { Knex } from "#infrastructure/db/query.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import type { InspectDocument } from "../../assets/inspection/inspect-asset.js";
import { OPEN_BADGE } from "../../configurations/open-badge-option.js";
import { findErased } from "../../learners/erased-learners.js";
import { inLearnerTransaction, type LearnerTransaction } from "../../learners/learner-transaction.js";
import { findAliases, insertAliases } from "../aliases/alias-store.js";
import type { Credential } from "../credential.js";
import { invalidatedDir, newFileKey } from "../credential-file-key.js";
import { findActive, findByVerifyUuid, findCredential } from "../credential-store.js";
import { appendEvents } from "../events/append-events.js";
import { documentAttributes } from "../generation/render-credential.js";
import { frozenSettings, type IssuingSettings } from "../print-settings.js";
import { createComparison } from "./earlier-credentials.js";
import {
  type ExternalCredential,
  findMatchingConfiguration,
  insertImported,
  type MatchingConfiguration,
} from "./import-store.js";
import type { PrintImported } from "./print-imported.js";

export interface ImportDeps {
  readonly database: Database;
  readonly files: FileStore;
  readonly inspectDocument: InspectDocument;
  readonly print: PrintImported;
  readonly settings: IssuingSettings;
  /** Directory for files of credentials that are not invalidated. */
  readonly outputDir: string;
}

/** `unchanged` if the credential and all its codes had been imported before. */
export type ImportOutcome = "imported" | "unchanged";

/**
 * Imports a credential of another system. The file is uploaded first, under a key that can't be guessed. Then the row,
 * the aliases and the event are inserted in one transaction, whose commit makes the credential verifiable. No job is
 * enqueued and no email is sent. If the credential was imported before, only its missing aliases are added.
 * @throws Problem `invalid` if the file must not be served; `failed-precondition` naming the obstacle
 */
export async function importCredential(
  deps: ImportDeps,
  external: ExternalCredential,
  importedBy: Actor,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  const { database, files, settings, outputDir } = deps;
  const { isUnchanged, content } = await inspectImport(deps, external, signal);
  if (isUnchanged) return "unchanged";

  const uuid = external.uuid ?? randomUUID();
  const key = newFileKey(external.invalidated ? invalidatedDir(outputDir) : outputDir, uuid);
  const file = content && { key, sha256: sha256Of(content), size: content.length };
  if (content) await files.put(key, content, documentAttributes(external));

  let isAtCommit = false;
  let isUsed = false;
  const insert = async (transaction: LearnerTransaction): Promise<ImportOutcome> => {
    isAtCommit = false; // the transaction may be retried
    isUsed = false;
    const found = await checkImported(transaction, external);
    if (found.known) return addAliases(transaction, found);
    if (found.offer instanceof Problem) throw found.offer;
    const { offer } = found;
    const takeover = {
      ...offer,
      uuid,
      importedBy: importedBy.name,
      printSettings: frozenSettings(settings, external.learningContextKey, { logoSha256: null, contact: "" }),
      file,
    };
    if (!(await insertImported(transaction, external, takeover))) {
      const overtaking = await checkImported(transaction, external);
      if (!overtaking.known) throw concurrentChange();
      return addAliases(transaction, overtaking);
    }
    if (!(await insertAliases(transaction, uuid, external.aliases))) throw concurrentChange();
    const after = external.invalidated ? "invalidated" : "available";
    await appendEvents(transaction, { type: "imported", actor: importedBy, before: null, after }, [
      { uuid, configurationId: offer.configurationId },
    ]);
    isAtCommit = true;
    isUsed = true;
    return "imported";
  };
  try {
    const outcome = await inLearnerTransaction(database, signal, insert);
    if (!isUsed && file) await files.delete(key);
    return outcome;
  } catch (error) {
    // If the response to the commit was lost, the credential may exist and need the file.
    const isRolledBack = !isAtCommit || error === signal.reason;
    if (isRolledBack && file) await files.delete(key);
    throw error;
  }
}

/**
 * Checks a credential as its import would, and returns the outcome of such an import.
 * @param isPlanned whether the configuration will be created before the import
 * @throws Problem like the import
 */
type JudgeImport = (
  external: ExternalCredential,
  signal: AbortSignal,
  isPlanned?: boolean,
) => Promise<ImportOutcome>;

/** Creates the function for one dry run, in which each credential is also compared with the earlier ones. */
export function createImportJudge(deps: ImportDeps): JudgeImport {
  const compare = createComparison();
  return async (external, signal, isPlanned) => {
    const { isUnchanged } = await inspectImport(deps, external, signal, isPlanned);
    if (isUnchanged) return "unchanged";
    const compared = compare(external);
    if ("conflict" in compared)
      throw refused(external, `an earlier credential of this import has ${compared.conflict}`);
    return compared.isRepeated ? "unchanged" : "imported";
  };
}

/** @returns `content`: the file; null if the credential was imported before */
async function inspectImport(
  { database, inspectDocument, print }: ImportDeps,
  external: ExternalCredential,
  signal: AbortSignal,
  isPlanned = false,
): Promise<{ readonly isUnchanged: boolean; readonly content: Uint8Array | null }> {
  const seen = await inTransaction(database, signal, async (transaction) => {
    const found = await checkImported(transaction, external);
    if (found.known) return { missing: found.missing };
    const { offer } = found;
    if (offer instanceof Problem) {
      if (!isPlanned) throw offer;
      return {};
    }
    return external.isPrinted
      ? { printFile: await print.prepare(transaction, offer.configurationId, external) }
      : {};
  });
  if (seen.missing) return { isUnchanged: seen.missing.length === 0, content: null };
  if (external.file) await inspectDocument(external.file, signal);
  return { isUnchanged: false, content: seen.printFile ? await seen.printFile() : external.file };
}

function sha256Of(content: Uint8Array): Buffer {
  return createHash("sha256").update(content).digest();
}

async function addAliases(
  transaction: LearnerTransaction,
  { known, missing }: Extract<Found, { known: Credential }>,
): Promise<ImportOutcome> {
  if (!(await insertAliases(transaction, known.uuid, missing))) throw concurrentChange();
  return missing.length === 0 ? "unchanged" : "imported";
}

/** Since the check, another process has imported the credential or used one of its codes. */
function concurrentChange(): Problem {
  return new Problem("unavailable", "The credential was changed during the import: try again.");
}

/** What an import finds in the database. */
type Found =
  /** The credential was imported before. `missing` lists the codes that were not imported. */
  | { readonly known: Credential; readonly missing: readonly string[] }
  /** The configuration for the import, or the reason why there is none. */
  | { readonly known?: undefined; readonly offer: MatchingConfiguration | Problem };

/** Checks everything that the import requires, except for the configuration. @throws Problem `failed-precondition` */
async function checkImported(transaction: Knex.Transaction, external: ExternalCredential): Promise<Found> {
  const { username, verifyUuid } = external;
  const offer = await readOffer(transaction, external);
  const inForce =
    external.invalidated || offer instanceof Problem
      ? undefined
      : await findActive(transaction, { username, configurationId: offer.configurationId });
  // This query comes last, in case another process has just imported the credential.
  const existing = await findByVerifyUuid(transaction, verifyUuid);
  const used = await findAliases(transaction, external.aliases);
  const foreign = used.find(({ credentialUuid }) => credentialUuid !== existing?.uuid);
  if (foreign)
    throw refused(
      external,
      `the code ${foreign.alias} already leads to another credential, ${foreign.credentialUuid}: remove the code from this one`,
    );
  if (existing) {
    refuseOther(existing, external);
    const had = new Set(used.map(({ alias }) => alias));
    return { known: existing, missing: external.aliases.filter((alias) => !had.has(alias)) };
  }
  if (external.uuid !== null && (await findCredential(transaction, external.uuid)))
    throw refused(external, `another credential has the UUID ${external.uuid}: leave uuid empty`);
  const erasedAt = (await findErased(transaction, [username])).get(username);
  if (erasedAt !== undefined && external.createdAt <= new Date(erasedAt))
    throw refused(external, "the learner was erased after the credential was issued");
  if (inForce)
    throw refused(
      external,
      `the learner already has the credential ${inForce.uuid} (${inForce.status}) under configuration ${inForce.configurationId}: ` +
        "invalidate that credential first, or import this one as INVALIDATED",
    );
  return { offer };
}

async function readOffer(
  transaction: Knex.Transaction,
  external: ExternalCredential,
): Promise<MatchingConfiguration | Problem> {
  const { learningContextKey, credentialType } = external;
  const type = quoted(credentialType);
  const found = await findMatchingConfiguration(transaction, external);
  if (!found) {
    return refused(
      external,
      `there is no credential type named ${type}: create it, and a configuration of it for ${learningContextKey}`,
    );
  }
  if (found.configurationId !== null) return found;
  return refused(
    external,
    `${type} is not configured for ${learningContextKey}: create a credential configuration of credential type ${found.typeId} for it`,
  );
}

function refused({ verifyUuid }: ExternalCredential, reason: string): Problem {
  return failedPrecondition(`${verifyUuid} can't be imported: ${reason}.`);
}

/**
 * Throws if the known credential differs from the credential to import. The known credential may have been invalidated
 * after its import.
 */
function refuseOther(existing: Credential, external: ExternalCredential): void {
  const { verifyUuid, invalidated, file, isPrinted } = external;
  if (existing.erasedAt) {
    throw failedPrecondition(
      `${verifyUuid} already exists, and its learner was erased: it can't be imported again.`,
    );
  }
  const same: Record<string, boolean> = {
    legacy_id: existing.legacyId === external.legacyId,
    issuer: existing.originalIssuer === null || existing.originalIssuer === external.issuer,
    username: existing.username === external.username,
    user_full_name: existing.userFullName === external.userFullName,
    learning_context_key: existing.learningContextKey === external.learningContextKey,
    learning_context_name: existing.learningContextName === external.learningContextName,
    credential_type: existing.credentialType === external.credentialType,
    create_time: existing.createdAt.getTime() === external.createdAt.getTime(),
    expire_time: existing.validUntil?.getTime() === external.validUntil?.getTime(),
    open_badge: Object.hasOwn(existing.options, OPEN_BADGE) === external.hasBadge,
    uuid: external.uuid === null || existing.uuid === external.uuid,
    file: isPrinted || existing.fileSha256 === (file && sha256Of(file).toString("hex")),
    ...(invalidated
      ? {
          status: existing.status === "invalidated",
          invalidation_reason: existing.invalidationReason === invalidated.reason,
          invalidate_time: existing.invalidatedAt?.getTime() === invalidated.at.getTime(),
        }
      : { status: existing.status === "available" || existing.status === "invalidated" }),
  };
  const others = Object.keys(same).filter((field) => !same[field]);
  if (others.length === 0) return;
  throw failedPrecondition(`${verifyUuid} already exists, with a different ${others.join(", ")}.`);
}
