import { type LogFiles, openLogFiles, tokenName } from "#domain/credentials/checkpoints/log-files.js";
import {
  listCheckpoints,
  listLogs,
  listTokens,
  readLeaves,
  type TransparencyLog,
} from "#domain/credentials/checkpoints/log-store.js";
import { readBounds } from "#domain/credentials/events/event-store.js";
import { chainsToAnchor } from "#formats/sealing/certificate.js";
import { readSignedData } from "#formats/sealing/signed-data.js";
import { tokenInAnswer, verifyTimestamp } from "#formats/sealing/timestamp-token.js";
import { readCheckpoint } from "#formats/transparency/checkpoint.js";
import { HASH_SIZE } from "#formats/transparency/inclusion.js";
import { readKey } from "#formats/transparency/note.js";
import { TILE_WIDTH, TreeEdge } from "#formats/transparency/tiles.js";
import { verifyNote } from "#formats/transparency/verify-note.js";
import { toHex } from "#foundation/text/bytes.js";
import { type Knex, queryRow } from "#infrastructure/db/query.js";
import type { DoctorDeps } from "./doctor-deps.js";
import type { Finding } from "./finding.js";

const BATCH = 500;
const TILE_BATCH = 64;

/** A checkpoint's file is written after its row, so a younger checkpoint isn't reported as missing from the store. */
const MIN_AGE_MS = 300_000;

/** Events are normally published every hour. Unpublished events of this age are reported. */
const MAX_UNPUBLISHED_AGE = "1 day";

/** All checkpoints of a log that have the same size, from the database and the store. */
interface Mark {
  readonly size: number;
  /** Root hashes in hex. Several roots mean that the checkpoints contradict each other. */
  readonly roots: Set<string>;
  /** Descriptions of timestamps. */
  readonly stamps: string[];
}

/**
 * Checks that the events match every signed and timestamped checkpoint, and that no checkpoint is missing. The owner of
 * the database could forge events and their hashes, but can't backdate timestamps.
 */
export async function* checkCheckpoints(
  deps: DoctorDeps,
  withHashes: boolean,
  now: Date,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  const { knex } = deps.database;
  const logs = await listLogs(knex);
  for (const [index, log] of logs.entries()) {
    const files = openLogFiles(deps.files, deps.outputDir, log.id);
    const marks = createMarks(deps, log);
    yield* readMarks(deps, files, log, marks, withHashes, now, signal);
    const sizes = marks.bySize();
    const first = await firstContradicted(knex, files, log, sizes, signal);
    const successor = logs[index + 1];
    if (successor)
      yield { kind: "restarted-log", detail: `${log.origin}: ${restartDetail(successor, sizes, first)}` };
    else if (first !== undefined)
      yield { kind: "contradicted-checkpoint", detail: contradiction(log, sizes.slice(first)) };
    if (!successor) yield* checkNews(knex, log, sizes.at(-1)?.size ?? 0);
  }
  const next = (logs.at(-1)?.id ?? 0) + 1;
  if ((await openLogFiles(deps.files, deps.outputDir, next).readLatest()) !== undefined)
    yield { kind: "lost-checkpoint", detail: `log ${next} is in the file store only` };
}

type Marks = ReturnType<typeof createMarks>;

