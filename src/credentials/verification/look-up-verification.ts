import { batched, type LookUp } from "../../db/batched.js";
import type { Database } from "../../db/database.js";
import { run } from "../../db/query.js";
import type { CredentialMetadata } from "../credential.js";
import { isUuid } from "../uuid.js";

/** What the verification page says of a credential. */
export interface Verification extends CredentialMetadata {
  /** Lower case. */
  readonly verifyUuid: string;
  /** Empty when the name was erased. */
  readonly userFullName: string;
  readonly credentialType: string;
  /** Of the file as it was issued, in lower-case hexadecimal; null when there is no such file any more. */
  readonly fileSha256: string | null;
  /** When it was taken over from another system; null: it was issued here. */
  readonly importedAt: Date | null;
  /** Who has issued it there; empty or null where that is not known. */
  readonly originalIssuer: string | null;
  /** Who has issued it here, or taken it over, as named then; null where that was not kept. */
  readonly platform: string | null;
}

/**
 * Finds what is public of a credential by its verification UUID; undefined for what verification does not know. Nothing is
 * remembered: an answer is as fresh as the database.
 */
export type LookUpMetadata = LookUp<string, CredentialMetadata | undefined>;

/** The same, with what the page says beyond it. */
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

const MAX_BATCH = 500;

function createLookUp<Row extends CredentialMetadata>(
  database: Database,
  name: string,
  columns: string,
): LookUp<string, Row | undefined> {
  const statement = `select ${columns} from credentials
    where verify_uuid = any (?::uuid[]) and status in ('available', 'invalidated')`;
  const lookUp = batched(database.reads, MAX_BATCH, async (lease, verifyUuids: string[]) => {
    const { rows } = await run<Row & { verifyUuid: string }>(lease, name, statement, [verifyUuids]);
    const found = new Map(rows.map((row) => [row.verifyUuid, row]));
    return verifyUuids.map((verifyUuid) => found.get(verifyUuid));
  });
  return async (verifyUuid, cancellation) =>
    isUuid(verifyUuid) ? lookUp(verifyUuid.toLowerCase(), cancellation) : undefined;
}
