import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { until } from "./workforce.js";

/** A step of the database's work, such as `before update on credentials`, at rows for which the condition holds. */
export interface Step {
  readonly at: string;
  readonly table: string;
  /** About `old` and `new`. */
  readonly when: string;
}

/** Who comes to a step waits there, as it would for a lock, until it is let go. */
export interface Hold {
  /** Resolves when somebody waits. */
  reached(): Promise<void>;
  /** Whoever waits goes on, dead or alive, and nobody waits any more. */
  release(): Promise<void>;
  /** The sessions that wait end, as if the server had noticed that their clients are gone; nobody waits any more. */
  breakOff(): Promise<void>;
}

/** The key of the advisory lock: any that nobody else uses. */
const LOCK = 0x7e57_0001;

/**
 * Holds up a step with a trigger: nothing in the program knows of it. A step that begins `at commit, ` is held up within the
 * COMMIT, after which the transaction is there whether or not its client is.
 */
export async function holdAt(databaseUrl: string, { at, table, when }: Step): Promise<Hold> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("select pg_advisory_lock($1)", [LOCK]);
  const isDeferred = at.startsWith("at commit, ");
  await client.query(`
    create or replace function held_up() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${LOCK});
      return case tg_op when 'DELETE' then old else new end;
    end $$;
    create ${isDeferred ? "constraint " : ""}trigger held_up ${at.replace("at commit, ", "")} on ${table}
      ${isDeferred ? "deferrable initially deferred " : ""}for each row when (${when}) execute function held_up();
  `);
  const waiting = `select pid from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted
    and database = (select oid from pg_database where datname = current_database())`;

  let hasEnded = false;
  async function end(): Promise<void> {
    if (hasEnded) return;
    hasEnded = true;
    await client.query("select pg_advisory_unlock($1)", [LOCK]);
    // Waits for the transactions that went on.
    await client.query(`drop trigger held_up on ${table}`);
    await client.end();
  }
  onTestFinished(end);

  return {
    reached: () => until(async () => expect((await client.query(waiting)).rowCount).toBeGreaterThan(0)),
    release: end,
    async breakOff() {
      await client.query(`select pg_terminate_backend(pid, 10000) from (${waiting}) as waiting`);
      await end();
    },
  };
}