/** Collects the valid checkpoints of a log. */
function createMarks({ timestampAnchors }: DoctorDeps, log: TransparencyLog) {
  const marks = new Map<number, Mark>();
  const markOf = (size: number): Mark => {
    const mark = marks.get(size) ?? { size, roots: new Set(), stamps: [] };
    marks.set(size, mark);
    return mark;
  };

  /** @returns what is wrong with the checkpoint; undefined if it is valid */
  function addNote(size: number, note: string): string | undefined {
    try {
      const { origin, root, note: read, ...named } = readCheckpoint(note);
      if (origin !== log.origin || named.size !== size) return "it is a checkpoint of another log or size";
      if (verifyNote(read, readKey(log.verifierKey)).verdict !== "signed") return "its signature is wrong";
      markOf(size).roots.add(toHex(root));
      return undefined;
    } catch (error) {
      return `it ${messageOf(error)}`;
    }
  }

  function addToken(size: number, note: string, tsa: string, token: Buffer): string | undefined {
    try {
      const { time, certificate } = verifyTimestamp(token, Buffer.from(note));
      if (
        timestampAnchors &&
        !chainsToAnchor(timestampAnchors, certificate, readSignedData(token).certificates, time)
      )
        return `its timestamp by ${tsa} is signed by ${certificate.subjectName}, which does not chain to a certificate in TSA_CA_FILE`;
      markOf(size).stamps.push(`${time.toISOString()} by ${certificate.subjectName}`);
      return undefined;
    } catch (error) {
      return `its timestamp by ${tsa} ${messageOf(error)}`;
    }
  }

  return {
    addNote,
    addToken,
    bySize: () => [...marks.values()].sort((one, other) => one.size - other.size),
  };
}

/**
 * Verifies and collects every checkpoint. Lists the store before it reads the database, because the service writes a
 * checkpoint to the database before the store. Every listed checkpoint therefore has a row.
 */
async function* readMarks(
  { database: { knex } }: DoctorDeps,
  files: LogFiles,
  log: TransparencyLog,
  { addNote, addToken }: Marks,
  withHashes: boolean,
  now: Date,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  const inStore = await listStore(files);
  const fault = (size: number, what: string): Finding => ({
    kind: "damaged-checkpoint",
    detail: `${log.origin}, of ${size} events: ${what}`,
  });
  for (let below = Number.MAX_SAFE_INTEGER; ; ) {
    signal.throwIfAborted();
    const rows = await listCheckpoints(knex, log.id, below, BATCH);
    const tokens = await listTokens(
      knex,
      log.id,
      rows.map(({ size }) => size),
    );
    for (const { size, note, signedAt } of rows) {
      const stored = inStore.get(size);
      const isYoung = now.getTime() - signedAt.getTime() < MIN_AGE_MS;
      const stamps = tokens.filter((each) => each.size === size);
      const problems = [
        addNote(size, note),
        ...stamps.map(({ tsa, token }) => addToken(size, note, tsa, token)),
        ...stamps.map(({ tsa, token, stampedAt }) =>
          now.getTime() - stampedAt.getTime() < MIN_AGE_MS || stored?.has(tokenName(size, token))
            ? undefined
            : `the file of its timestamp by ${tsa} is missing`,
        ),
        stored || isYoung ? undefined : "its file is missing",
        stored && withHashes
          ? await compareFile(files, size, note, (other) => addNote(size, other))
          : undefined,
      ];
      for (const problem of problems) if (problem !== undefined) yield fault(size, problem);
      inStore.delete(size);
    }
    const last = rows.at(-1);
    if (!last) break;
    below = last.size;
  }

  for (const [size, names] of inStore) {
    yield { kind: "lost-checkpoint", detail: `${log.origin}, of ${size} events` };
    const note = await files.readCheckpoint(size);
    const problems = note === undefined ? [] : [addNote(size, note)];
    for (const name of note === undefined ? [] : names) {
      const answer = await files.readToken(name);
      if (answer) problems.push(addToken(size, note ?? "", name, tokenIn(answer)));
    }
    for (const problem of problems) if (problem !== undefined) yield fault(size, problem);
  }
}

/** Returns the names of the timestamps of each checkpoint in the store, by the checkpoint's size. */
async function listStore(files: LogFiles): Promise<Map<number, Set<string>>> {
  const found = new Map<number, Set<string>>();
  for await (const { size, token } of files.list()) {
    const names = found.get(size) ?? new Set();
    if (token !== undefined) names.add(token);
    found.set(size, names);
  }
  return found;
}

async function compareFile(
  files: LogFiles,
  size: number,
  note: string,
  addNote: (other: string) => string | undefined,
): Promise<string | undefined> {
  const file = await files.readCheckpoint(size);
  if (file === undefined || file === note) return undefined;
  return `the database and the file store have different checkpoints${addNote(file) === undefined ? ", both signed" : ""}`;
}

