import { Problem } from "#foundation/errors.js";
import { describeDatabaseUrl } from "#infrastructure/db/database-url.js";
import { isConnectionLoss, isTooSlowToConnect } from "#infrastructure/db/outage.js";
import { ConfigError } from "#runtime/settings/config.js";
import { Interruption } from "./interrupt-signal.js";

/** What a failed command writes to standard error, and its exit code. */
interface CommandFailure {
  readonly text: string;
  readonly exitCode: number;
}

/**
 * Describes an error to the user of the command line. Explains expected errors and an unreachable database. Any other
 * error is a defect and is shown with its stack.
 * @param databaseUrl value of DATABASE_URL, if it is set
 */
export function describeFailure(error: unknown, databaseUrl: string | undefined): CommandFailure {
  if (error instanceof Interruption) {
    return { text: `${error.message}: ${error.advice}`, exitCode: error.exitCode };
  }
  if (error instanceof ConfigError) return { text: error.message, exitCode: 1 };
  if (error instanceof Problem) return { text: withCause(error), exitCode: 1 };
  const reason = databaseReason(error);
  if (reason !== undefined) return { text: `${database(databaseUrl)}: ${reason}`, exitCode: 1 };
  const file = fileReason(error);
  if (file !== undefined) return { text: file, exitCode: 1 };
  const stack = error instanceof Error ? error.stack : String(error);
  return { text: `${stack}\nThis is a defect of the service: report it with the lines above.`, exitCode: 1 };
}

/** Returns the problem's message, which says what to do. If another service is unreachable, the cause comes first. */
function withCause({ kind, message, cause }: Problem): string {
  return kind === "unavailable" && cause instanceof Error ? `${cause.message}\n${message}` : message;
}

/** Message of an error for which `pg` sets no code. */
const NO_TLS = "The server does not support SSL connections";

const UNTRUSTED =
  "its certificate is not trusted here. Name the file of its authority in DATABASE_URL (?sslmode=verify-full&sslrootcert=/path/ca.pem) " +
  "or in NODE_EXTRA_CA_CERTS. With sslmode=no-verify, connections are encrypted and the server is not checked.";

/** Explanations of socket errors and Postgres errors, by code. PostgreSQL's manual lists its codes in appendix A. */
const databaseReasons: Record<string, string> = {
  ECONNREFUSED: "nothing listens there. Start it, or correct DATABASE_URL.",
  ECONNRESET: "it has closed the connection. Check its log, then retry.",
  ENOTFOUND: "the host name is unknown. Correct DATABASE_URL.",
  EAI_AGAIN: "the host name can't be resolved now. Retry, or correct DATABASE_URL.",
  ETIMEDOUT: "it does not respond. Check that this machine can reach it, or correct DATABASE_URL.",
  EHOSTUNREACH: "it can't be reached from here. Check the network and DATABASE_URL.",
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_HAS_EXPIRED: "its certificate has expired. Renew it.",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "its certificate is for another host name. Use that name in DATABASE_URL, or get a certificate for this one.",
  "08P01":
    "a connection pooler refuses a parameter of DATABASE_URL. Leave it out, or name it in PgBouncer's ignore_startup_parameters.",
  "28P01":
    "the password is wrong, or there is no such role. Correct DATABASE_URL; `migrate up` with DATABASE_OWNER_URL creates its role.",
  "28000": "it refuses this user. Correct DATABASE_URL, or its pg_hba.conf.",
  "3D000": 'the database does not exist. Create it ("create database"), or correct DATABASE_URL.',
  "42501": "this user lacks the permission. Grant it (the service creates tables and a schema).",
  "53300": "it has no connections left. Raise its max_connections, or stop something else.",
  "57P01": "it was shut down meanwhile. Start it, then retry.",
  "57P03": "it is starting or stopping. Retry in a moment.",
};

function databaseReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (isTooSlowToConnect(error)) return databaseReasons.ETIMEDOUT;
  if (error.message === NO_TLS)
    return "it does not speak TLS. Set up TLS there, or set sslmode=disable in DATABASE_URL.";
  const { code } = error as NodeJS.ErrnoException;
  const reason =
    code === "08P01" ? `${error.message}: ${databaseReasons[code]}` : databaseReasons[String(code)];
  return reason ?? (isConnectionLoss(error) ? databaseReasons.ECONNRESET : undefined);
}

/** Explanations of file system errors, by code, for a path on the command line. */
const fileReasons: Record<string, string> = {
  ENOENT: "there is no such file or directory. Correct the path.",
  ENOTDIR: "a part of the path is not a directory. Correct the path.",
  EISDIR: "it is a directory. Name a file.",
  EACCES: "this user has no permission to read or write there. Choose another path, or grant the permission.",
  EPERM: "this user has no permission to read or write there. Choose another path, or grant the permission.",
  EROFS: "the file system is read-only. Choose another path.",
  ENOSPC: "the disk is full. Make room, then run it again.",
};

function fileReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = "", path } = error as NodeJS.ErrnoException;
  const reason = fileReasons[code];
  return reason === undefined || path === undefined ? undefined : `${path}: ${reason}`;
}

/** Returns the database's address without user and password. */
function database(databaseUrl: string | undefined): string {
  if (databaseUrl === undefined) return "The embedded Postgres";
  return `The Postgres of DATABASE_URL (${describeDatabaseUrl(databaseUrl)})`;
}
