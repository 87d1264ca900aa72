import type { Cancellation } from "../cancellation.js";
import { batched } from "../db/batched.js";
import type { Database } from "../db/database.js";
import { type Lease, run } from "../db/run.js";
import type { CredentialMetadata } from "./credential.js";
import { isUuid } from "./uuid.js";

/** Finds the public view of a credential by its verification UUID; undefined for what verification does not know. */
export type LookUpMetadata = (
  verifyUuid: string,
  cancellation: Cancellation,
) => Promise<CredentialMetadata | undefined>;

const metadataStatement = `
  select verify_uuid as "verifyUuid", user_full_name as "userFullName", created_at as "createdAt",
    learning_context_name as "learningContextName", status, invalidation_reason as "invalidationReason"
  from credentials
  where verify_uuid = any (?::uuid[]) and status in ('available', 'invalidated')`;

const MAX_BATCH = 500;

export function createMetadataLookUp(database: Database): LookUpMetadata {
  const lookUp = batched(database.reads, MAX_BATCH, readMetadata);
  return async (verifyUuid, cancellation) =>
    isUuid(verifyUuid) ? lookUp(verifyUuid.toLowerCase(), cancellation) : undefined;
}

async function readMetadata(
  lease: Lease,
  verifyUuids: string[],
): Promise<(CredentialMetadata | undefined)[]> {
  const { rows } = await run<CredentialMetadata & { verifyUuid: string }>(
    lease,
    "metadata",
    metadataStatement,
    [verifyUuids],
  );
  const found = new Map(rows.map((row) => [row.verifyUuid, row]));
  return verifyUuids.map((verifyUuid) => found.get(verifyUuid));
}
