import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";

/** Whether this child process shares its standard error with the parent. */
const isBesideParent = process.channel !== undefined;

/**
 * Creates the log of the process. It consists of JSON lines, or of readable lines on a terminal. It is written to
 * standard error, because standard output is for the results of commands.
 * @param level Default: `info`; on a terminal `warn`, because a line per call would hide everything else
 */
export async function createLog(level = process.stderr.isTTY ? "warn" : "info"): Promise<Logger> {
  const base = isBesideParent ? { pid: process.pid } : null;
  return pino({ ...logOptions, base, level }, process.stderr.isTTY ? await createPrettyLines() : jsonLines());
}

/**
 * Maximum number of bytes to write at once. Processes that share a pipe must not write more at once than the pipe
 * accepts atomically (PIPE_BUF of pipe(7)), otherwise their lines would be mixed.
 */
const MAX_WRITE_BYTES = isBesideParent ? 4096 : 64 * 1024;

/** Redaction and serializers for all log lines. */
export const logOptions = {
  base: null,
  serializers: { err: withoutRow },
  hooks: { streamWrite: withoutSecrets },
} satisfies LoggerOptions;

/** Writes the lines of one turn of the event loop together, because each write waits for the kernel. */
function jsonLines(): DestinationStream {
  const out = pino.destination({ dest: 2, sync: true });
  let lines = "";
  let bytes = 0;
  const send = () => {
    const gathered = lines;
    lines = "";
    bytes = 0;
    if (gathered !== "") out.write(gathered);
  };
  process.on("exit", send);
  return {
    write(line) {
      const length = Buffer.byteLength(line);
      if (bytes + length > MAX_WRITE_BYTES) send();
      if (lines === "") setImmediate(send);
      lines += line;
      bytes += length;
    },
  };
}

/** Imports the module only for terminals. */
async function createPrettyLines(): Promise<DestinationStream> {
  const { default: pretty } = await import("pino-pretty");
  return pretty({ destination: 2, sync: true, singleLine: true, translateTime: "SYS:HH:MM:ss.l" });
}

/** Removes the parts of database errors in which Postgres reports values of rows, including names. */
function withoutRow(error: Error): object {
  const { detail: _, where: __, ...reported } = pino.stdSerializers.err(error) as Row;
  return reported;
}

type Row = pino.SerializedError & { readonly detail?: string; readonly where?: string };

/** Matches UUIDs, except request ids, which are needed to find lines. */
const uuid = /\b([\da-f]{8})-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b(?<!"requestId":".{36})/gi;
const jwt = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const emailedLink = /\/(download|wallet)\/[\w-]+/g;
/** Also matches user and password in URLs. */
const emailAddress = /[^\s"'<>()[\]{},;:\\/@=]{1,64}@[\w.-]+/g;

/**
 * Removes secrets and personal data from any source, for example from other programs' messages. UUIDs keep their first
 * digits, which are enough to find a credential but not to verify it.
 */
function withoutSecrets(line: string): string {
  // Fast path for the lines about calls, which are most lines. They have only a request id and texts of this service.
  if (line.endsWith('"msg":"call"}\n')) return line;
  let reported = line.replace(uuid, "$1…");
  // The pattern is slow on long words, and few lines contain an address.
  if (reported.includes("@")) reported = reported.replace(emailAddress, "…@…");
  return reported.replace(jwt, "eyJ…").replace(emailedLink, "/$1/…");
}

const MIN_REPORT_INTERVAL_MS = 10_000;

/**
 * Logs a message that any client can trigger. The first message is logged immediately, later ones at most every ten
 * seconds, with their count.
 */
export function throttledLog(log: (times: number) => void): () => void {
  let times = 0;
  let timer: NodeJS.Timeout | undefined;

  function reported(): void {
    timer = undefined;
    if (times === 0) return;
    log(times);
    times = 0;
    timer = setTimeout(reported, MIN_REPORT_INTERVAL_MS).unref();
  }

  return () => {
    times++;
    if (!timer) reported();
  };
}
