import { timestampAnswer } from "#formats/sealing/timestamp-token.js";
import { type Checkpoint, checkpointText, readCheckpoint } from "#formats/transparency/checkpoint.js";
import { HASH_SIZE, isSameHash } from "#formats/transparency/inclusion.js";
import { consistencyProof } from "#formats/transparency/merkle.js";
import { readNote, signatureLine } from "#formats/transparency/note.js";
import { partialTiles, TILE_WIDTH, type TileName, TreeEdge } from "#formats/transparency/tiles.js";
import { verifyNote } from "#formats/transparency/verify-note.js";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { type LogSigning, verifierKey } from "../../keys/log-signing.js";
import { readBounds } from "../events/event-store.js";
import { type LogFiles, openLogFiles, tokenName } from "./log-files.js";
import {
  beginLater,
  currentLog,
  insertCheckpoint,
  insertCosignature,
  insertLog,
  insertToken,
  lastCheckpoint,
  lastCosigned,
  listCosignatures,
  listTokens,
  lockLog,
  readLeaves,
  type StoredCheckpoint,
  type TransparencyLog,
} from "./log-store.js";
import { logOrigin } from "./log-urls.js";
import { hashesOfTiles } from "./tile-hashes.js";

export interface PublishingDeps {
  readonly database: Database;
  readonly files: FileStore;
  readonly outputDir: string;
  readonly publicUrl: string;
  readonly signing: LogSigning;
}

const PAUSE_MS = 3_600_000;

/** Number of tiles per query, and of concurrent uploads. */
const TILE_BATCH = 32;

/** @param why a complete sentence */
function cannotPublish(why: string): Problem {
  return failedPrecondition(
    `${why} No checkpoints are signed until this is fixed, or \`log continue\` starts a new log.`,
  );
}

/**
 * Signs and publishes a checkpoint of all events, if there are new events and the last checkpoint is at least an hour
 * old. Also requests the timestamps and cosignatures that the last checkpoint lacks. If several processes run this,
 * only one of them signs.
 * @returns undefined if no checkpoint was signed
 * @throws Problem `failed-precondition` if the database contradicts the published log
 */
export async function publishCheckpoint(
  deps: PublishingDeps,
  signal: AbortSignal,
  {
    now = new Date(),
    isDue = (last: StoredCheckpoint) => now.getTime() - last.signedAt.getTime() >= PAUSE_MS,
  } = {},
): Promise<StoredCheckpoint | undefined> {
  const { knex } = deps.database;
  const existingLog = (await currentLog(knex)) ?? (await beginLog(deps, 1));
  checkKey(existingLog, deps.signing);
  const files = openLogFiles(deps.files, deps.outputDir, existingLog.id);
  // Must be read before the row, because a process that publishes meanwhile writes the row first.
  const published = await readPublished(files);
  const last = await lastCheckpoint(knex, existingLog.id);
  const log = last ? existingLog : { ...existingLog, after: await beginLater(knex, existingLog) };
  await completeLast(files, log, published, last);
  const { last: head } = await readBounds(knex);
  const hasNews = head > log.after + (last?.size ?? 0);
  const signed =
    hasNews && (!last || isDue(last))
      ? await extendTree(deps, files, log, last, head, now, signal)
      : undefined;
  const current = signed ?? last;
  if (current) {
    await stamp(deps, files, log, current);
    await cosign(deps, files, log, current);
  }
  return signed;
}

/** Begins a new log. Existing logs stay unchanged. */
export async function continueLog(deps: PublishingDeps): Promise<TransparencyLog> {
  let id = ((await currentLog(deps.database.knex))?.id ?? 0) + 1;
  // After a backup was restored, the file store may contain logs that the database lacks.
  while ((await openLogFiles(deps.files, deps.outputDir, id).readLatest()) !== undefined) id++;
  return beginLog(deps, id);
}

async function beginLog({ database: { knex }, publicUrl, signing }: PublishingDeps, id: number) {
  const origin = logOrigin(publicUrl, id);
  await insertLog(knex, { id, origin, verifierKey: verifierKey(signing.key, origin, "log") });
  const log = await currentLog(knex);
  if (!log) throw new Error("the log that was just created is missing");
  return log;
}

function checkKey({ origin, verifierKey: recorded }: TransparencyLog, { key }: LogSigning): void {
  if (verifierKey(key, origin, "log") === recorded) return;
  throw failedPrecondition(
    `LOG_KEY_FILE does not contain the key of the log ${origin}: set LOG_KEY_FILE to the right file, or start a new log ` +
      "with `log continue`.",
  );
}

