import type { Logger } from "pino";
import { Problem } from "#foundation/errors.js";
import type { Database } from "#infrastructure/db/database.js";
import type { DoOperation, Operation, OperationKind, OperationProgress } from "./operation.js";
import {
  beginOperation,
  endOperation,
  failAbandoned,
  renewOperation,
  returnOperation,
} from "./operation-store.js";

/** Milliseconds between renewals of an operation. A renewal also finds out whether the operation was cancelled. */
const RENEWAL_MS = 2_000;

/**
 * Performs pending operations until there are none.
 * @param open returns the implementations. It is only called if an operation is pending
 */
export async function runPendingOperations(
  { database: { knex }, log }: { readonly database: Database; readonly log: Logger },
  kinds: readonly OperationKind[],
  open: () => Promise<Partial<Record<OperationKind, DoOperation>>>,
  stopping: AbortSignal,
): Promise<void> {
  await failAbandoned(knex, kinds);
  while (!stopping.aborted) {
    const operation = await beginOperation(knex, kinds);
    if (!operation) return;
    await perform(operation);
  }

  async function perform(operation: Operation): Promise<void> {
    const { id, kind } = operation;
    const facts = factsOf(operation);
    const cancelled = new AbortController();
    let progress: Partial<OperationProgress> = {};
    const renewing = setInterval(() => {
      renewOperation(knex, id, progress).then(
        (goesOn) => goesOn || cancelled.abort(),
        () => {}, // the next renewal may succeed; without one for a minute, the operation is treated as abandoned
      );
    }, RENEWAL_MS);
    try {
      const onProgress = (news: OperationProgress) => {
        progress = news;
      };
      const perform = (await open())[kind];
      if (!perform) throw new Error(`there is no handler for operations of the kind ${kind}`);
      const result = await perform(operation, onProgress, AbortSignal.any([stopping, cancelled.signal]));
      await renewOperation(knex, id, progress);
      await endOperation(knex, id, { result });
      log.info(facts, "operation done");
    } catch (error) {
      if (stopping.aborted) {
        await returnOperation(knex, id);
        log.info(facts, "operation requeued because the worker is stopping");
      } else if (cancelled.signal.aborted) log.info(facts, "operation cancelled");
      else await fail(operation, error);
    } finally {
      clearInterval(renewing);
    }
  }

  async function fail(operation: Operation, error: unknown): Promise<void> {
    const { id } = operation;
    const facts = factsOf(operation);
    if (error instanceof Problem) {
      log.info({ ...facts, reason: error.message }, "operation failed");
      return endOperation(knex, id, { error: error.message });
    }
    log.error({ ...facts, err: error }, "operation failed");
    const name = error instanceof Error ? error.name : typeof error;
    return endOperation(knex, id, { error: `The operation failed (${name}); see the worker's log.` });
  }
}

function factsOf({ id, kind, connector }: Operation) {
  return { operation: id, kind, connector };
}
