import { LEAF } from "#formats/transparency/inclusion.js";
import { TILE_WIDTH } from "#formats/transparency/tiles.js";
import { execute, type Knex, queryRow, queryRows } from "#infrastructure/db/query.js";

export interface TransparencyLog {
  readonly id: number;
  /** First line of every checkpoint, which names the log. */
  readonly origin: string;
  /** The log's public key as `<name>+<id>+<key>`. Other parties enter this text in their settings to verify the log. */
  readonly verifierKey: string;
  /** Position of the event before the log's first leaf. */
  readonly after: number;
  readonly begunAt: Date;
}

export interface StoredCheckpoint {
  readonly size: number;
  readonly root: Buffer;
  /** A signed note. */
  readonly note: string;
  readonly signedAt: Date;
}

/** A timestamp for the note of a checkpoint. */
interface StoredToken {
  readonly size: number;
  readonly tsa: string;
  /** In DER encoding. */
  readonly token: Buffer;
  readonly stampedAt: Date;
}

const logColumns = `id, origin, verifier_key as "verifierKey", after_position as "after", begun_at as "begunAt"`;
const checkpointColumns = `size, root, note, signed_at as "signedAt"`;
const tokenColumns = `size, tsa, token, stamped_at as "stampedAt"`;

/** Lists all logs. The current log comes last. */
export function listLogs(db: Knex): Promise<TransparencyLog[]> {
  return queryRows<TransparencyLog>(db, `select ${logColumns} from transparency_logs order by id`);
}

export async function currentLog(db: Knex): Promise<TransparencyLog | undefined> {
  return (await listLogs(db)).at(-1);
}

/** Creates a log that starts after the removed events. Does nothing if the log exists. */
export async function insertLog(
  db: Knex,
  { id, origin, verifierKey }: Pick<TransparencyLog, "id" | "origin" | "verifierKey">,
): Promise<void> {
  await execute(
    db,
    `insert into transparency_logs (id, origin, verifier_key, after_position)
     select ?, ?, ?, coalesce(max(position), 0) from credential_event_anchors
     on conflict (id) do nothing`,
    [id, origin, verifierKey],
  );
}

/**
 * Moves the start of a log to the first event that was not removed, unless the log already has checkpoints. Returns the
 * position before the first leaf.
 */
export async function beginLater(db: Knex, { id, after }: TransparencyLog): Promise<number> {
  const moved = await queryRow<{ after: number }>(
    db,
    `update transparency_logs
     set after_position = (select coalesce(max(position), 0) from credential_event_anchors)
     where id = ? and not exists (select from log_checkpoints where log_id = ?)
     returning after_position as "after"`,
    [id, id],
  );
  return moved?.after ?? after;
}

/**
 * Locks the log until the transaction ends.
 * @returns the size of its last checkpoint; undefined if another log is current, or the start has changed
 */
export async function lockLog(
  transaction: Knex.Transaction,
  { id, after }: TransparencyLog,
): Promise<number | undefined> {
  const log = await queryRow<{ isCurrent: boolean }>(
    transaction,
    `select not exists (select from transparency_logs where id > ?) as "isCurrent"
     from transparency_logs where id = ? and after_position = ? for update`,
    [id, id, after],
  );
  return log?.isCurrent ? ((await lastCheckpoint(transaction, id))?.size ?? 0) : undefined;
}

export function lastCheckpoint(db: Knex, logId: number): Promise<StoredCheckpoint | undefined> {
  return queryRow<StoredCheckpoint>(
    db,
    `select ${checkpointColumns} from log_checkpoints where log_id = ? order by size desc limit 1`,
    [logId],
  );
}

/** Lists checkpoints, newest first. @param below lists only checkpoints of fewer events */
export function listCheckpoints(
  db: Knex,
  logId: number,
  below: number,
  limit: number,
): Promise<StoredCheckpoint[]> {
  return queryRows<StoredCheckpoint>(
    db,
    `select ${checkpointColumns} from log_checkpoints where log_id = ? and size < ? order by size desc limit ?`,
    [logId, below, limit],
  );
}

export async function insertCheckpoint(
  db: Knex,
  logId: number,
  { size, root, note, signedAt }: StoredCheckpoint,
): Promise<void> {
  await execute(
    db,
    "insert into log_checkpoints (log_id, size, root, note, signed_at) values (?, ?, ?, ?, ?)",
    [logId, size, root, note, signedAt],
  );
}

export function listTokens(db: Knex, logId: number, sizes: readonly number[]): Promise<StoredToken[]> {
  return queryRows<StoredToken>(
    db,
    `select ${tokenColumns} from log_timestamps where log_id = ? and size = any (?::bigint[])
     order by size, stamped_at`,
    [logId, sizes],
  );
}