async function readPublished(files: LogFiles): Promise<Checkpoint | undefined> {
  const latest = await files.readLatest();
  return latest === undefined ? undefined : readCheckpoint(latest);
}

/** Publishes the last checkpoint if the process that signed it ended before it could publish it. */
async function completeLast(
  files: LogFiles,
  { origin }: TransparencyLog,
  published: Checkpoint | undefined,
  last: StoredCheckpoint | undefined,
): Promise<void> {
  const isSame =
    published?.size === last?.size && (!published || !last || isSameHash(published.root, last.root));
  if (isSame) return;
  if (published && (!last || published.size >= last.size))
    throw cannotPublish(
      `The log ${origin} has published a checkpoint of ${published.size} events, but the database has ` +
        `${last ? `only one of ${last.size}` : "none"}: it was restored from a backup, or is a different database.`,
    );
  if (last) await publish(files, last);
}

async function publish(files: LogFiles, { size, note }: StoredCheckpoint): Promise<void> {
  await files.putCheckpoint(size, note);
  await files.putLatest(note);
}

/**
 * Adds the events up to `head` to the tree and signs a checkpoint. Writes the tiles first, then the row in the database,
 * then the file of the checkpoint.
 */
async function extendTree(
  { database, signing }: PublishingDeps,
  files: LogFiles,
  log: TransparencyLog,
  last: StoredCheckpoint | undefined,
  head: number,
  now: Date,
  signal: AbortSignal,
): Promise<StoredCheckpoint | undefined> {
  const edge = last ? await readEdge(files, log, last) : new TreeEdge();
  if (last) await checkLastLeaf(database, files, log, last);
  await addEvents(database, files, log, edge, head, signal);
  const checkpoint = { origin: log.origin, size: edge.size, root: edge.root() };
  const signed = await inTransaction(database, signal, async (transaction) => {
    if ((await lockLog(transaction, log)) !== (last?.size ?? 0)) return undefined; // another process changed the log
    const note = await signNote(signing, log.origin, checkpointText(checkpoint));
    const stored = { ...checkpoint, note, signedAt: now };
    await insertCheckpoint(transaction, log.id, stored);
    return stored;
  });
  if (!signed) return undefined;
  await publish(files, signed);
  const publishedTiles = new Set(partsOf(edge.size).map((name) => JSON.stringify(name)));
  for (const name of partsOf(last?.size ?? 0))
    if (!publishedTiles.has(JSON.stringify(name))) await files.removeTile(name);
  return signed;
}

/** Returns the names of a tree's partial tiles and partial entry bundle. */
function partsOf(size: number): TileName[] {
  const tiles = partialTiles(size);
  const [first] = tiles;
  return first?.level === 0 ? [...tiles, { ...first, level: "entries" }] : tiles;
}

async function readEdge(
  files: LogFiles,
  { origin }: TransparencyLog,
  last: StoredCheckpoint,
): Promise<TreeEdge> {
  const tiles = new Map<number, Buffer>();
  for (const name of partialTiles(last.size)) tiles.set(name.level, await readTile(files, name));
  const edge = TreeEdge.of(last.size, tiles);
  if (edge.root().equals(last.root)) return edge;
  throw cannotPublish(
    `The tiles of the log ${origin} in the file store don't match its checkpoint of ${last.size} events: restore ` +
      "the tiles from a backup.",
  );
}

async function readTile(files: LogFiles, name: TileName): Promise<Buffer> {
  const tile = await files.readTile(name);
  if (tile) return tile;
  throw cannotPublish(
    `A tile of level ${name.level} of the log is not in the file store: restore the store from a backup.`,
  );
}

/** Detects a failover that replaced events after they were published. */
async function checkLastLeaf(
  { knex }: Database,
  files: LogFiles,
  log: TransparencyLog,
  { size }: StoredCheckpoint,
): Promise<void> {
  const position = log.after + size;
  const [event] = await readLeaves(knex, log, position - 1, position);
  if (!event) return; // retention has already removed the event
  const width = ((size - 1) % TILE_WIDTH) + 1;
  const tile = await readTile(files, { level: 0, index: Math.floor((size - 1) / TILE_WIDTH), width });
  if (event.hashes.equals(tile.subarray(-HASH_SIZE))) return;
  throw cannotPublish(
    `The event at position ${position} is not the one that the log ${log.origin} has published: run \`doctor\`.`,
  );
}

