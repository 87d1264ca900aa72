/** SQLSTATE classes and codes: connection exception, too many connections, shutdown, crash, starting up. */
const sqlStates = /^(08...|53300|57P01|57P02|57P03)$/;
const socketErrors = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** Whether the error says that the database is out of reach, or has no connection to spare: later it may do. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (error.name === "KnexTimeoutError" || error.message.startsWith("Connection terminated")) return true;
  return code !== undefined && (sqlStates.test(code) || socketErrors.has(code));
}
