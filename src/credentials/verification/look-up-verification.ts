import { createBatchLoader, type LookUp } from "../../db/batch-loader.js";
import type { Database } from "../../db/database.js";
import { query } from "../../db/query.js";
import type { CredentialMetadata } from "../credential.js";
import { isUuid } from "../uuid.js";

/** What the verification page shows about a credential. */
export interface Verification extends CredentialMetadata {
  /** Lower case. */
  readonly verifyUuid: string;
  /** Empty if the name was erased. */
  readonly userFullName: string;
  readonly credentialType: string;
  /** SHA-256 of the file as it was issued, in lower-case hexadecimal; null if the file no longer exists. */
  readonly fileSha256: string | null;
  /** When it was imported from another system; null if it was issued here. */
  readonly importedAt: Date | null;
  /** Who issued it in that system; empty or null if that is unknown. */
  readonly originalIssuer: string | null;
  /** Name of the platform that issued or imported it here, at that time; null if that was not recorded. */
  readonly platform: string | null;
}

/**
 * Looks up the public data of a credential by its verification UUID; undefined if there is no such
 * credential. Nothing is cached: the result is as current as the database.
 */
export type LookUpMetadata = LookUp<string, CredentialMetadata | undefined>;

/** The same, with the further data that the page shows. */
export type LookUpVerification = LookUp<string, Verification | undefined>;

const metadataColumns = `verify_uuid as "verifyUuid", user_full_name as "userFullName", created_at as "createdAt",
  learning_context_name as "learningContextName", status, invalidation_reason as "invalidationReason"`;

const pageColumns = `credential_type as "credentialType", encode(file_sha256, 'hex') as "fileSha256",
  imported_at as "importedAt", original_issuer as "originalIssuer",
  coalesce(platform, print_settings->>'platformName') as platform`;

export function createMetadataLookUp(database: Database): LookUpMetadata {
  return createLookUp(database, "metadata", metadataColumns);
}

export function createVerificationLookUp(database: Database): LookUpVerification {
  return createLookUp(database, "verification", `${metadataColumns}, ${pageColumns}`);
}

/**
 * Finds what is public of a credential by the SHA-256 of its file as it was issued, in lower-case hexadecimal. Of several that
 * were taken over with the same file, one in force is found.
 */
export function createFileLookUp(database: Database): LookUpVerification {
  const statement = `select distinct on (file_sha256) ${metadataColumns}, ${pageColumns} from credentials
    where file_sha256 = any (select decode(given, 'hex') from unnest(?::text[]) as given)
      and status in ('available', 'invalidated')
    order by file_sha256, status, id desc`;
  const lookUp = createBatchLoader(database.reads, MAX_BATCH, async (lease, digests: string[]) => {
    const { rows } = await query<Verification>(lease, "verification by file", statement, [digests]);
    const found = new Map(rows.map((row) => [row.fileSha256, row]));
    return digests.map((digest) => found.get(digest));
  });
  return async (digest, cancellation) => (sha256.test(digest) ? lookUp(digest, cancellation) : undefined);
}

const sha256 = /^[\da-f]{64}$/;

const MAX_BATCH = 500;

function createLookUp<Row extends CredentialMetadata>(
  database: Database,
  name: string,
  columns: string,
): LookUp<string, Row | undefined> {
  const statement = `select ${columns} from credentials
    where verify_uuid = any (?::uuid[]) and status in ('available', 'invalidated')`;
  const lookUp = createBatchLoader(database.reads, MAX_BATCH, async (connection, verifyUuids: string[]) => {
    const { rows } = await query<Row & { verifyUuid: string }>(connection, name, statement, [verifyUuids]);
    const found = new Map(rows.map((row) => [row.verifyUuid, row]));
    return verifyUuids.map((verifyUuid) => found.get(verifyUuid));
  });
  return async (verifyUuid, cancellation) =>
    isUuid(verifyUuid) ? lookUp(verifyUuid.toLowerCase(), cancellation) : undefined;
}
