import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";

/**
 * The log of the process, on standard error, so that standard output is what a command answers: JSON lines, and on a
 * terminal lines for people.
 * @param level by default `info`, and `warn` on a terminal, where a line for each call would drown everything else
 */
export async function createLog(level = process.stderr.isTTY ? "warn" : "info"): Promise<Logger> {
  return pino({ ...logOptions, level }, process.stderr.isTTY ? await createPrettyLines() : jsonLines());
}

/** In characters. */
const MAX_GATHERED = 64 * 1024;

/** What a line may hold, wherever it goes. */
export const logOptions = {
  base: null,
  serializers: { err: withoutRow },
  hooks: { streamWrite: withoutSecrets },
} satisfies LoggerOptions;

/** A write waits for the kernel, longer than it takes to make a line: those of one turn of the event loop go out together. */
function jsonLines(): DestinationStream {
  const out = pino.destination({ dest: 2, sync: true });
  let lines = "";
  const send = () => {
    const gathered = lines;
    lines = "";
    if (gathered !== "") out.write(gathered);
  };
  process.on("exit", send);
  return {
    write(line) {
      if (lines === "") setImmediate(send);
      lines += line;
      if (lines.length > MAX_GATHERED) send();
    },
  };
}

/** Only a terminal waits for it to load. */
async function createPrettyLines(): Promise<DestinationStream> {
  const { default: pretty } = await import("pino-pretty");
  return pretty({ destination: 2, sync: true, singleLine: true, translateTime: "SYS:HH:MM:ss.l" });
}

/** Postgres tells in `detail` and `where` which row it has refused, with the names in it. */
function withoutRow(error: Error): object {
  const { detail: _, where: __, ...told } = pino.stdSerializers.err(error) as Row;
  return told;
}

type Row = pino.SerializedError & { readonly detail?: string; readonly where?: string };

/** Our own ids of requests look the same, and are what a line is found by. */
const uuid = /\b([\da-f]{8})-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b(?<!"requestId":".{36})/gi;
const jwt = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const mailedLink = /\/download\/[\w-]+/g;
/** Also what stands before the host in a URL. */
const mailAddress = /[^\s"'<>()[\]{},;:\\/@=]{1,64}@[\w.-]+/g;

/**
 * A line without what opens something or names somebody, however it came into it, such as with the words of another
 * program. Of UUIDs the first digits stay: enough to find a credential by, too little to verify it.
 */
export function withoutSecrets(line: string): string {
  // By far the most lines: one for each call, of an id of the request and words of ours alone.
  if (line.endsWith('"msg":"call"}\n')) return line;
  let told = line.replace(uuid, "$1…");
  // It is slow on long words, and few lines have what it looks for.
  if (told.includes("@")) told = told.replace(mailAddress, "…@…");
  return told.replace(jwt, "eyJ…").replace(mailedLink, "/download/…");
}

const RARELY_MS = 10_000;

/** Has what any client can cause told at once, but then at most every ten seconds, with how often it came about since. */
export function rarely(tell: (times: number) => void): () => void {
  let times = 0;
  let timer: NodeJS.Timeout | undefined;

  function told(): void {
    timer = undefined;
    if (times === 0) return;
    tell(times);
    times = 0;
    timer = setTimeout(told, RARELY_MS).unref();
  }

  return () => {
    times++;
    if (!timer) told();
  };
}
