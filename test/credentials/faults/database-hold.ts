import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { until } from "./workforce.js";

/** A step of the database's work, for example `before update` on `credentials`, for rows that meet the condition. */
export interface Step {
  readonly at: string;
  readonly table: keyof typeof LEARNER;
  /** An SQL condition on `old` and `new`. */
  readonly when: string;
}

/** Makes a transaction that reaches the step wait there, as for a lock, until it is released. */
export interface Hold {
  /** Resolves when a transaction is waiting. */
  reached(): Promise<void>;
  /**
   * Lets waiting transactions continue, whether or not their clients are alive, and holds no more transactions.
   * Resolves when they have ended.
   */
  release(): Promise<void>;
  /**
   * Ends the waiting sessions, as if the server had noticed that their clients are gone. Holds no more transactions.
   */
  breakOff(): Promise<void>;
}

/** SQL: the learner whose row is affected. */
const LEARNER = {
  credentials: "affected.username",
  credential_mails: "(select username from public.credentials where uuid = affected.credential_uuid)",
  unsealed_credential_events:
    "(select username from public.credentials where uuid = affected.credential_uuid)",
  jobs: `(
    select username from public.credentials
    where id = (affected.payload->>'credentialId')::int or uuid = (affected.payload->>'credentialUuid')::uuid
  )`,
};

/** Key of an advisory lock that nothing else uses. */
let key = 0x7e57_0000;

/**
 * Holds up a step of the work on a learner with a trigger, of which the program knows nothing. A step that begins with
 * `at commit, ` is held within the COMMIT: the transaction then exists whether or not its client does.
 *
 * The trigger stays. Creating a trigger waits for transactions that are held on the same table, so create all of them
 * before the first step is reached.
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
    // transactions that continue hold the lock until they end
    await client.query("select pg_advisory_lock($1)", [lock]);
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
