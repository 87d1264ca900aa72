import type { Knex } from "knex";
import type { LearnerTransaction } from "../../learners/learner-transaction.js";
import type { CredentialStatus } from "../credential.js";

/** A credential that was issued elsewhere. */
export interface ForeignCredential {
  /** Lower case. */
  readonly verifyUuid: string;
  /** How the other system names it; may be empty. */
  readonly legacyId: string;
  /** Who has issued it; may be empty. */
  readonly issuer: string;
  readonly username: string;
  readonly userFullName: string;
  readonly learningContextKey: string;
  readonly learningContextName: string;
  readonly credentialType: string;
  /** Whole seconds. */
  readonly createdAt: Date;
  /** null: it is in force. */
  readonly invalidated: { readonly reason: string; readonly at: Date } | null;
  /** The PDF; null where an invalidated one has none any more. */
  readonly file: Uint8Array | null;
}

/** Under which configuration it is taken over, and how that would make documents. */
export interface Offer {
  readonly configurationId: number;
  readonly generationFunc: string;
}

/** What is there under a verification UUID. */
export interface KnownCredential extends Omit<ForeignCredential, "invalidated" | "file" | "issuer"> {
  /** null: it was taken over when none was asked for, or issued here. */
  readonly issuer: string | null;
  readonly status: CredentialStatus;
  readonly invalidationReason: string;
  readonly invalidatedAt: Date | null;
  /** Lower-case hexadecimal. */
  readonly fileSha256: string | null;
  readonly erasedAt: Date | null;
}

export async function findByVerifyUuid(db: Knex, verifyUuid: string): Promise<KnownCredential | undefined> {
  const { rows } = await db.raw(
    `select verify_uuid as "verifyUuid", legacy_id as "legacyId", original_issuer as issuer, username, user_full_name as "userFullName",
       learning_context_key as "learningContextKey", learning_context_name as "learningContextName",
       credential_type as "credentialType", created_at as "createdAt", status,
       invalidation_reason as "invalidationReason", invalidated_at as "invalidatedAt",
       encode(file_sha256, 'hex') as "fileSha256", erased_at as "erasedAt"
     from credentials where verify_uuid = ?::uuid`,
    [verifyUuid],
  );
  return rows[0];
}

/**
 * The configuration of the type with this name for the context, which is not deleted until the transaction ends.
 * @returns the id of the type alone where there is no such configuration; undefined where there is no such type
 */
export async function findOffer(
  transaction: Knex.Transaction,
  { learningContextKey, credentialType }: ForeignCredential,
): Promise<Offer | { readonly typeId: number; readonly configurationId: null } | undefined> {
  const { rows } = await transaction.raw(
    `select configuration.id as "configurationId", generation_func as "generationFunc"
     from credential_configurations configuration
     join credential_types type on type.id = credential_type_id
     where type.name = ? and learning_context_key = ?
     for key share of configuration`,
    [credentialType, learningContextKey],
  );
  if (rows.length > 0) return rows[0];
  const type = await transaction("credential_types").where({ name: credentialType }).first("id");
  return type && { typeId: type.id, configurationId: null };
}

/** What the row of a credential says beside what the other system has told. */
export interface Takeover extends Offer {
  readonly uuid: string;
  readonly importedBy: string;
  readonly printSettings: object;
  readonly file: { readonly key: string; readonly sha256: Uint8Array; readonly size: number } | null;
}

/** @returns false when there is one with this verification UUID, or one in force under the configuration */
export async function insertImported(
  transaction: LearnerTransaction,
  foreign: ForeignCredential,
  { uuid, configurationId, generationFunc, importedBy, printSettings, file }: Takeover,
): Promise<boolean> {
  const { invalidated } = foreign;
  const { rowCount } = await transaction.raw(
    `insert into credentials (
       uuid, verify_uuid, imported_at, legacy_id, original_issuer, username, configuration_id, status, issued_by, user_full_name,
       learning_context_key, learning_context_name, credential_type, generation_func, options, assets, print_settings,
       created_at, file_key, file_sha256, file_size,
       invalidation_reason, invalidated_at, invalidated_by, invalidated_file_key
     )
     values (
       :uuid, :verifyUuid, now(), :legacyId, :issuer, :username, :configurationId, :status, :importedBy, :userFullName,
       :learningContextKey, :learningContextName, :credentialType, :generationFunc, '{}', '{}', :printSettings::jsonb,
       :createdAt, :key, :sha256, :size,
       :reason, :invalidatedAt, :invalidatedBy, :invalidatedKey
     )
     on conflict do nothing`,
    {
      uuid,
      verifyUuid: foreign.verifyUuid,
      legacyId: foreign.legacyId,
      issuer: foreign.issuer,
      username: foreign.username,
      configurationId,
      status: invalidated ? "invalidated" : "available",
      importedBy,
      userFullName: foreign.userFullName,
      learningContextKey: foreign.learningContextKey,
      learningContextName: foreign.learningContextName,
      credentialType: foreign.credentialType,
      generationFunc,
      printSettings: JSON.stringify(printSettings),
      createdAt: foreign.createdAt,
      key: file?.key ?? null,
      sha256: file ? Buffer.from(file.sha256) : null,
      size: file?.size ?? null,
      reason: invalidated?.reason ?? "",
      invalidatedAt: invalidated?.at ?? null,
      invalidatedBy: invalidated ? importedBy : null,
      // Its file lies where no link leads from the beginning.
      invalidatedKey: (invalidated && file?.key) ?? null,
    } as Record<string, Knex.RawBinding>,
  );
  return rowCount === 1;
}
