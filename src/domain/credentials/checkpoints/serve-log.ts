import { readCheckpoint } from "#formats/transparency/checkpoint.js";
import { readTilePath, widthIn } from "#formats/transparency/tiles.js";
import type { Database } from "#infrastructure/db/database.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { type LogFiles, openLogFiles, tokenName } from "./log-files.js";
import { listCheckpoints, listLogs, listTokens } from "./log-store.js";
import { logPath } from "./log-urls.js";

interface LogFile {
  readonly body: Buffer;
  readonly contentType: string;
  readonly isImmutable: boolean;
}

/**
 * @param path below the log's prefix; empty for the list of checkpoints
 * @param below lists only checkpoints smaller than this size
 * @returns undefined if there is no such file
 */
export type FindLogFile = (logId: number, path: string, below?: string) => Promise<LogFile | undefined>;

/** Number of checkpoints per page: more than a week's checkpoints. */
const PAGE = 200;

const TEXT = "text/plain; charset=utf-8";
const CHECKPOINT = /^checkpoints\/([1-9]\d{0,14})$/;
const TOKEN = /^checkpoints\/([1-9]\d{0,14}\.[\da-f]{16}\.tsr)$/;

export function createFindLogFile({
  database,
  files: store,
  outputDir,
  publicUrl,
}: {
  readonly database: Database;
  readonly files: FileStore;
  readonly outputDir: string;
  readonly publicUrl: string;
}): FindLogFile {
  return async (logId, path, below) => {
    const files = openLogFiles(store, outputDir, logId);
    if (path === "") return list(database, publicUrl, logId, below);
    if (path === "checkpoint") return fileOf(await files.readLatest(), TEXT, false);
    const [, size] = CHECKPOINT.exec(path) ?? [];
    if (size !== undefined) return fileOf(await files.readCheckpoint(Number(size)), TEXT, true);
    const [, token] = TOKEN.exec(path) ?? [];
    if (token !== undefined) return fileOf(await files.readToken(token), "application/timestamp-reply", true);
    return fileOf(await publishedTile(files, path), "application/octet-stream", true);
  };
}

function fileOf(
  content: Buffer | string | undefined,
  contentType: string,
  isImmutable: boolean,
): LogFile | undefined {
  return content === undefined ? undefined : { body: Buffer.from(content), contentType, isImmutable };
}

/** Returns `undefined` if no published checkpoint covers the tile. The tile may then still change. */
async function publishedTile(files: LogFiles, path: string): Promise<Buffer | undefined> {
  const name = readTilePath(path);
  const latest = name && (await files.readLatest());
  if (!name || latest === undefined) return undefined;
  return widthIn(readCheckpoint(latest).size, name) >= name.width ? files.readTile(name) : undefined;
}

async function list(
  { reads: { knex } }: Database,
  publicUrl: string,
  logId: number,
  below: string | undefined,
): Promise<LogFile | undefined> {
  const logs = await listLogs(knex);
  const log = logs.find(({ id }) => id === logId);
  if (!log || (below !== undefined && !/^[1-9]\d{0,14}$/.test(below))) return undefined;
  const most = below === undefined ? Number.MAX_SAFE_INTEGER : Number(below);
  const checkpoints = await listCheckpoints(knex, logId, most, PAGE);
  const sizes = checkpoints.map(({ size }) => size);
  const tokens = await listTokens(knex, logId, sizes);
  const url = publicUrl + logPath(logId);
  const content = {
    origin: log.origin,
    verifier_key: log.verifierKey,
    url,
    begun_at: log.begunAt,
    begins_after_position: log.after,
    other_logs: logs.filter(({ id }) => id !== logId).map(({ id }) => publicUrl + logPath(id)),
    checkpoints: checkpoints.map(({ size, root, signedAt }) => ({
      size,
      root: root.toString("base64"),
      signed_at: signedAt,
      url: `${url}checkpoints/${size}`,
      timestamps: tokens
        .filter((token) => token.size === size)
        .map(({ tsa, token, stampedAt }) => ({
          tsa,
          stamped_at: stampedAt,
          url: `${url}checkpoints/${tokenName(size, token)}`,
        })),
    })),
    next: checkpoints.length === PAGE ? `${url}?below=${sizes.at(-1)}` : undefined,
  };
  return fileOf(`${JSON.stringify(content, null, 2)}\n`, "application/json", false);
}
