import { execute, type Knex, queryRows, queryValues } from "#infrastructure/db/query.js";

export async function saveEnrollments(
  db: Knex,
  connector: string,
  sweepId: string,
  reported: readonly { readonly contextKey: string; readonly username: string; readonly isActive: boolean }[],
): Promise<void> {
  if (reported.length === 0) return;
  await execute(
    db,
    `insert into connector_enrollments as known (connector, context_key, username, is_active, seen_sweep)
     select distinct on (reported.context_key, reported.username) :connector, reported.*, :sweepId::bigint
     from unnest(:keys::text[], :usernames::text[], :active::boolean[]) as reported (context_key, username, is_active)
     on conflict (connector, context_key, username) do update
       set is_active = excluded.is_active, seen_sweep = greatest(known.seen_sweep, excluded.seen_sweep)`,
    {
      connector,
      sweepId,
      keys: reported.map(({ contextKey }) => contextKey),
      usernames: reported.map(({ username }) => username),
      active: reported.map(({ isActive }) => isActive),
    },
  );
}

/** Returns usernames of active enrolments that this connector has reported, but that this sweep has not found. */
export async function findAbsent(
  db: Knex,
  connector: string,
  sweepId: string,
  contextKey: string,
): Promise<string[]> {
  return queryValues<string>(
    db,
    `select username from connector_enrollments
     where connector = ? and context_key = ? and is_active and seen_sweep < ? order by username`,
    [connector, contextKey, sweepId],
  );
}

/** Returns the number of active enrolments that the connector has reported, by context. */
export async function countReported(db: Knex, connector: string): Promise<ReadonlyMap<string, number>> {
  const rows = await queryRows<{ key: string; count: number }>(
    db,
    `select context_key as key, count(*)::integer as count from connector_enrollments
     where connector = ? and is_active group by context_key`,
    [connector],
  );
  return new Map(rows.map(({ key, count }) => [key, count]));
}
