import { retry } from "#foundation/concurrency/retry.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import { isRolledBack } from "#infrastructure/db/outage.js";
import { execute, type Knex, RETRY_OPTIONS } from "#infrastructure/db/query.js";
import { forgetAccounts } from "../../learners/connector-accounts.js";
import { deleteRecords } from "../../learners/erase-records.js";
import { noteErasure } from "../../learners/erased-learners.js";
import { writeRecords } from "../../learners/import-records.js";
import {
  inLearnerTransaction,
  inSavepoint,
  type LearnerTransaction,
} from "../../learners/learner-transaction.js";
import { ownerOf } from "../../learners/owners.js";
import type { LearnerFact, LearnerRecord } from "../../learners/record.js";
import { batchOf } from "../../learners/record-batch.js";

export interface Storage {
  /** Runs statements on the state that the sweep keeps between pages. */
  query<T>(work: (db: Knex) => Promise<T>): Promise<T>;
  /** Runs `work` in a transaction that blocks erasures. */
  transaction<T>(work: (transaction: LearnerTransaction) => Promise<T>): Promise<T>;
  /**
   * Writes data about learners within `transaction`. In a dry run, the changes are rolled back.
   * @param usernames learners about whom `work` may write
   */
  write<T extends Written>(
    transaction: LearnerTransaction,
    usernames: readonly string[],
    work: (transaction: LearnerTransaction) => Promise<T>,
  ): Promise<T>;
  forget(username: string): Promise<void>;
}

interface Written {
  readonly accepted: readonly LearnerRecord[];
}

export function createStorage(database: Database, signal: AbortSignal): Storage {
  return {
    query: (work) => work(database.knex),
    transaction: (work) => inLearnerTransaction(database, signal, work),
    write: (transaction, _, work) => work(transaction),
    async forget() {}, // nothing to do, because the erasure itself deletes the state
  };
}

/**
 * Runs a sweep that changes nothing. Its state is copied to temporary tables, which are dropped at the end. Data about
 * learners is rolled back after each page, so that locks last no longer than a page.
 */
export function inDryRun<T>(
  database: Database,
  connector: string,
  signal: AbortSignal,
  run: (storage: Storage) => Promise<T>,
): Promise<T> {
  return rolledBack(
    (work) => inTransaction(database, signal, (transaction) => work(transaction as LearnerTransaction)),
    async (transaction) => {
      // The transaction is idle while the platform responds, which may take long.
      await execute(transaction, "set local idle_in_transaction_session_timeout = 0");
      await copyState(transaction, connector);
      return run(dryRunStorage(transaction, connector));
    },
  );
}

class RolledBack extends Error {}

function dryRunStorage(outer: LearnerTransaction, connector: string): Storage {
  const inTurn = createQueue();
  /** Learners whom a real sweep would have erased by now. */
  const erased = new Set<string>();
  const learners = new Map<string, LearnerFact>();
  async function replay(transaction: LearnerTransaction, usernames: readonly string[]): Promise<void> {
    for (const username of erased) await deleteRecords(transaction, username);
    const before = usernames.flatMap((username) => learners.get(username) ?? []);
    if (before.length > 0) await writeRecords(transaction, batchOf(before), ownerOf(connector));
  }
  return {
    query: (work) => inTurn(() => work(outer)),
    transaction: (work) => inTurn(() => work(outer)),
    async write(transaction, usernames, work) {
      const written = await retry(
        () =>
          rolledBack(
            (within) => inSavepoint(transaction, within),
            async (savepoint) => {
              await replay(savepoint, usernames);
              return work(savepoint);
            },
          ),
        { isRetryable: isRolledBack, ...RETRY_OPTIONS },
      );
      for (const record of written.accepted)
        if (record.kind === "learner") learners.set(record.username, record);
      return written;
    },
    forget: (username) =>
      inTurn(async () => {
        erased.add(username);
        learners.delete(username);
        await forgetAccounts(outer, username);
        await noteErasure(outer, username);
      }),
  };
}

/** Returns the result of `work`, and rolls back its writes. */
async function rolledBack<T>(
  begin: (work: (transaction: LearnerTransaction) => Promise<never>) => Promise<never>,
  work: (transaction: LearnerTransaction) => Promise<T>,
): Promise<T> {
  let result: { readonly value: T } | undefined;
  const attempt = begin(async (transaction) => {
    result = { value: await work(transaction) };
    throw new RolledBack();
  });
  await attempt.catch((error) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  if (!result) throw new Error("a rolled back transaction has no result");
  return result.value;
}

export function createQueue() {
  let before: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = before.then(work, work);
    before = turn;
    return turn;
  };
}

/** Tables with the state of sweeps. The condition selects the rows with which a dry run starts. */
export const sweepTables: Readonly<Record<string, string>> = {
  connector_clashes: "connector = :connector",
  connector_contexts: "connector = :connector",
  connector_enrollments: "connector = :connector",
  connector_hint_failures: "connector = :connector",
  connector_hints: "connector = :connector",
  connector_people: "connector = :connector",
  connector_stages: "false",
  connector_subsections: "connector = :connector",
  connector_sweeps: "connector = :connector and state <> 'running'",
  erased_learners: "true",
  lti_people: "false",
  lti_teachers: "false",
  one_roster_ids: "false",
};

async function copyState(transaction: Knex.Transaction, connector: string): Promise<void> {
  for (const [table, isCopied] of Object.entries(sweepTables)) {
    const own = `own_${table}`;
    await execute(
      transaction,
      `create temporary table ${own} on commit drop as select * from ${table} where ${isCopied}`,
      { connector },
    );
    await execute(
      transaction,
      `create temporary table ${table} (like ${table} including all) on commit drop`,
    );
    await execute(transaction, `insert into ${table} overriding system value select * from ${own}`);
  }
  // The ids of dry runs start above those of all real sweeps, so they never collide.
  await execute(transaction, "alter table connector_sweeps alter column id restart with 4611686018427387904");
}
