import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";

/** Whether the process that has started this one writes to the same place. */
const isBesideParent = process.channel !== undefined;

/**
 * Creates the log of the process on standard error, since standard output belongs to commands. It writes JSON
 * lines, and readable lines on a terminal.
 * @param level default: `info`, and `warn` on a terminal, where a line per call would drown everything else
 */
export async function createLog(level = process.stderr.isTTY ? "warn" : "info"): Promise<Logger> {
  const base = isBesideParent ? { pid: process.pid } : null;
  return pino({ ...logOptions, base, level }, process.stderr.isTTY ? await createPrettyLines() : jsonLines());
}

/**
 * Lines that are written together, in bytes. Processes that share a pipe must write no more at once than it takes in one
 * piece (PIPE_BUF of pipe(7)), or their lines mix.
 */
const MAX_GATHERED = isBesideParent ? 4096 : 64 * 1024;

/** Redaction and serializers that apply to every log line. */
export const logOptions = {
  base: null,
  serializers: { err: withoutRow },
  hooks: { streamWrite: withoutSecrets },
} satisfies LoggerOptions;

/**
 * A write waits for the kernel, which takes longer than building a line. So the lines of one turn of the
 * event loop are written together.
 */
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
      if (bytes + length > MAX_GATHERED) send();
      if (lines === "") setImmediate(send);
      lines += line;
      bytes += length;
    },
  };
}

/** Loaded only for terminals. */
async function createPrettyLines(): Promise<DestinationStream> {
  const { default: pretty } = await import("pino-pretty");
  return pretty({ destination: 2, sync: true, singleLine: true, translateTime: "SYS:HH:MM:ss.l" });
}

/** Postgres reports in `detail` and `where` which row it refused, including names. */
function withoutRow(error: Error): object {
  const { detail: _, where: __, ...reported } = pino.stdSerializers.err(error) as Row;
  return reported;
}

type Row = pino.SerializedError & { readonly detail?: string; readonly where?: string };

/** Our own request ids look the same, but serve to find a line and stay. */
const uuid = /\b([\da-f]{8})-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b(?<!"requestId":".{36})/gi;
const jwt = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const emailedLink = /\/(download|wallet)\/[\w-]+/g;
/** Also matches what precedes the host in a URL. */
const emailAddress = /[^\s"'<>()[\]{},;:\\/@=]{1,64}@[\w.-]+/g;

/**
 * Removes secrets and personal data from a line, however they got into it, such as in another program's
 * words. UUIDs keep their first digits: enough to find a credential, too little to verify it.
 */
function withoutSecrets(line: string): string {
  // Nearly all lines: one per call, with nothing but a request id and our own words.
  if (line.endsWith('"msg":"call"}\n')) return line;
  let reported = line.replace(uuid, "$1…");
  // This is slow on long words, and few lines contain what it looks for.
  if (reported.includes("@")) reported = reported.replace(emailAddress, "…@…");
  return reported.replace(jwt, "eyJ…").replace(emailedLink, "/$1/…");
}

const RARELY_MS = 10_000;

/**
 * Throttles the log of something that any client can cause: at once, then at most every ten seconds with the
 * count since.
 */
export function throttledLog(tell: (times: number) => void): () => void {
  let times = 0;
  let timer: NodeJS.Timeout | undefined;

  function reported(): void {
    timer = undefined;
    if (times === 0) return;
    tell(times);
    times = 0;
    timer = setTimeout(reported, RARELY_MS).unref();
  }

  return () => {
    times++;
    if (!timer) reported();
  };
}
