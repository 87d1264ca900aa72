import DataLoader from "dataloader";
import { Cancellation } from "../cancellation.js";
import type { Database } from "../db/database.js";
import { createPace } from "../db/pace.js";
import { onLease, run } from "../db/run.js";
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

/** With more at once, batches stay small, and Postgres has as much to do as without them. */
const BATCHES_UNDER_WAY = 2;

interface Wanted {
  /** Lower case. */
  readonly verifyUuid: string;
  readonly cancellation: Cancellation;
}

/**
 * Answers look-ups that arrive together with one statement: three times as many a second as one each, and nothing is
 * remembered, so that an answer is as fresh as the database.
 */
export function createMetadataLookUp(database: Database): LookUpMetadata {
  const pace = createPace(BATCHES_UNDER_WAY);
  const loader = new DataLoader<Wanted, CredentialMetadata | undefined>(
    (wanted) => pace.run(() => readBatch(database, wanted)),
    {
      cache: false,
      maxBatchSize: MAX_BATCH,
      batchScheduleFn: pace.schedule,
    },
  );
  return async (verifyUuid, cancellation) =>
    isUuid(verifyUuid) ? loader.load({ verifyUuid: verifyUuid.toLowerCase(), cancellation }) : undefined;
}

async function readBatch(
  database: Database,
  wanted: readonly Wanted[],
): Promise<(CredentialMetadata | undefined)[]> {
  const { rows } = await onLease(database, whenAllAborted(wanted), (lease) =>
    run<CredentialMetadata & { verifyUuid: string }>(lease, "metadata", metadataStatement, [
      wanted.map(({ verifyUuid }) => verifyUuid),
    ]),
  );
  const found = new Map(rows.map((row) => [row.verifyUuid, row]));
  return wanted.map(({ verifyUuid }) => found.get(verifyUuid));
}

/** A batch goes on as long as anybody waits for it. */
function whenAllAborted(wanted: readonly Wanted[]): AbortSignal {
  const all = new Cancellation();
  let waiting = wanted.length;
  for (const { cancellation } of wanted) {
    cancellation.onAbort(() => {
      waiting--;
      if (waiting === 0) all.abort(cancellation.reason);
    });
  }
  return all.signal;
}
