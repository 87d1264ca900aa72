import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { until } from "./workforce.js";

/** A step of the database's work, such as `before update` on `credentials`, at rows for which the condition holds. */
export interface Step {
  readonly at: string;
  readonly table: keyof typeof LEARNER;
  /** About `old` and `new`. */
  readonly when: string;
}

/** Who comes to a step waits there, as it would for a lock, until it is let go. */
export interface Hold {
  /** Resolves when somebody waits. */
  reached(): Promise<void>;
  /** Whoever waits goes on, dead or alive, and nobody waits any more. Resolves when the transactions are over. */
  release(): Promise<void>;
  /** The sessions that wait end, as if the server had noticed that their clients are gone; nobody waits any more. */
  breakOff(): Promise<void>;
}

/** Whose row it is that is affected. */
const LEARNER = {
  credentials: "affected.username",
  unsealed_credential_events:
    "(select username from public.credentials where uuid = affected.credential_uuid)",
  "graphile_worker._private_jobs": `(
    select username from public.credentials
    where id = (affected.payload->>'credentialId')::int or uuid = (affected.payload->>'credentialUuid')::uuid
  )`,
};

/** The key of an advisory lock: any that nobody else uses. */
let key = 0x7e57_0000;

/**
 * Holds up a step of what is done about a learner with a trigger: nothing in the program knows of it. A step that begins
 * `at commit, ` is held up within the COMMIT, after which the transaction is there whether or not its client is. The trigger
 * stays; to make one waits for who is held up on the same table, so all come before the first is reached.
 */
export async function holdAt(
  databaseUrl: string,
  username: string,
  { at, table, when }: Step,
): Promise<Hold> {
  const lock = ++key;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("select pg_advisory_lock($1)", [lock]);
  const isDeferred = at.startsWith("at commit, ");
  await client.query(`
    create function hold_${lock}() returns trigger language plpgsql as $$
    declare
      affected record;
    begin
      if tg_op = 'DELETE' then affected := old; else affected := new; end if;
      if (${when}) and ${LEARNER[table]} = '${username}' then
        perform pg_advisory_xact_lock_shared(${lock});
      end if;
      return affected;
    end $$;
    create ${isDeferred ? "constraint " : ""}trigger hold_${lock} ${at.replace("at commit, ", "")} on ${table}
      ${isDeferred ? "deferrable initially deferred " : ""}for each row execute function hold_${lock}();
  `);
  const waiting = `select pid from pg_locks where locktype = 'advisory' and objid = ${lock} and not granted
    and database = (select oid from pg_database where datname = current_database())`;

  let hasEnded = false;
  async function release(): Promise<void> {
    if (hasEnded) return;
    hasEnded = true;
    await client.query("select pg_advisory_unlock($1)", [lock]);
    await client.query("select pg_advisory_lock($1)", [lock]); // who went on has it until its transaction is over
    await client.end();
  }
  onTestFinished(release);

  return {
    reached: () => until(async () => expect((await client.query(waiting)).rowCount).toBeGreaterThan(0)),
    release,
    async breakOff() {
      await client.query(`select pg_terminate_backend(pid, 10000) from (${waiting}) as waiting`);
      await release();
    },
  };
}
