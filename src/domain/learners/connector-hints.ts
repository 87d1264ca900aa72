import { execute, type Knex, queryRow, queryRows } from "#infrastructure/db/query.js";

/** A message that a learner's data may have changed, in one course or in the account. */
export interface Hint {
  /** Empty if only the platform's id of the learner is known. */
  readonly username: string;
  readonly externalId: string;
  readonly courseKey: string;
}

export interface DueHint extends Hint {
  readonly id: string;
  readonly attempts: number;
  readonly isSecond: boolean;
}

/** Seconds after an event until the learner is read, because the event may arrive before its change is visible. */
const FIRST_READ_DELAY_S = 10;
const SECOND_READ_DELAY_S = 60;

/** Number of failures after which a hint is dropped. The next sweep then reads the learner. */
const MAX_ATTEMPTS = 5;

/** Adds hints, unless they exist. For each hint, the learner is read twice, at different times. */
export async function addHints(
  db: Knex,
  connector: string,
  hints: readonly Hint[],
  delayS = FIRST_READ_DELAY_S,
): Promise<void> {
  if (hints.length === 0) return;
  await execute(
    db,
    `insert into connector_hints (connector, username, external_id, course_key, due_at, is_second)
     select distinct :connector, reported.*, now() + make_interval(secs => look.delay), look.is_second
     from unnest(:usernames::text[], :ids::text[], :courses::text[]) as reported (username, external_id, course_key)
     cross join (values (:first::float8, false), (:second::float8, true)) as look (delay, is_second)
     on conflict do nothing`,
    {
      connector,
      usernames: hints.map(({ username }) => username),
      ids: hints.map(({ externalId }) => externalId),
      courses: hints.map(({ courseKey }) => courseKey),
      first: delayS,
      second: delayS * (SECOND_READ_DELAY_S / FIRST_READ_DELAY_S),
    },
  );
}

export async function listDue(db: Knex, connector: string, limit: number): Promise<DueHint[]> {
  return queryRows<DueHint>(
    db,
    `select id, username, external_id as "externalId", course_key as "courseKey", attempts, is_second as "isSecond"
     from connector_hints where connector = ? and due_at <= now() order by due_at, id limit ?`,
    [connector, limit],
  );
}

export async function measureHints(
  db: Knex,
): Promise<{ readonly connector: string; readonly hints: number; readonly overdue: number }[]> {
  return queryRows(
    db,
    `select connector, count(*)::integer as hints,
       greatest(0, extract(epoch from now() - min(due_at)))::float8 as overdue
     from connector_hints group by connector`,
  );
}

interface BusyCourse {
  readonly courseKey: string;
  /** Microseconds since 1970. After the course is read, hints that are due up to this time are deleted. */
  readonly until: string;
}

/**
 * Returns courses with more due hints than both a fixed number and a share of their active
 * learners.
 */
export async function listBusyCourses(
  db: Knex,
  connector: string,
  { least, share }: { readonly least: number; readonly share: number },
): Promise<BusyCourse[]> {
  return queryRows<BusyCourse>(
    db,
    `select course_key as "courseKey", (extract(epoch from now()) * 1e6)::bigint::text as until
     from connector_hints
     where connector = :connector and course_key <> '' and due_at <= now()
     group by course_key
     having count(*) > :least::integer and count(*) > :share::float8 * (
       select count(*) from connector_enrollments reported
       where reported.connector = :connector and reported.context_key = course_key and reported.is_active
     )`,
    { connector, least, share },
  );
}

export async function removeHintsOfCourse(
  db: Knex,
  connector: string,
  { courseKey, until }: BusyCourse,
): Promise<void> {
  await execute(
    db,
    `delete from connector_hints
     where connector = ? and course_key = ? and due_at <= 'epoch'::timestamptz + ?::bigint * interval '1 microsecond'`,
    [connector, courseKey, until],
  );
}

/** Deletes the hints of a platform whose driver can't read single learners. Returns their number. */
export function forgetHints(db: Knex, connector: string): Promise<number> {
  return execute(db, "delete from connector_hints where connector = ?", [connector]);
}

export async function removeHint(db: Knex, id: string): Promise<void> {
  await execute(db, "delete from connector_hints where id = ?", [id]);
}

/**
 * Postpones a failed hint. After the last attempt, deletes it instead, because the next sweep reads the learner.
 * @param reason must not name a person
 * @returns whether the hint was deleted
 */
export async function postponeHint(
  db: Knex,
  connector: string,
  { id, attempts }: DueHint,
  reason: string,
): Promise<boolean> {
  const isAbandoned = attempts + 1 >= MAX_ATTEMPTS;
  await execute(
    db,
    `insert into connector_hint_failures as known (connector, reason, failed, given_up) values (?, left(?, 300), 1, ?)
     on conflict (connector, reason) do update
       set failed = known.failed + 1, given_up = known.given_up + excluded.given_up, last_at = now()`,
    [connector, reason, isAbandoned ? 1 : 0],
  );
  if (isAbandoned) await removeHint(db, id);
  else
    await execute(
      db,
      `update connector_hints set attempts = attempts + 1, due_at = now() + make_interval(secs => ?::float8)
       where id = ?`,
      [SECOND_READ_DELAY_S * 2 ** attempts, id],
    );
  return isAbandoned;
}

/** Why hints have failed since the last complete sweep, and how often. */
export interface HintFailure {
  readonly reason: string;
  readonly failed: number;
  /** Number of hints dropped after several attempts. */
  readonly givenUp: number;
  readonly lastAt: Date;
}

export function listHintFailures(db: Knex, connector: string): Promise<HintFailure[]> {
  return queryRows<HintFailure>(
    db,
    `select reason, failed, given_up as "givenUp", last_at as "lastAt" from connector_hint_failures
     where connector = ? order by last_at desc limit 20`,
    [connector],
  );
}

/** Deletes the failures of hints. Called after a complete sweep, which has read the learners concerned. */
export async function forgetHintFailures(db: Knex, connector: string): Promise<void> {
  await execute(db, "delete from connector_hint_failures where connector = ?", [connector]);
}

export async function lastProcessed(
  db: Knex,
  connector: string,
  stream: string,
): Promise<string | undefined> {
  const row = await queryRow<{ id: string }>(
    db,
    "select last_id as id from connector_streams where connector = ? and stream = ?",
    [connector, stream],
  );
  return row?.id;
}

export async function saveLastProcessed(
  db: Knex,
  connector: string,
  stream: string,
  id: string,
): Promise<void> {
  await execute(
    db,
    `insert into connector_streams (connector, stream, last_id) values (?, ?, ?)
     on conflict (connector, stream) do update set last_id = excluded.last_id`,
    [connector, stream, id],
  );
}
