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
  /** Who issued it; may be empty. */
  readonly issuer: string;
  /** Whether this service signs a badge for it. */
  readonly hasBadge: boolean;
  /** null if it is in force. */
  readonly invalidated: { readonly reason: string; readonly at: Date } | null;
  /** The PDF; null if the credential is invalidated and has none any more, or if it is to be printed. */
  readonly file: Uint8Array | null;
  /** Whether the PDF is printed by the design of the configuration. */
  readonly isPrinted: boolean;
  /** UUID in the other system, which it keeps; null: it gets a new one. */
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
 * @returns only the id of the type if it has no such configuration; undefined if there is no such type
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

/** What the row of an imported credential contains besides the data of the other system. */
export interface ImportRow extends MatchingConfiguration {
  readonly uuid: string;
  readonly importedBy: string;
  readonly printSettings: object;
  readonly file: { readonly key: string; readonly sha256: Uint8Array; readonly size: number } | null;
}

/**
 * @returns false if a credential with this verification UUID exists, or one in force under the configuration
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
    // The option, which nothing has by default, lets the badge be made.
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
    // The file of an invalidated credential is stored where no link leads from the start.
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
