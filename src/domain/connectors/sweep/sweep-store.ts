import {
  execute,
  type Knex,
  queryRow,
  queryRowOrThrow,
  queryRows,
  queryValues,
} from "#infrastructure/db/query.js";
import type { Scope, Subsection } from "../driver/driver.js";

export type SweepState = "running" | "complete" | "partial" | "held" | "failed";

/** Counts by name, for example `enrollment.written`. */
export type SweepTally = Record<string, number>;

export interface SweepRow {
  readonly id: string;
  readonly connector: string;
  readonly state: SweepState;
  readonly cause: string;
  readonly reason: string;
  readonly tally: SweepTally;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

const columns = `id, connector, state, cause, reason, tally, started_at as "startedAt", finished_at as "finishedAt"`;

/** Returns the sweep in progress, or starts one. */
export async function beginOrResume(db: Knex, connector: string, cause: string): Promise<SweepRow> {
  await execute(
    db,
    `insert into connector_sweeps (connector, state, cause) values (?, 'running', ?)
     on conflict (connector) where state = 'running' do nothing`,
    [connector, cause],
  );
  return queryRowOrThrow<SweepRow>(
    db,
    `select ${columns} from connector_sweeps where connector = ? and state = 'running'`,
    [connector],
  );
}

export async function lastSweeps(
  db: Knex,
  connector: string,
): Promise<{ last: SweepRow | undefined; complete: SweepRow | undefined }> {
  const find = (condition: string) =>
    queryRow<SweepRow>(
      db,
      `select ${columns} from connector_sweeps where connector = ? ${condition} order by id desc limit 1`,
      [connector],
    );
  return { last: await find(""), complete: await find("and state = 'complete'") };
}

export async function endSweep(
  db: Knex,
  id: string,
  state: SweepState,
  reason: string,
  tally: SweepTally,
): Promise<void> {
  await execute(
    db,
    `update connector_sweeps set state = ?, reason = ?, tally = ?::jsonb, finished_at = now()
     where id = ? and state = 'running'`,
    [state, reason, JSON.stringify(tally), id],
  );
}

/** Keeps the last 30 sweeps. Deletes older ones and their stages. */
export async function removeOldSweeps(db: Knex, connector: string): Promise<void> {
  await execute(
    db,
    `delete from connector_sweeps where connector = :connector and id not in (
       select id from connector_sweeps where connector = :connector order by id desc limit 30
     )`,
    { connector },
  );
}

/** Progress of a stage for a course, a path or the whole platform. */
export interface StageRow {
  readonly stage: string;
  readonly scope: string;
  readonly state: "open" | "complete" | "failed";
  readonly cursor: string | null;
  readonly pages: number;
  /** Why the stage failed. If it is complete, the facts about the course that are not known yet. */
  readonly error: string;
}

/** Returns whether some facts about the course are not known yet. */
export function isWithheld({ state, error }: StageRow): boolean {
  return state === "complete" && error !== "";
}

export async function readStages(db: Knex, sweepId: string): Promise<StageRow[]> {
  return queryRows<StageRow>(
    db,
    "select stage, scope, state, cursor, pages, error from connector_stages where sweep_id = ?",
    [sweepId],
  );
}

export async function saveStage(db: Knex, sweepId: string, row: StageRow): Promise<void> {
  await execute(
    db,
    `insert into connector_stages (sweep_id, stage, scope, state, cursor, pages, error)
     values (:sweepId, :stage, :scope, :state, :cursor, :pages, :error)
     on conflict (sweep_id, stage, scope) do update
       set state = excluded.state, cursor = excluded.cursor, pages = excluded.pages, error = excluded.error`,
    { sweepId, ...row },
  );
}

export async function saveTally(db: Knex, sweepId: string, tally: SweepTally): Promise<void> {
  await execute(db, "update connector_sweeps set tally = ?::jsonb where id = ?", [
    JSON.stringify(tally),
    sweepId,
  ]);
}

export async function saveContexts(
  db: Knex,
  connector: string,
  sweepId: string,
  contexts: readonly Scope[],
): Promise<void> {
  await execute(
    db,
    `insert into connector_contexts as known (connector, context_key, external_id, display_name, seen_sweep)
     select distinct on (reported.context_key) :connector, reported.*, :sweepId::bigint
     from unnest(:keys::text[], :ids::text[], :names::text[]) as reported (context_key, external_id, display_name)
     on conflict (connector, context_key) do update
       set external_id = excluded.external_id, display_name = excluded.display_name, seen_sweep = excluded.seen_sweep,
         complete_at = case when known.is_excluded then null else known.complete_at end, is_excluded = false`,
    {
      connector,
      sweepId,
      keys: contexts.map(({ contextKey }) => contextKey),
      ids: contexts.map(({ externalId }) => externalId),
      names: contexts.map(({ displayName }) => displayName),
    },
  );
}

/** Lists the courses and paths that the sweep has found, ordered by key. */
export async function listContexts(db: Knex, connector: string, sweepId: string): Promise<Scope[]> {
  return queryRows<Scope>(
    db,
    `select context_key as "contextKey", external_id as "externalId", display_name as "displayName"
     from connector_contexts where connector = ? and seen_sweep = ? order by context_key`,
    [connector, sweepId],
  );
}

/** Lists the contexts that the connector has read. Leaves out contexts that are recorded as excluded. */
export async function listRead(db: Knex, connector: string): Promise<string[]> {
  return queryValues<string>(
    db,
    "select context_key as key from connector_contexts where connector = ? and not is_excluded",
    [connector],
  );
}

/**
 * Records contexts that the settings exclude. Their data is no longer updated, so no credentials are issued from it.
 * Their keys are kept, so that a course gets the same key if it is read again later.
 */
export async function noteExcluded(db: Knex, connector: string, keys: readonly string[]): Promise<void> {
  await execute(
    db,
    `update connector_contexts set is_excluded = true, complete_at = null
     where connector = ? and context_key = any (?::text[])`,
    [connector, keys],
  );
}

/**
 * Lets other sources report contexts that the connector no longer reads, and allows credentials to be issued from the
 * other sources' data.
 * @param key only this course or path; undefined for all contexts of the connector
 * @returns the number of released contexts
 */
export async function releaseContexts(
  db: Knex,
  connector: string,
  key: string | undefined,
  { dryRun }: { readonly dryRun: boolean },
): Promise<number> {
  const isReleased = `connector = :connector and context_key = coalesce(:key, context_key)`;
  const bindings = { connector, key: key ?? null };
  if (!dryRun)
    return execute(
      db,
      `update connector_contexts set is_excluded = true, complete_at = now(), fresh_for = null where ${isReleased}`,
      bindings,
    );
  const { count } = await queryRowOrThrow<{ count: number }>(
    db,
    `select count(*)::integer as count from connector_contexts where ${isReleased}`,
    bindings,
  );
  return count;
}

/**
 * Returns the keys of contexts by the platform's ids. If an id has several keys, returns the key that was listed last.
 */
export async function findContextKeys(
  db: Knex,
  connector: string,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await queryRows<{ id: string; key: string }>(
    db,
    `select distinct on (external_id) external_id as id, context_key as key from connector_contexts
     where connector = ? and external_id = any (?::text[])
     order by external_id, seen_sweep desc, complete_at nulls last, context_key`,
    [connector, externalIds],
  );
  return new Map(rows.map(({ id, key }) => [id, key]));
}

export async function findContext(
  db: Knex,
  connector: string,
  contextKey: string,
): Promise<Scope | undefined> {
  return queryRow<Scope>(
    db,
    `select context_key as "contextKey", external_id as "externalId", display_name as "displayName"
     from connector_contexts where connector = ? and context_key = ?`,
    [connector, contextKey],
  );
}

/** Records that a sweep has read everything about these contexts. @param since when the sweep started */
export async function saveCompleteContexts(
  db: Knex,
  connector: string,
  contextKeys: readonly string[],
  since: Date,
  freshForHours: number | undefined,
): Promise<void> {
  await execute(
    db,
    `update connector_contexts set complete_at = ?, fresh_for = make_interval(secs => ?::float8)
     where connector = ? and context_key = any (?::text[])`,
    [since, freshForHours === undefined ? null : freshForHours * 3600, connector, contextKeys],
  );
}

/**
 * Records contexts that this sweep did not find. No credentials are issued there until the platform lists them again.
 * If the platform listed nothing, nothing is recorded, because an empty list is probably a fault of the platform.
 */
export async function noteUnlisted(db: Knex, connector: string, sweepId: string): Promise<void> {
  await execute(
    db,
    `update connector_contexts set complete_at = null
     where connector = :connector and seen_sweep < :sweepId and complete_at is not null and not is_excluded and exists (
       select from connector_contexts listed where listed.connector = :connector and listed.seen_sweep = :sweepId
     )`,
    { connector, sweepId },
  );
}

/**
 * Returns at most 100 contexts that the last sweep did not find. Returns none while a sweep is running, or if it
 * failed.
 */
export async function listUnlisted(db: Knex, connector: string): Promise<string[]> {
  return queryValues<string>(
    db,
    `select context_key as key from connector_contexts
     join (
       select id, state from connector_sweeps where connector = ? order by id desc limit 1
     ) as last on last.state not in ('running', 'failed') and seen_sweep < last.id
     where connector = ? and not is_excluded order by context_key limit 100`,
    [connector, connector],
  );
}

const configured = `
  select learning_context_key as key from credential_configurations
  union
  select unnest(path.step_course_keys) from credential_configurations configuration
  join learning_paths path on path.path_key = configuration.learning_context_key and not path.is_deleted`;

/** Returns contexts that have configured credentials, but that the settings exclude. */
export async function listExcluded(db: Knex, connector: string): Promise<string[]> {
  return queryValues<string>(
    db,
    `select context_key as key from connector_contexts
     where connector = ? and is_excluded and complete_at is null and context_key in (${configured})
     order by context_key limit 100`,
    [connector],
  );
}

export async function listConfigured(db: Knex): Promise<string[]> {
  return queryValues<string>(db, configured);
}

/** Returns the configurations in contexts that the connector reads. */
export async function listReadConfigurations(db: Knex, connector: string): Promise<number[]> {
  return queryValues<number>(
    db,
    `select configuration.id from credential_configurations configuration
     join connector_contexts context on context.context_key = configuration.learning_context_key
     where context.connector = ? and not context.is_excluded order by configuration.id`,
    [connector],
  );
}

export async function listSubsections(db: Knex, connector: string, courseKey: string): Promise<Subsection[]> {
  return queryRows<Subsection>(
    db,
    `select usage_key as "usageKey", assignment_type as "assignmentType", possible::float8 as possible
     from connector_subsections where connector = ? and course_key = ? order by usage_key`,
    [connector, courseKey],
  );
}

export async function removeSubsections(
  db: Knex,
  connector: string,
  courseKey: string,
  usageKeys: readonly string[],
): Promise<void> {
  await execute(
    db,
    "delete from connector_subsections where connector = ? and course_key = ? and usage_key = any (?::text[])",
    [connector, courseKey, usageKeys],
  );
}

/** Saves the subsections of a course without their points, which each sweep determines again. */
export async function saveSubsections(
  db: Knex,
  connector: string,
  sweepId: string,
  courseKey: string,
  listed: readonly Omit<Subsection, "possible">[],
): Promise<void> {
  await execute(
    db,
    `insert into connector_subsections (connector, course_key, usage_key, assignment_type, seen_sweep)
     select distinct on (reported.usage_key) :connector, :courseKey, reported.usage_key, reported.assignment_type, :sweepId::bigint
     from unnest(:keys::text[], :types::text[]) as reported (usage_key, assignment_type)
     on conflict (connector, course_key, usage_key) do update
       set assignment_type = excluded.assignment_type, seen_sweep = excluded.seen_sweep, possible = null`,
    {
      connector,
      courseKey,
      sweepId,
      keys: listed.map(({ usageKey }) => usageKey),
      types: listed.map(({ assignmentType }) => assignmentType),
    },
  );
}

export async function savePossible(
  db: Knex,
  connector: string,
  courseKey: string,
  possible: ReadonlyMap<string, number>,
): Promise<void> {
  await execute(
    db,
    `update connector_subsections set possible = reported.possible
     from unnest(?::text[], ?::numeric[]) as reported (usage_key, possible)
     where connector = ? and course_key = ? and connector_subsections.usage_key = reported.usage_key`,
    [[...possible.keys()], [...possible.values()], connector, courseKey],
  );
}
