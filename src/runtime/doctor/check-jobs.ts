import { statusSql } from "#foundation/credential-status.js";
import { type Database, streamSnapshot } from "#infrastructure/db/database.js";
import { jobsOf } from "#infrastructure/jobs/queue-store.js";
import type { DoctorDeps } from "./doctor-deps.js";
import type { Finding } from "./finding.js";

const { isGenerating, isInvalidated } = statusSql();

const BATCH = 500;

/**
 * Checks that every unfinished task has a job. A job leaves the queue only after its result is in the database, so it
 * is sufficient to read tasks and jobs once, in one snapshot.
 */
export async function* checkJobs(deps: DoctorDeps, signal: AbortSignal): AsyncGenerator<Finding> {
  yield* checkGenerations(deps, signal);
  yield* checkMoves(deps, signal);
}

async function* checkGenerations({ database }: DoctorDeps, signal: AbortSignal): AsyncGenerator<Finding> {
  const lost = streamRows<{ uuid: string }>(
    database,
    `select uuid from credentials
     where ${isGenerating}
       and not exists (
         select from ${jobsOf("generate_credential")} and (payload->>'credentialId')::bigint = credentials.id
       )`,
    signal,
  );
  for await (const { uuid } of lost)
    yield { kind: "lost-generation", credentialUuid: uuid, detail: "its job is not in the queue" };
}

async function* checkMoves({ database, files }: DoctorDeps, signal: AbortSignal): AsyncGenerator<Finding> {
  const lost = streamRows<{ uuid: string; fileKey: string }>(
    database,
    `select uuid, file_key as "fileKey" from credentials
     where ${isInvalidated} and file_key is distinct from invalidated_file_key
       and not exists (
         select from ${jobsOf("move_file")} and payload->>'credentialUuid' = credentials.uuid::text
       )`,
    signal,
  );
  for await (const { uuid, fileKey } of lost) {
    const kind = (await files.digest(fileKey)) ? "still-public" : "lost-move";
    yield {
      kind,
      credentialUuid: uuid,
      fileKey,
      detail: `the job that moves ${fileKey} is not in the queue`,
    };
  }
}

async function* streamRows<Row>(database: Database, sql: string, signal: AbortSignal): AsyncGenerator<Row> {
  const batches = streamSnapshot<Row>(database, signal, BATCH, async () => ({ sql, bindings: [] }));
  for await (const batch of batches) yield* batch;
}
