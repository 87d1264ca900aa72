import type { Knex } from "knex";
import { OPEN_BADGE } from "../../configurations/open-badge-option.js";
import type { CredentialStatus } from "../../credential-status.js";
import { execute, queryRow } from "../../db/query.js";
import type { LearnerTransaction } from "../../learners/learner-transaction.js";
import { searchWords } from "../../text/search-words.js";
import { WORDS_OF_LEARNER } from "../credential-store.js";

/** A credential that was issued by another system. */
export interface ExternalCredential {
  /** Lower case. */
  readonly verifyUuid: string;
  /** Identifier in the other system; may be empty. */
  readonly legacyId: string;
  /** Who issued it; may be empty. */
  readonly issuer: string;
  readonly username: string;
  readonly userFullName: string;
  readonly learningContextKey: string;
  readonly learningContextName: string;
  readonly credentialType: string;
  /** Whole seconds. */
  readonly createdAt: Date;
  /** When it expires; null if it never does. */
  readonly validUntil: Date | null;
  /** Whether this service signs a badge for it. */
  readonly hasBadge: boolean;
  /** null if it is in force. */
  readonly invalidated: { readonly reason: string; readonly at: Date } | null;
  /** The PDF; null if the credential is invalidated and has none any more. */
  readonly file: Uint8Array | null;
}

/** The configuration under which a credential is imported, and its generation function. */
export interface MatchingConfiguration {
  readonly configurationId: number;
  readonly generationFunc: string;
}

/** The credential that exists under a verification UUID. */
export interface KnownCredential extends Omit<ExternalCredential, "invalidated" | "file" | "issuer"> {
  /** null if it was imported before issuers were recorded, or was issued here. */
  readonly issuer: string | null;
  readonly status: CredentialStatus;
  readonly invalidationReason: string;
  readonly invalidatedAt: Date | null;
  /** Lower-case hexadecimal. */
  readonly fileSha256: string | null;
  readonly erasedAt: Date | null;
}

export async function findByVerifyUuid(db: Knex, verifyUuid: string): Promise<KnownCredential | undefined> {
  return queryRow<KnownCredential>(
    db,
    `select verify_uuid as "verifyUuid", legacy_id as "legacyId", original_issuer as issuer, username, user_full_name as "userFullName",
       learning_context_key as "learningContextKey", learning_context_name as "learningContextName",
       credential_type as "credentialType", created_at as "createdAt", valid_until as "validUntil", options -> 'open_badge' is not null as "hasBadge", status,
       invalidation_reason as "invalidationReason", invalidated_at as "invalidatedAt",
       encode(file_sha256, 'hex') as "fileSha256", erased_at as "erasedAt"
     from credentials where verify_uuid = ?::uuid`,
    [verifyUuid],
  );
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
  const { invalidated } = external;
  const changed = await execute(
    transaction,
    `insert into credentials (
       uuid, verify_uuid, imported_at, legacy_id, original_issuer, username, configuration_id, status, issued_by, user_full_name,
       learning_context_key, learning_context_name, credential_type, generation_func, options, assets, print_settings,
       created_at, valid_until, file_key, file_sha256, file_size,
       invalidation_reason, invalidated_at, invalidated_by, invalidated_file_key, search_words
     )
     values (
       :uuid, :verifyUuid, now(), :legacyId, :issuer, :username, :configurationId, :status, :importedBy, :userFullName,
       :learningContextKey, :learningContextName, :credentialType, :generationFunc, :options::jsonb, '{}', :printSettings::jsonb,
       :createdAt, :validUntil, :key, :sha256, :size,
       :reason, :invalidatedAt, :invalidatedBy, :invalidatedKey,
       cast(:searchWords as tsvector) || ${WORDS_OF_LEARNER}
     )
     on conflict do nothing`,
    {
      uuid,
      verifyUuid: external.verifyUuid,
      legacyId: external.legacyId,
      issuer: external.issuer,
      username: external.username,
      searchWords: searchWords(external.userFullName, external.username),
      configurationId,
      status: invalidated ? "invalidated" : "available",
      importedBy,
      userFullName: external.userFullName,
      learningContextKey: external.learningContextKey,
      learningContextName: external.learningContextName,
      credentialType: external.credentialType,
      generationFunc,
      // The option, which nothing has by default, lets the badge be made.
      options: JSON.stringify(external.hasBadge ? { [OPEN_BADGE]: {} } : {}),
      printSettings: JSON.stringify(printSettings),
      createdAt: external.createdAt,
      validUntil: external.validUntil,
      key: file?.key ?? null,
      sha256: file ? Buffer.from(file.sha256) : null,
      size: file?.size ?? null,
      reason: invalidated?.reason ?? "",
      invalidatedAt: invalidated?.at ?? null,
      invalidatedBy: invalidated ? importedBy : null,
      // The file of an invalidated credential is stored where no link leads from the start.
      invalidatedKey: (invalidated && file?.key) ?? null,
    },
  );
  return changed === 1;
}
