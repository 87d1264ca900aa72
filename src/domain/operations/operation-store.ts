import {
  execute,
  hasRows,
  type Knex,
  queryRow,
  queryRowOrThrow,
  queryRows,
} from "#infrastructure/db/query.js";
import type { Operation, OperationKind, OperationOptions, OperationProgress } from "./operation.js";

const MAX_OPERATIONS = 100;

/** Time without a renewal after which a running operation is treated as abandoned. */
const ABANDONED_AFTER = "interval '1 minute'";

const LIST_COLUMNS = `id, kind, connector, options, state, asked_by as "requestedBy", asked_at as "requestedAt",
  began_at as "beganAt", ended_at as "endedAt", progress, error`;

const COLUMNS = `${LIST_COLUMNS}, result`;

type NewOperation = Pick<Operation, "kind" | "connector" | "requestedBy"> & {
  readonly options: OperationOptions;
};

/** An operation, and whether it was inserted rather than found. */
type InsertedOperation = Operation & { readonly isNew: boolean };

/** Returns an existing pending or running operation of the same kind, or else the new one. */
export async function insertOperation(
  db: Knex,
  { kind, connector, requestedBy, options }: NewOperation,
): Promise<InsertedOperation> {
  await execute(
    db,
    `delete from operations where ended_at is not null
       and id <= (select id from operations order by id desc offset ${MAX_OPERATIONS} limit 1)`,
  );
  // "do update" sets `xmax`, which is 0 in a new row.
  return queryRowOrThrow<InsertedOperation>(
    db,
    `insert into operations (kind, connector, asked_by, options) values (?, ?, ?, ?::jsonb)
     on conflict (kind, connector) where state in ('waiting', 'running')
       do update set kind = excluded.kind
     returning ${COLUMNS}, xmax = 0 as "isNew"`,
    [kind, connector, requestedBy, JSON.stringify(options)],
  );
}

export function findOperation(db: Knex, id: number): Promise<Operation | undefined> {
  return queryRow<Operation>(db, `select ${COLUMNS} from operations where id = ?`, [id]);
}

export function listOperations(db: Knex, kinds: readonly OperationKind[]): Promise<Operation[]> {
  return queryRows<Operation>(
    db,
    `select ${LIST_COLUMNS}, null as result from operations where kind = any (?::text[]) order by id desc limit ${MAX_OPERATIONS}`,
    [[...kinds]],
  );
}

/** Starts the next pending operation. Returns `undefined` if there is none. */
export function beginOperation(db: Knex, kinds: readonly OperationKind[]): Promise<Operation | undefined> {
  return queryRow<Operation>(
    db,
    `update operations set state = 'running', began_at = now(), renewed_at = now()
     where id = (
       select id from operations where state = 'waiting' and kind = any (?::text[])
       order by id limit 1 for update skip locked
     )
     returning ${COLUMNS}`,
    [[...kinds]],
  );
}

/** Renews a running operation. Returns false if it was cancelled. */
export function renewOperation(db: Knex, id: number, progress: Partial<OperationProgress>): Promise<boolean> {
  const sql =
    "update operations set renewed_at = now(), progress = ?::jsonb where id = ? and state = 'running'";
  return hasRows(db, sql, [JSON.stringify(progress), id]);
}

/** Stores the result of an operation. Does nothing if the operation was cancelled. */
export async function endOperation(
  db: Knex,
  id: number,
  ended: { readonly result: object } | { readonly error: string },
): Promise<void> {
  await execute(
    db,
    `update operations set state = :state, ended_at = now(), result = :result::jsonb, error = :error
     where id = :id and state = 'running'`,
    "result" in ended
      ? { id, state: "done", result: JSON.stringify(ended.result), error: "" }
      : { id, state: "failed", result: null, error: ended.error },
  );
}

/** Makes an operation pending again, because this process is stopping. */
export async function returnOperation(db: Knex, id: number): Promise<void> {
  await execute(
    db,
    "update operations set state = 'waiting', began_at = null, renewed_at = null where id = ? and state = 'running'",
    [id],
  );
}

/** Cancels an operation. Returns `undefined` if it is not pending or running. */
export function cancelOperation(db: Knex, id: number): Promise<Operation | undefined> {
  return queryRow<Operation>(
    db,
    `update operations set state = 'cancelled', ended_at = now()
     where id = ? and state in ('waiting', 'running') returning ${COLUMNS}`,
    [id],
  );
}

/** Fails operations whose process has stopped. They are not retried, because they may have crashed the process. */
export async function failAbandoned(db: Knex, kinds: readonly OperationKind[]): Promise<void> {
  await execute(
    db,
    `update operations set state = 'failed', ended_at = now(), error = 'The process that ran the operation has ended.'
     where state = 'running' and renewed_at < now() - ${ABANDONED_AFTER} and kind = any (?::text[])`,
    [[...kinds]],
  );
}
