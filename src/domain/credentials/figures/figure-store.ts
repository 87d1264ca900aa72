import { execute, type Knex, queryRow, queryRows } from "#infrastructure/db/query.js";
import { type Organisations, withinSql } from "../../learners/organisations.js";

/** The first three are counted from the log of events. The others are counted when they happen. */
const FIGURES = ["issued", "mailed", "withdrawn", "downloaded", "verified"] as const;

export type Figure = (typeof FIGURES)[number];

export type Figures = Readonly<Record<Figure, number>>;

interface FigureFilter {
  /** A day, for example `2026-01-15`. Both days are included. */
  readonly firstDay: string;
  readonly lastDay: string;
  /** Null for all configurations. */
  readonly configurationId: number | null;
  readonly organisations: Organisations;
}

/** Maximum number of events per call. */
const BATCH = 10_000;

/**
 * Counts the next events of the log. Each event is counted exactly once, even after crashes and with several processes.
 * @param timeZone IANA name of the time zone whose days are counted
 * @returns whether there may be more events
 */
export async function countEvents(db: Knex, timeZone: string): Promise<boolean> {
  const row = await queryRow<{ events: number }>(
    db,
    `with head as (
       select position from daily_figures_head for update skip locked
     ), passed as (
       select * from credential_events
       where position > (select position from head) -- with a join, Postgres would read all events
       order by position limit ${BATCH}
     ), kinds as (
       select (occurred_at at time zone ?)::date as day, configuration_id, case
         when type = 'issued' and status_before is null then 'issued' -- otherwise, a retry
         when type = 'emailed' then 'mailed'
         when status_after = 'invalidated' and status_before <> 'invalidated' then 'withdrawn'
       end as kind from passed
     ), counted as (
       insert into daily_figures (day, configuration_id, kind, count)
       select day, configuration_id, kind, count(*) from kinds where kind is not null group by 1, 2, 3
       order by 1, 2, 3
       on conflict (day, configuration_id, kind) do update set count = daily_figures.count + excluded.count
     )
     update daily_figures_head set position = passed_by.position
     from (select max(position) as position, count(*)::integer as events from passed) as passed_by
     where passed_by.events > 0
     returning passed_by.events`,
    [timeZone],
  );
  return row?.events === BATCH;
}

export async function addFigures(
  db: Knex,
  timeZone: string,
  counts: readonly { readonly configurationId: number; readonly kind: Figure; readonly count: number }[],
): Promise<void> {
  await execute(
    db,
    `insert into daily_figures (day, configuration_id, kind, count)
     select (now() at time zone ?)::date, * from unnest(?::integer[], ?::text[], ?::bigint[]) order by 2, 3
     on conflict (day, configuration_id, kind) do update set count = daily_figures.count + excluded.count`,
    [
      timeZone,
      counts.map(({ configurationId }) => configurationId),
      counts.map(({ kind }) => kind),
      counts.map(({ count }) => count),
    ],
  );
}

export async function sumFigures<By extends "day" | "configurationId">(
  db: Knex,
  by: By,
  { firstDay, lastDay, configurationId, organisations }: FigureFilter,
): Promise<(Figures & Readonly<Record<By, By extends "day" ? string : number>>)[]> {
  const column = by === "day" ? "to_char(day, 'YYYY-MM-DD')" : "figure.configuration_id";
  const sums = FIGURES.map(
    (kind) => `coalesce(sum(count) filter (where kind = '${kind}'), 0)::float8 as "${kind}"`,
  );
  return queryRows(
    db,
    `select ${column} as "${by}", ${sums.join(", ")}
     from daily_figures figure
     left join credential_configurations configuration on configuration.id = figure.configuration_id
     where day between cast(:firstDay as date) and cast(:lastDay as date)
       and (cast(:configurationId as integer) is null or figure.configuration_id = :configurationId)
       and ${withinSql("configuration.learning_context_key", organisations, ":organisations")}
     group by 1 order by 1`,
    { firstDay, lastDay, configurationId, organisations: [...(organisations ?? [])] },
  );
}
