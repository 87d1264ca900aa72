import { type Knex, queryRowOrThrow, queryRows } from "#infrastructure/db/query.js";
import { listClashes } from "../learners/connector-clashes.js";
import { type HintFailure, listHintFailures } from "../learners/connector-hints.js";
import { listConflicts } from "../learners/connector-people.js";
import { findPause, type Pause } from "./sweep/pause-store.js";
import {
  isWithheld,
  lastSweeps,
  listExcluded,
  listUnlisted,
  readStages,
  type StageRow,
  type SweepRow,
} from "./sweep/sweep-store.js";

/** The status of a connector. Names no learners, except those whose accounts an operator must check. */
export interface ConnectorStatus {
  /**
   * Learners about whom the connector and the owner of their record report different data. Contains their number, and
   * a list of the first learners.
   */
  readonly clashes: Awaited<ReturnType<typeof listClashes>>;
  readonly last: SweepRow | undefined;
  readonly complete: SweepRow | undefined;
  /** Undefined unless the last attempt to read the platform failed. */
  readonly pause: Pause | undefined;
  /** Stages that failed in the last sweep. */
  readonly failures: readonly StageRow[];
  /** Stages after which some facts about a course are still unknown, with reasons. */
  readonly withheld: readonly StageRow[];
  /** Contexts that the platform no longer lists. No credentials are issued there. */
  readonly unlisted: readonly string[];
  /** Contexts that were read before the settings excluded them. No credentials are issued there. */
  readonly excluded: readonly string[];
  readonly stages: readonly {
    readonly stage: string;
    readonly complete: number;
    readonly open: number;
    readonly failed: number;
  }[];
  readonly contexts: number;
  /** Number of contexts for which no credentials are issued yet. */
  readonly incomplete: number;
  readonly hints: number;
  /** Seconds by which the oldest hint is overdue. */
  readonly overdue: number;
  readonly hintFailures: readonly HintFailure[];
  readonly renamed: readonly { readonly externalId: string; readonly from: string; readonly to: string }[];
  /** Usernames that now belong to another account. No records are written for them. */
  readonly taken: readonly {
    readonly username: string;
    readonly externalId: string;
    readonly takenBy: string;
  }[];
}

export async function readStatus(db: Knex, connector: string): Promise<ConnectorStatus> {
  const { last, complete } = await lastSweeps(db, connector);
  const rows = last ? await readStages(db, last.id) : [];
  const counts = await queryRowOrThrow<
    Pick<ConnectorStatus, "contexts" | "incomplete" | "hints" | "overdue">
  >(
    db,
    `select
       (select count(*)::integer from connector_contexts
        where connector = :connector and not is_excluded) as contexts,
       (select count(*)::integer from connector_contexts
        where connector = :connector and not is_excluded and complete_at is null) as incomplete,
       (select count(*)::integer from connector_hints where connector = :connector) as hints,
       (select coalesce(greatest(0, extract(epoch from now() - min(due_at))), 0)::integer from connector_hints
        where connector = :connector) as overdue`,
    { connector },
  );
  const conflicts = await listConflicts(db, connector);
  return {
    last,
    complete,
    clashes: await listClashes(db, connector),
    pause: await findPause(db, connector),
    failures: rows.filter(({ state }) => state === "failed"),
    withheld: rows.filter(isWithheld),
    unlisted: await listUnlisted(db, connector),
    excluded: await listExcluded(db, connector),
    hintFailures: await listHintFailures(db, connector),
    stages: last ? await countStages(db, last.id) : [],
    ...counts,
    renamed: conflicts
      .filter(({ previousUsername }) => previousUsername !== "")
      .map(({ externalId, previousUsername, username }) => ({
        externalId,
        from: previousUsername,
        to: username,
      })),
    taken: conflicts
      .filter(({ takenBy }) => takenBy !== "")
      .map(({ username, externalId, takenBy }) => ({ username, externalId, takenBy })),
  };
}

async function countStages(db: Knex, sweepId: string): Promise<ConnectorStatus["stages"]> {
  return queryRows(
    db,
    `select stage, count(*) filter (where state = 'complete')::integer as complete,
       count(*) filter (where state = 'open')::integer as open,
       count(*) filter (where state = 'failed')::integer as failed
     from connector_stages where sweep_id = ? group by stage order by stage`,
    [sweepId],
  );
}