function tokenIn(answer: Buffer): Buffer {
  try {
    return tokenInAnswer(answer);
  } catch {
    return answer; // not a valid response: verifying it as a token will fail
  }
}

/**
 * Compares the events with each checkpoint, smallest first.
 * @returns the index of the first checkpoint that doesn't match
 */
async function firstContradicted(
  db: Knex,
  files: LogFiles,
  log: TransparencyLog,
  marks: readonly Mark[],
  signal: AbortSignal,
): Promise<number | undefined> {
  const edge = new TreeEdge();
  let index = 0;
  const { last: head } = await readBounds(db);
  for await (const leaves of readAllLeaves(db, files, log, head, signal)) {
    let rest = leaves;
    for (
      let mark = marks[index];
      mark && mark.size <= edge.size + rest.length / HASH_SIZE;
      mark = marks[++index]
    ) {
      const end = (mark.size - edge.size) * HASH_SIZE;
      edge.append(rest.subarray(0, end));
      rest = rest.subarray(end);
      const root = edge.root().toString("hex");
      if ([...mark.roots].some((other) => other !== root)) return index;
    }
    edge.append(rest);
    if (index === marks.length) return undefined;
  }
  return index < marks.length ? index : undefined;
}

/** Yields the hashes of all events. The hashes of events that retention removed are read from the log's tiles. */
async function* readAllLeaves(
  db: Knex,
  files: LogFiles,
  log: TransparencyLog,
  head: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  for (let position = log.after; position < head; ) {
    signal.throwIfAborted();
    const index = (position - log.after) / TILE_WIDTH;
    const to = Math.min(head, log.after + (Math.floor(index) + TILE_BATCH) * TILE_WIDTH);
    const rows = await readLeaves(db, log, position, to);
    const leaves = Buffer.concat(rows.map(({ hashes }) => hashes));
    if (leaves.length === (to - position) * HASH_SIZE) {
      yield leaves;
      position = to;
      continue;
    }
    const removed = (await readBounds(db)).removedUpTo;
    if (removed <= position) return; // the chain has a gap, which is reported elsewhere
    const start = Math.floor(index) * TILE_WIDTH;
    const width = Math.min(removed - log.after - start, TILE_WIDTH);
    const tile = await files.readTile({ level: 0, index: Math.floor(index), width });
    if (!tile) return;
    const storedHashes = tile.subarray((position - log.after - start) * HASH_SIZE);
    yield storedHashes;
    position += storedHashes.length / HASH_SIZE;
  }
}

function contradiction({ origin, after }: TransparencyLog, marks: readonly Mark[]): string {
  const [first] = marks;
  const stamped = marks.find(({ stamps }) => stamps.length > 0);
  const size = first?.size ?? 0;
  const stamps = stamped
    ? `the first timestamp that contradicts them is from ${stamped.stamps.join(" and ")}, for ${stamped.size} events`
    : "no timestamp contradicts them";
  return `${origin}, checkpoint of ${size} events: the events up to position ${after + size} have changed since then; ${stamps}`;
}

function restartDetail(
  { origin, begunAt }: TransparencyLog,
  marks: readonly Mark[],
  first: number | undefined,
): string {
  const last = marks[(first ?? marks.length) - 1];
  const agrees = last
    ? `its checkpoints of up to ${last.size} events agree with the events`
    : "no checkpoint agrees";
  const rest = first === undefined ? "" : `, and ${marks.length - first} later ones don't`;
  return `${origin} replaced this log at ${begunAt.toISOString()}; ${agrees}${rest}`;
}

async function* checkNews(
  db: Knex,
  { origin, after }: TransparencyLog,
  size: number,
): AsyncGenerator<Finding> {
  const late = await queryRow<{ position: number }>(
    db,
    `select position from credential_events where position = ? and occurred_at < now() - interval '${MAX_UNPUBLISHED_AGE}'`,
    [after + size + 1],
  );
  if (late) yield { kind: "unpublished-events", detail: `${origin} ends before position ${late.position}` };
}

function messageOf(error: unknown): string {
  if (error instanceof RangeError) return error.message;
  throw error;
}