async function addEvents(
  { knex }: Database,
  files: LogFiles,
  log: TransparencyLog,
  edge: TreeEdge,
  head: number,
  signal: AbortSignal,
): Promise<void> {
  const width = edge.size % TILE_WIDTH;
  const index = Math.floor(edge.size / TILE_WIDTH);
  let bundle = width === 0 ? Buffer.alloc(0) : await readTile(files, { level: "entries", index, width });
  while (log.after + edge.size < head) {
    signal.throwIfAborted();
    const from = log.after + edge.size;
    const tiles = Math.floor(edge.size / TILE_WIDTH) + TILE_BATCH;
    const to = Math.min(head, log.after + tiles * TILE_WIDTH);
    const stored: Promise<void>[] = [];
    for (const { hashes, bundle: more } of await readLeaves(knex, log, from, to)) {
      bundle = Buffer.concat([bundle, more]);
      for (const { name, bytes } of edge.append(hashes)) stored.push(files.putTile(name, bytes));
      if (edge.size % TILE_WIDTH !== 0) continue;
      const name = { level: "entries", index: edge.size / TILE_WIDTH - 1, width: TILE_WIDTH } as const;
      stored.push(files.putTile(name, bundle));
      bundle = Buffer.alloc(0);
    }
    await Promise.all(stored);
    if (log.after + edge.size !== to)
      throw cannotPublish(
        `Events after position ${from} were removed before they were in the log ${log.origin}.`,
      );
  }
  for (const { name, bytes } of edge.partial()) await files.putTile(name, bytes);
  const [, ...rest] = partsOf(edge.size);
  const entries = rest.find(({ level }) => level === "entries");
  if (entries) await files.putTile(entries, bundle);
}

/** @throws Problem `unavailable` if the signature does not match the public key */
async function signNote({ key }: LogSigning, origin: string, text: string): Promise<string> {
  const name = key.as(origin, "log");
  const note = `${text}\n${signatureLine(name, await key.sign(text))}`;
  if (verifyNote(readNote(note), name).verdict === "signed") return note;
  throw new Problem("unavailable", "The private key in LOG_KEY_FILE does not match its public key.");
}

/** Requests missing timestamps. Skips timestamp authorities that can't be reached. */
async function stamp(
  { database: { knex }, signing }: PublishingDeps,
  files: LogFiles,
  log: TransparencyLog,
  { size, note }: StoredCheckpoint,
): Promise<void> {
  const received = await listTokens(knex, log.id, [size]);
  const missing = signing.tsas.filter(({ name }) => received.every(({ tsa }) => tsa !== name));
  await Promise.all(
    missing.map(async ({ name, of }) => {
      const timestamp = await of(Buffer.from(note)).catch(() => undefined); // already reported; the next call retries
      if (!timestamp) return;
      const { token, time } = timestamp;
      await files.putToken(tokenName(size, token), timestampAnswer(token));
      await insertToken(knex, log.id, { size, tsa: name, token, stampedAt: time });
    }),
  );
}

/** Requests missing cosignatures from witnesses, and publishes them. */
async function cosign(
  { database: { knex }, signing }: PublishingDeps,
  files: LogFiles,
  log: TransparencyLog,
  { size, note }: StoredCheckpoint,
): Promise<void> {
  const received = await listCosignatures(knex, log.id, size);
  const missing = signing.witnesses.filter(({ name }) => received.every(({ witness }) => witness !== name));
  const hashOf = hashesOfTiles(files, size);
  const added = await Promise.all(
    missing.map(async (witness) => {
      const old = await lastCosigned(knex, log.id, witness.name);
      const proofFrom = async (from: number) => {
        if (from > size)
          throw new Error(
            `The witness has already cosigned ${from} events of ${log.origin}, which has only ${size}.`,
          );
        return consistencyProof(from, size, hashOf);
      };
      const cosigned = await witness.cosign(note, old, proofFrom);
      if (!cosigned) return [];
      const { line, time } = cosigned;
      await insertCosignature(knex, log.id, size, { witness: witness.name, line, cosignedAt: time });
      return [line];
    }),
  );
  const lines = [...received.map(({ line }) => line), ...added.flat()].sort();
  const latest = await files.readLatest();
  const cosigned = note + lines.join("");
  // Another process may have published a newer checkpoint in the meantime.
  if (latest?.startsWith(note) && latest !== cosigned) await files.putLatest(cosigned);
}
