import { randomBytes } from "node:crypto";
import { failedPrecondition } from "#foundation/errors.js";
import type { Connection } from "./connection.js";
import type { Database } from "./database.js";
import { openDatabase } from "./open-database.js";
import { borrowConnection, type Pool, queryRowOrThrow, queryValue } from "./query.js";

/** SQLSTATEs: a prepared statement is unknown to this session, or known to it already. */
const NOT_PREPARED = ["26000", "42P05"];

/** Settings that the role needs if connections can't set them. */
const ROLE_SETTINGS = {
  statement_timeout: atMost(60),
  lock_timeout: atMost(2),
  idle_in_transaction_session_timeout: atMost(60),
  max_parallel_workers_per_gather: exactSetting("0"),
  jit: exactSetting("off"),
};

/** `suits` checks a value in the unit of `pg_settings`. `value` is what the role must be set to. */
interface RoleSetting {
  readonly suits: (value: string) => boolean;
  readonly value: string;
}

function atMost(seconds: number): RoleSetting {
  return { suits: (ms) => Number(ms) > 0 && Number(ms) <= seconds * 1000, value: `'${seconds}s'` };
}

function exactSetting(value: string): RoleSetting {
  return { suits: (actual) => actual === value, value };
}

/**
 * Detects a connection pooler, and checks whether the settings suit it and whether it keeps prepared statements.
 * @returns the settings that the role lacks with this pooler
 * @throws Problem `failed-precondition` if calls would fail or work incorrectly
 */
export async function checkPooler(database: Database): ReturnType<typeof missingSettings> {
  const { sessions } = database;
  const keeps = await keepsSessions(database);
  if (sessions.arePersistent && !keeps) throw unusable(SESSIONS_CHANGE);
  if (sessions.arePersistent) return [];
  sessions.arePrepared = true; // `keepsPreparedStatements` tries named statements, so they must be enabled
  if (!keeps) sessions.arePrepared = await keepsPreparedStatements(database);
  await checkDirect(database);
  return missingSettings(database);
}

const SESSIONS_CHANGE =
  "DATABASE_URL leads to a connection pooler that changes sessions between transactions. Set DATABASE_DIRECT_URL to the " +
  "PostgreSQL server itself, because some functions need a permanent session, or let the pooler keep sessions (PgBouncer: pool_mode = session)";

const unusable = (text: string) => failedPrecondition(`${text}.`);

/**
 * Maximum number of trials. A single trial proves nothing, because processes that start together may take each other's
 * sessions.
 */
const MAX_TRIALS = 8;

/**
 * Returns whether a connection keeps its session, with its timeouts, prepared statements and LISTEN. A pooler in
 * transaction mode switches sessions when another client has taken the previous session.
 */
export async function keepsSessions(database: Pool): Promise<boolean> {
  return !(await isMoved(database, () => sessionOf));
}

async function sessionOf(connection: Connection): Promise<string> {
  const { rows } = await connection.query(
    "select pg_backend_pid() || ' ' || current_setting('statement_timeout') as session",
  );
  return rows[0].session;
}

/** Returns whether a statement can be used by its name in every session. Returns false if this can't be proved. */
async function keepsPreparedStatements(database: Database): Promise<boolean> {
  // Another trial, or another process, may have left a statement of the same name in the session.
  const trial = () => {
    const name = `look_again_${randomBytes(8).toString("hex")}`;
    return async (connection: Connection): Promise<number> => {
      const { rows } = await connection.query({ name, text: "select pg_backend_pid() as pid" });
      return rows[0].pid;
    };
  };
  return isMoved(database, trial).catch((error) => {
    if (NOT_PREPARED.includes(error.code)) return false;
    throw error;
  });
}

/**
 * Returns whether a connection gets another session after a second connection has taken its session.
 * @param trial begins a trial, and returns a function that identifies sessions
 */
async function isMoved(
  database: Pool,
  trial: () => (connection: Connection) => Promise<unknown>,
): Promise<boolean> {
  for (let tried = 0; tried < MAX_TRIALS; tried++) {
    const identify = trial();
    const hasMoved = await onAnotherSession(database, async (one, takeSession) => {
      const before = await identify(one);
      await takeSession();
      return before !== (await identify(one));
    });
    if (hasMoved) return true;
  }
  return false;
}

/**
 * Runs `work` with two connections borrowed from the pool.
 * @param work gets a connection, and a function that makes the other connection take the session that a pooler would
 *   use next
 */
function onAnotherSession<T>(
  database: Pool,
  work: (one: Connection, takeSession: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  return borrowConnection(database, (one) =>
    borrowConnection(database, (other) =>
      work(one, () => other.query("begin")).finally(() => other.query("rollback")),
    ),
  );
}

/** Checks that migrations on the direct URL would change the same database, and that notifications work there. */
async function checkDirect(pooled: Database): Promise<void> {
  const direct = openDatabase(pooled.directUrl, 2);
  try {
    const [one, other] = await Promise.all([pooled, direct].map(identityOf));
    if (one !== other) {
      throw unusable(
        "DATABASE_DIRECT_URL leads to a different database than DATABASE_URL: both must lead to the same one",
      );
    }
    if (!(await keepsSessions(direct))) {
      throw unusable(
        "DATABASE_DIRECT_URL also leads to a connection pooler that changes sessions between transactions: set it to the PostgreSQL server itself",
      );
    }
  } finally {
    await direct.close();
  }
}

async function identityOf({ knex }: Pool): Promise<string> {
  return queryValue<string>(
    knex,
    `select current_database() || ' ' || oid || ' ' || (select system_identifier from pg_control_system()) as identity
     from pg_database where datname = current_database()`,
  );
}

/** Returns the settings that the role lacks, each with the statement that sets it. */
async function missingSettings({ knex }: Database) {
  const { role, ...actual } = await queryRowOrThrow<
    { role: string } & Record<keyof typeof ROLE_SETTINGS, string>
  >(
    knex,
    `select quote_ident(current_user) as role, ${Object.keys(ROLE_SETTINGS)
      .map((name) => `(select setting from pg_settings where name = '${name}') as ${name}`)
      .join(", ")}`,
  );
  return Object.entries(ROLE_SETTINGS).flatMap(([setting, { suits, value }]) => {
    if (suits(actual[setting as keyof typeof ROLE_SETTINGS])) return [];
    return [{ setting, remedy: `alter role ${role} set ${setting} = ${value}` }];
  });
}
