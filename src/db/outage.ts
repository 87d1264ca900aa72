/** What a caller is told while the database has too much to do. */
export const BUSY = "The database is too busy: try again later.";

/** SQLSTATE classes and codes: connection exception, insufficient resources, shutdown, crash, starting up, idle for too long. */
const outOfReach = /^(08...|53...|57P0[1235]|25P03)$/;
const socketErrors = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** What `pg` says, without a code, of a connection that has ended; Knex puts the statement before it. */
const lostMessages =
  /(^| - )(Connection terminated.*|Client (has encountered a connection error|was closed) and is not queryable)$/;

/** What `pg` says of a connection that could not be made in time. */
const TOO_SLOW_TO_CONNECT = "timeout expired";

/** Codes with which a connection that worked has ended. */
const lostCodes = /^(ECONNRESET|EPIPE|ETIMEDOUT|08...|57P0[125]|25P03)$/;

/** A transaction that was in the way of others and was rolled back for that: serialization failure, deadlock. */
const rolledBack = /^(40001|40P01)$/;

/** Cancelled or timed out by the database, or not getting a lock: it has too much to do. */
const busy = /^(57014|55P03|25P04)$/;

/** SQLSTATE of a change that a read-only transaction refuses. */
const READ_ONLY = "25006";

/** Errors of connections that led to a writable server when they were made: another connection may lead to one that is. */
export const demoted = new WeakSet<Error>();

/**
 * Says in a sentence what is wrong with the database when the error is none of ours, and later the same may succeed.
 * @returns undefined for any other error
 */
export function describeOutage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  if (isReadOnly(error)) return "The database takes no changes at the moment: try again later.";
  if (isBusy(error)) return BUSY;
  const isOutOfReach =
    error.name === "KnexTimeoutError" ||
    error.message === TOO_SLOW_TO_CONNECT ||
    lostMessages.test(error.message) ||
    outOfReach.test(code) ||
    socketErrors.has(code);
  return isOutOfReach ? "The database is out of reach: try again later." : undefined;
}

/** Whether the database has too much to do, or others are in the way: a second later it may have time. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && (busy.test(codeOf(error)) || isRolledBack(error));
}

/** Whether the server that the connection led to takes no changes. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === READ_ONLY;
}

/**
 * Whether the connection was lost, or led to a server that takes no changes any more: another one may lead to one that does.
 * Nobody knows whether a commit that was under way has come about.
 */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return lostMessages.test(error.message) || lostCodes.test(codeOf(error)) || demoted.has(error);
}

/** Whether the database has rolled the transaction back because of others: done again, it may succeed. */
export function isRolledBack(error: unknown): boolean {
  return error instanceof Error && rolledBack.test(codeOf(error));
}

function codeOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" ? code : "";
}
