import type { Knex } from "knex";
import { searchWords } from "#foundation/text/search-words.js";
import { byColumn } from "#infrastructure/db/columns.js";
import { hasRows, queryRow } from "#infrastructure/db/query.js";
import { OPEN_BADGE } from "../../configurations/open-badge-option.js";
import type { LearnerTransaction } from "../../learners/learner-transaction.js";
import type { Credential } from "../credential.js";
import { wordsOfLearner } from "../credential-columns.js";

/** A credential that was issued by another system. */
export interface ExternalCredential
  extends Pick<
    Credential,
    | "verifyUuid"
    | "legacyId"
    | "username"
    | "userFullName"
    | "learningContextKey"
    | "learningContextName"
    | "credentialType"
    | "createdAt"
    | "validUntil"
  > {
  /** The issuer in the other system; may be empty. */
  readonly issuer: string;
  /** Whether this service signs a badge for it. */
  readonly hasBadge: boolean;
  /** null if it is in force. */
  readonly invalidated: { readonly reason: string; readonly at: Date } | null;
  /** The PDF; null if the credential is invalidated and has none any more, or if its file will be printed here. */
  readonly file: Uint8Array | null;
  /** Whether the PDF is printed with the design of the configuration. */
  readonly isPrinted: boolean;
  /** Its UUID in the other system, which it keeps; null to give it a new one. */
  readonly uuid: string | null;
  /** Codes under which the other system verified it. */
  readonly aliases: readonly string[];
}

/** The configuration under which a credential is imported, and its generation function. */
export interface MatchingConfiguration {
  readonly configurationId: number;
  readonly generationFunc: string;
}

/**
 * Finds the configuration for a context and the type with this name, and locks it against deletion until the
 * transaction ends.
 * @returns only the type's id if it has no such configuration; undefined if there is no such type
 */
export async function findMatchingConfiguration(
  transaction: Knex.Transaction,
  { learningContextKey, credentialType }: ExternalCredential,
): Promise<MatchingConfiguration | { readonly typeId: number; readonly configurationId: null } | undefined> {
  const configuration = await queryRow<MatchingConfiguration>(
    transaction,
    `select configuration.id as "configurationId", generation_func as "generationFunc"
     from credential_configurations configuration
     join credential_types type on type.id = credential_type_id
     where type.name = ? and learning_context_key = ?
     for key share of configuration`,
    [credentialType, learningContextKey],
  );
  if (configuration) return configuration;
  const type = await queryRow<{ id: number }>(transaction, "select id from credential_types where name = ?", [
    credentialType,
  ]);
  return type && { typeId: type.id, configurationId: null };
}

/** The values of an imported credential's row that don't come from the other system. */
export interface ImportRow extends MatchingConfiguration {
  readonly uuid: string;
  readonly importedBy: string;
  readonly printSettings: object;
  readonly file: { readonly key: string; readonly sha256: Uint8Array; readonly size: number } | null;
}

/**
 * @returns false if there is already a credential with this verification UUID, or if the learner already has one in
 * force under the configuration
 */
export async function insertImported(
  transaction: LearnerTransaction,
  external: ExternalCredential,
  { uuid, configurationId, generationFunc, importedBy, printSettings, file }: ImportRow,
): Promise<boolean> {
  const { verifyUuid, username, userFullName, invalidated } = external;
  const row = byColumn({
    uuid,
    verifyUuid,
    legacyId: external.legacyId,
    originalIssuer: external.issuer,
    username,
    configurationId,
    status: invalidated ? "invalidated" : "available",
    issuedBy: importedBy,
    userFullName,
    learningContextKey: external.learningContextKey,
    learningContextName: external.learningContextName,
    credentialType: external.credentialType,
    generationFunc,
    // The empty option enables the badge.
    options: external.hasBadge ? { [OPEN_BADGE]: {} } : {},
    assets: {},
    printSettings,
    createdAt: external.createdAt,
    validUntil: external.validUntil,
    fileKey: file?.key ?? null,
    fileSha256: file && `\\x${Buffer.from(file.sha256).toString("hex")}`,
    fileSize: file?.size ?? null,
    invalidationReason: invalidated?.reason ?? "",
    invalidatedAt: invalidated?.at ?? null,
    invalidatedBy: invalidated && importedBy,
    // No public link has ever led to the file of a credential that was invalidated before the import.
    invalidatedFileKey: (invalidated && file?.key) ?? null,
  });
  const columns = Object.keys(row).join(", ");
  return hasRows(
    transaction,
    `insert into credentials (${columns}, imported_at, search_words)
     select ${columns}, now(), ?::tsvector || ${wordsOfLearner("imported.username")}
     from jsonb_populate_record(null::credentials, ?::jsonb) as imported
     on conflict do nothing`,
    [searchWords(userFullName, username), JSON.stringify(row)],
  );
}
