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

/** How often a process renews its operation, in milliseconds. This is also how soon it notices a cancellation. */
const RENEWAL_MS = 2_000;

/**
 * Performs pending operations, one after the other, until there are none.
 * @param open returns the implementations; called only if an operation is pending
 */
export async function doWaiting(
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
    const { id, kind, connector } = operation;
    const cancelled = new AbortController();
    let progress: Partial<OperationProgress> = {};
    const renewing = setInterval(() => {
      renewOperation(knex, id, progress).then(
        (goesOn) => goesOn || cancelled.abort(),
        () => {}, // the next renewal may succeed; after a minute without one, the operation is considered abandoned
      );
    }, RENEWAL_MS);
    try {
      const tell = (news: OperationProgress) => {
        progress = news;
      };
      const perform = (await open())[kind];
      if (!perform) throw new Error(`nothing does ${kind}`);
      const result = await perform(operation, tell, AbortSignal.any([stopping, cancelled.signal]));
      await renewOperation(knex, id, progress);
      await endOperation(knex, id, { result });
    } catch (error) {
      if (stopping.aborted) await returnOperation(knex, id);
      else if (!cancelled.signal.aborted) await fail(operation, error);
    } finally {
      clearInterval(renewing);
      log.info({ operation: id, kind, connector }, "operation ended");
    }
  }

  async function fail({ id, kind, connector }: Operation, error: unknown): Promise<void> {
    if (error instanceof Problem) return endOperation(knex, id, { error: error.message });
    log.error({ operation: id, kind, connector, err: error }, "operation failed");
    const name = error instanceof Error ? error.name : typeof error;
    return endOperation(knex, id, { error: `The operation failed (${name}); see the worker's log.` });
  }
}
