import { type Connection, connectionsTo } from "./connection.js";
import { closePool, openPool, type Pool } from "./database.js";
import type { Freshness, Reading } from "./freshness.js";

/** A connection to the replica shows too old a state, or leads to something that is no replica. */
export class NotFresh extends Error {}

/** A standby of the database. */
export interface Replica extends Pool {
  /**
   * Finds out how old what is read on this connection from now on may be.
   * @returns a time by this process's clock, before which nothing can be missing
   * @throws NotFresh if that is unknown
   */
  prove(connection: Connection): Promise<number>;
  close(): Promise<void>;
}

/** Two batches for each of two look-ups, and one for looking whether it works. */
const CONNECTIONS = 5;

/** The primary can answer in its place, so it is given little time. */
const TIMEOUTS = { statement: 1_000, lock: 1_000, idleInTransaction: 1_000, answer: 1_000, connect: 1_000 };

/** Whether a credential has expired is told by the clock of the server that is asked. */
const MAX_CLOCK_DIFFERENCE_MS = 1_000;

/** A connection's proof is used for this long before the server is asked again. */
const PROVEN_MS = 1_000;

/**
 * Only a standby has a replayed position. Its timeline is the one that its control file knows. For some minutes after
 * a failover that may be the previous one, and nothing matches; it is never a later one.
 */
const REPLAYED = `
  select system_identifier || ' ' || pg_database.oid || ' ' || greatest(timeline_id, min_recovery_end_timeline)
      as history,
    case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::bigint end as lsn,
    (extract(epoch from clock_timestamp()) * 1000)::float8 as clock
  from pg_control_system(), pg_control_checkpoint(), pg_control_recovery(), pg_database
  where datname = current_database()`;

/**
 * Where a primary writes. Its control file learns of a new timeline only at its next checkpoint, but the name
 * of the log's file has it at once.
 */
const WRITTEN = `
  select system_identifier || ' ' || pg_database.oid || ' '
      || ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as history,
    (pg_current_wal_lsn() - '0/0')::bigint as lsn,
    (extract(epoch from clock_timestamp()) * 1000)::float8 as clock
  from pg_control_system(), pg_database
  where datname = current_database()`;

/** Opens connections to the standby at `url`; the first query connects. */
export function openReplica(url: string, freshness: Freshness): Replica {
  const pool = openPool(connectionsTo(url, "learning-credentials replica", TIMEOUTS), CONNECTIONS);
  const proven = new WeakMap<Connection, number>();
  return {
    knex: pool.knex,
    async prove(connection) {
      const known = proven.get(connection);
      if (known !== undefined && performance.now() - known < PROVEN_MS) return known;
      try {
        const reading = await read(connection, REPLAYED);
        const difference = freshness.clockDifference(reading);
        if (difference > MAX_CLOCK_DIFFERENCE_MS)
          throw new NotFresh(`its clock differs from the primary's by ${Math.round(difference)} ms`);
        const asOf = freshness.asOf(reading);
        if (asOf === undefined) throw new NotFresh("it lags behind, or follows another server or timeline");
        proven.set(connection, asOf);
        return asOf;
      } catch (error) {
        connection.destroy(); // the next one may lead to another replica
        throw error;
      }
    },
    close: () => closePool(pool),
  };
}

/** @throws NotFresh if the server does not replay what another writes */
async function read(connection: Connection, sql: string): Promise<Reading> {
  const askedAt = performance.now();
  const { rows } = await connection.query<{ history: string; lsn: number | null; clock: number }>(sql);
  const answeredAt = performance.now();
  const [{ history, lsn, clock } = { history: "", lsn: null, clock: 0 }] = rows;
  if (lsn === null) throw new NotFresh("its server is no standby");
  return { history, lsn, clock, askedAt, answeredAt };
}

/** Asks the primary where it writes. @throws if this server is none */
export function readPosition(connection: Connection): Promise<Reading> {
  return read(connection, WRITTEN);
}