export async function insertToken(
  db: Knex,
  logId: number,
  { size, tsa, token, stampedAt }: StoredToken,
): Promise<void> {
  await execute(
    db,
    `insert into log_timestamps (log_id, size, tsa, token, stamped_at) values (?, ?, ?, ?, ?)
     on conflict do nothing`,
    [logId, size, tsa, token, stampedAt],
  );
}

interface StoredCosignature {
  /** Name of the witness's key. */
  readonly witness: string;
  /** The signature line, including its line feed. */
  readonly line: string;
  readonly cosignedAt: Date;
}

export function listCosignatures(db: Knex, logId: number, size: number): Promise<StoredCosignature[]> {
  return queryRows<StoredCosignature>(
    db,
    `select witness, line, cosigned_at as "cosignedAt" from log_cosignatures
     where log_id = ? and size = ? order by witness`,
    [logId, size],
  );
}

/** Returns the size of the last checkpoint that the witness has cosigned, or 0 if there is none. */
export async function lastCosigned(db: Knex, logId: number, witness: string): Promise<number> {
  const last = await queryRow<{ size: number | null }>(
    db,
    "select max(size) as size from log_cosignatures where log_id = ? and witness = ?",
    [logId, witness],
  );
  return last?.size ?? 0;
}

export async function insertCosignature(
  db: Knex,
  logId: number,
  size: number,
  { witness, line, cosignedAt }: StoredCosignature,
): Promise<void> {
  await execute(
    db,
    `insert into log_cosignatures (log_id, size, witness, line, cosigned_at) values (?, ?, ?, ?, ?)
     on conflict do nothing`,
    [logId, size, witness, line, cosignedAt],
  );
}

/** Events as leaves of a log. All leaves belong to the same tile. */
export interface Leaves {
  readonly count: number;
  /** Concatenated hashes of the leaves. */
  readonly hashes: Buffer;
  /** The leaves' entries, in the format of an entry bundle. */
  readonly bundle: Buffer;
}

/** Number of checkpoints from which the best one is chosen. A hundred checkpoints span at least half a week. */
const MAX_CANDIDATES = 100;

/**
 * Returns one of the first checkpoints that contain the event: preferably one with both a timestamp and a cosignature,
 * and the earliest if several are equally good.
 */
export function findBestCheckpoint(
  db: Knex,
  logId: number,
  index: number,
): Promise<StoredCheckpoint | undefined> {
  const isVouchedIn = (table: string) =>
    `exists (select from ${table} other where (other.log_id, other.size) = (near.log_id, near.size))::int`;
  return queryRow<StoredCheckpoint>(
    db,
    `select size, root, note, signed_at as "signedAt"
     from (select * from log_checkpoints where log_id = ? and size > ? order by size limit ${MAX_CANDIDATES}) as near
     order by ${isVouchedIn("log_timestamps")} + ${isVouchedIn("log_cosignatures")} desc, size
     limit 1`,
    [logId, index],
  );
}

/**
 * Reads the events between two positions as leaves, one row per tile. An event's entry consists of its hash in the
 * chain and, if it has one, its commitment.
 */
export function readLeaves(
  db: Knex,
  { after }: Pick<TransparencyLog, "after">,
  from: number,
  to: number,
): Promise<Leaves[]> {
  return queryRows<Leaves>(
    db,
    `select count(*) as count,
       string_agg(sha256(:leaf::bytea || entry), ''::bytea order by position) as hashes,
       string_agg(int2send(length(entry)::int2) || entry, ''::bytea order by position) as bundle
     from (
       select position, hash || coalesce(commitment, ''::bytea) as entry from credential_events
       where position > :from and position <= :to
     ) as event
     group by (position - 1 - :after) / ${TILE_WIDTH} order by min(position)`,
    { after, from, to, leaf: LEAF },
  );
}

/** Returns the number of events that no checkpoint contains yet, and the time of the last timestamp in seconds. */
export async function measureLog(db: Knex): Promise<{ unpublished: number; stampedAt: number | null }> {
  const state = await queryRow<{ unpublished: number; stampedAt: number | null }>(
    db,
    `select (head.position - after_position - coalesce((select max(size) from log_checkpoints where log_id = log.id), 0))
         ::float8 as unpublished,
       (select extract(epoch from max(stamped_at))::float8 from log_timestamps where log_id = log.id) as "stampedAt"
     from transparency_logs log cross join credential_event_head head order by log.id desc limit 1`,
  );
  return state ?? { unpublished: 0, stampedAt: null };
}
