import type { Database } from "../db/database.js";
import { onLease, run } from "../db/run.js";
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
  signal: AbortSignal,
) => Promise<Verification | undefined>;

const statement = `
  select verify_uuid as "verifyUuid", user_full_name as "userFullName", created_at as "createdAt",
    learning_context_name as "learningContextName", credential_type as "credentialType",
    status, invalidation_reason as "invalidationReason", encode(file_sha256, 'hex') as "fileSha256"
  from credentials
  where verify_uuid = ?::uuid and status in ('available', 'invalidated')`;

/** Nothing is remembered: an answer is as fresh as the database. */
export function createVerificationLookUp(database: Database): LookUpVerification {
  return async (verifyUuid, signal) => {
    if (!isUuid(verifyUuid)) return undefined;
    const { rows } = await onLease(database, signal, (lease) =>
      run<Verification>(lease, "verification", statement, [verifyUuid]),
    );
    return rows[0];
  };
}
