import { Problem } from "#foundation/errors.js";

const OUT_OF_REACH = "The database is unavailable: try again later.";

const NO_SPACE = "The database has no space left on its disk: try again later.";

export const BUSY = "The database is too busy: try again later.";

/** SQLSTATEs: connection exception, shutdown, crash, starting up, idle for too long. */
const outOfReach = /^(08...|57P0[1235]|25P03)$/;

const DISK_FULL = "53100";

/** Too little memory, too many connections, and other limits of the server (class 53). */
const tooMuch = /^53...$/;
const socketErrors = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** Messages of `pg`, which has no codes for a connection that has ended. Knex prefixes them with the statement. */
const lostMessages =
  /(^| - )(Connection terminated.*|Client (has encountered a connection error|was closed) and is not queryable)$/;

/** Message of `pg` about a connection that could not be opened in time. */
const TOO_SLOW_TO_CONNECT = "timeout expired";

/** Codes of errors that end a working connection. */
const lostCodes = /^(ECONNRESET|EPIPE|ETIMEDOUT|08...|57P0[125]|25P03)$/;

/** Rolled back because of other transactions: serialization failure, deadlock. */
const rolledBack = /^(40001|40P01)$/;

/** Cancelled, timed out, or waited too long for a lock: the database is overloaded. */
const busy = /^(57014|55P03|25P04)$/;

const READ_ONLY = "25006";

/**
 * Errors of connections whose server was writable when they were opened. A new connection may reach a writable server.
 */
export const demoted = new WeakSet<Error>();

/**
 * Describes a problem of the database in a sentence, if a later attempt may succeed. Returns undefined for any other
 * error.
 */
export function describeOutage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof Problem) return error.outage === "database" ? error.message : undefined;
  const code = codeOf(error);
  if (isReadOnly(error)) return "The database is read-only at the moment: try again later.";
  if (code === DISK_FULL) return NO_SPACE;
  if (isBusy(error) || tooMuch.test(code)) return BUSY;
  const isOutOfReach =
    isTooSlowToConnect(error) ||
    lostMessages.test(error.message) ||
    outOfReach.test(code) ||
    socketErrors.has(code);
  return isOutOfReach ? OUT_OF_REACH : undefined;
}

/**
 * Returns whether the database is overloaded, or other transactions caused a rollback. A retry a second later may
 * succeed.
 */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && (busy.test(codeOf(error)) || isRolledBack(error));
}

/** Returns whether no connection could be opened, or was free, in time. */
export function isTooSlowToConnect({ name, message }: Error): boolean {
  return name === "KnexTimeoutError" || message === TOO_SLOW_TO_CONNECT;
}

/** Returns whether the connection's server is read-only. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === READ_ONLY;
}

/**
 * Returns whether the connection was lost, or its server has become read-only. A new connection may reach a working
 * server. Whether a commit in progress succeeded is unknown.
 */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return lostMessages.test(error.message) || lostCodes.test(codeOf(error)) || demoted.has(error);
}

/** Returns whether the transaction was rolled back because of other transactions. A retry may succeed. */
export function isRolledBack(error: unknown): boolean {
  return error instanceof Error && rolledBack.test(codeOf(error));
}

function codeOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" ? code : "";
}
