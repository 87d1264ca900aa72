import { searchWords } from "#foundation/text/search-words.js";
import { byColumn } from "#infrastructure/db/columns.js";
import { hasRows, type Knex, queryRow } from "#infrastructure/db/query.js";
import { OPEN_BADGE } from "../../configurations/open-badge-option.js";
import type { LearnerTransaction } from "../../learners/learner-transaction.js";
import type { Credential } from "../credential.js";
import { wordsOfLearner } from "../credential-columns.js";

/** A credential of another system. */
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
  /** May be empty. */
  readonly issuer: string;
  /** Whether this service signs a badge for the credential. */
  readonly hasBadge: boolean;
  readonly invalidated: { readonly reason: string; readonly at: Date } | null;
  /** Null if the credential was invalidated and its PDF no longer exists, or if this service will print the PDF. */
  readonly file: Uint8Array | null;
  /** Whether to print the PDF with the design of the configuration. */
  readonly isPrinted: boolean;
  /** UUID in the other system, which the imported credential keeps; null for a new UUID. */
  readonly uuid: string | null;
  /** Codes by which the other system verified the credential. */
  readonly aliases: readonly string[];
}

/** The configuration under which a credential is imported. */
export interface MatchingConfiguration {
  readonly configurationId: number;
  readonly generationFunc: string;
}

/**
 * Finds the configuration by its context and the name of its type, and locks it against deletion until the transaction
 * ends.
 * @returns only the type's id if the type has no configuration in this context; undefined if there is no such type
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

export interface ImportRow extends MatchingConfiguration {
  readonly uuid: string;
  readonly importedBy: string;
  readonly printSettings: object;
  readonly file: { readonly key: string; readonly sha256: Uint8Array; readonly size: number } | null;
}

/**
 * Returns false if the verification UUID exists, or the learner already has a valid credential under the configuration.
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
    // the option enables the badge, even without values
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
    // If the credential was invalidated before the import, its file was stored under a key that no link contains.
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
