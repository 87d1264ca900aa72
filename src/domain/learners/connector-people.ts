import { execute, type Knex, queryRows, queryValues } from "#infrastructure/db/query.js";

export interface Person {
  readonly externalId: string;
  readonly username: string;
}

/** An account as it was last read. */
interface KnownPerson extends Person {
  readonly previousUsername: string;
  /** Id of the account that now uses this username; empty if none does. */
  readonly takenBy: string;
}

const columns = `external_id as "externalId", username, previous_username as "previousUsername", taken_by as "takenBy"`;

/** Returns accounts that have one of these ids, or that have or had one of these usernames. */
export async function findPeople(
  db: Knex,
  connector: string,
  externalIds: readonly string[],
  usernames: readonly string[],
): Promise<KnownPerson[]> {
  return queryRows<KnownPerson>(
    db,
    `select ${columns} from connector_people
     where connector = :connector
       and (external_id = any (:externalIds::text[]) or username = any (:usernames::text[])
         or previous_username = any (:usernames::text[]))`,
    { connector, externalIds, usernames },
  );
}

export async function findUnreadUsernames(
  db: Knex,
  connector: string,
  sweepId: string,
  usernames: readonly string[],
): Promise<string[]> {
  return queryValues<string>(
    db,
    `select reported.username from unnest(?::text[]) with ordinality as reported (username, position)
     where not exists (
       select from connector_people known
       where known.connector = ? and known.username = reported.username and known.seen_sweep >= ?
     )
     order by position`,
    [usernames, connector, sweepId],
  );
}

export async function savePeople(
  db: Knex,
  connector: string,
  sweepId: string,
  people: readonly Person[],
): Promise<void> {
  if (people.length === 0) return;
  await execute(
    db,
    `insert into connector_people as known (connector, external_id, username, seen_sweep)
     select distinct on (reported.external_id) :connector, reported.*, :sweepId::bigint
     from unnest(:ids::text[], :usernames::text[]) as reported (external_id, username)
     on conflict (connector, external_id) do update
       set seen_sweep = greatest(known.seen_sweep, excluded.seen_sweep)`,
    {
      connector,
      sweepId,
      ids: people.map(({ externalId }) => externalId),
      usernames: people.map(({ username }) => username),
    },
  );
}

export async function renamePerson(
  db: Knex,
  connector: string,
  sweepId: string,
  { externalId, username }: Person,
): Promise<void> {
  await execute(
    db,
    `update connector_people set previous_username = username, username = ?, seen_sweep = ?
     where connector = ? and external_id = ? and username <> ?`,
    [username, sweepId, connector, externalId, username],
  );
}

/** Records that the username of this account now belongs to another account. */
export async function noteTaken(
  db: Knex,
  connector: string,
  externalId: string,
  takenBy: string,
): Promise<void> {
  await execute(db, "update connector_people set taken_by = ? where connector = ? and external_id = ?", [
    takenBy,
    connector,
    externalId,
  ]);
}

/** Returns accounts that were renamed or whose username was reused, for an operator to check. */
export async function listConflicts(db: Knex, connector: string): Promise<KnownPerson[]> {
  return queryRows<KnownPerson>(
    db,
    `select ${columns} from connector_people
     where connector = ? and (previous_username <> '' or taken_by <> '') order by external_id limit 100`,
    [connector],
  );
}

/** Returns the given usernames that belong to two accounts. The connector must not write records for them. */
export async function findTaken(
  db: Knex,
  connector: string,
  usernames: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set(
    await queryValues<string>(
      db,
      `select name as username from connector_people cross join unnest(array[username, previous_username]) as name
     where connector = ? and taken_by <> '' and name = any (?::text[])`,
      [connector, usernames],
    ),
  );
}

export async function findUsernames(
  db: Knex,
  connector: string,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await queryRows<Person>(
    db,
    `select external_id as "externalId", username from connector_people
     where connector = ? and external_id = any (?::text[])`,
    [connector, externalIds],
  );
  return new Map(rows.map(({ externalId, username }) => [externalId, username]));
}

export async function findIds(
  db: Knex,
  connector: string,
  usernames: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await queryRows<Person>(
    db,
    `select external_id as "externalId", username from connector_people
     where connector = ? and username = any (?::text[]) and taken_by = ''`,
    [connector, usernames],
  );
  return new Map(rows.map(({ externalId, username }) => [username, externalId]));
}

/** SQL: the usernames of all learners that the connector has reported. */
export function reportedLearners(connector: string): {
  readonly sql: string;
  readonly bindings: readonly string[];
} {
  return {
    sql: `select username from connector_people where connector = ?
      union select username from connector_enrollments where connector = ?
      union select username from connector_clashes where connector = ?`,
    bindings: [connector, connector, connector],
  };
}
