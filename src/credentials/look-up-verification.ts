import type { Cancellation } from "../cancellation.js";
import { batched } from "../db/batched.js";
import type { Database } from "../db/database.js";
import { type Lease, run } from "../db/run.js";
import type { CredentialMetadata } from "./credential.js";
import { isUuid } from "./uuid.js";

/** What the verification page says of a credential. */
export interface Verification extends CredentialMetadata {
  /** Lower case. */
  readonly verifyUuid: string;
  /** Empty when the name was erased. */
  readonly userFullName: string;
  readonly credentialType: string;
  /** Of the file as it was issued, in lower-case hexadecimal; null when there is no such file any more. */
  readonly fileSha256: string | null;
}

/** Finds a credential by its verification UUID; undefined for what verification does not know. */
export type LookUpVerification = (
  verifyUuid: string,
  cancellation: Cancellation,
) => Promise<Verification | undefined>;

const statement = `
  select verify_uuid as "verifyUuid", user_full_name as "userFullName", created_at as "createdAt",
    learning_context_name as "learningContextName", credential_type as "credentialType",
    status, invalidation_reason as "invalidationReason", encode(file_sha256, 'hex') as "fileSha256"
  from credentials
  where verify_uuid = any (?::uuid[]) and status in ('available', 'invalidated')`;

const MAX_BATCH = 500;

/** Nothing is remembered: an answer is as fresh as the database. */
export function createVerificationLookUp(database: Database): LookUpVerification {
  const lookUp = batched(database.reads, MAX_BATCH, readVerifications);
  return async (verifyUuid, cancellation) =>
    isUuid(verifyUuid) ? lookUp(verifyUuid.toLowerCase(), cancellation) : undefined;
}

async function readVerifications(lease: Lease, verifyUuids: string[]): Promise<(Verification | undefined)[]> {
  const { rows } = await run<Verification>(lease, "verification", statement, [verifyUuids]);
  const found = new Map(rows.map((row) => [row.verifyUuid, row]));
  return verifyUuids.map((verifyUuid) => found.get(verifyUuid));
}
