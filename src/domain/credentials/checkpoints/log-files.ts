import { createHash } from "node:crypto";
import { HASH_SIZE } from "#formats/transparency/inclusion.js";
import { firstEntries, TILE_WIDTH, type TileName, tilePath } from "#formats/transparency/tiles.js";
import type { FileStore } from "#infrastructure/files/file-store.js";

export interface LogFiles {
  /**
   * Returns the tile's bytes, if necessary from a wider version of the same tile. Returns `undefined` if there is none.
   */
  readTile(name: TileName): Promise<Buffer | undefined>;
  putTile(name: TileName, bytes: Buffer): Promise<void>;
  removeTile(name: TileName): Promise<void>;
  readLatest(): Promise<string | undefined>;
  putLatest(note: string): Promise<void>;
  readCheckpoint(size: number): Promise<string | undefined>;
  putCheckpoint(size: number, note: string): Promise<void>;
  /** @param name from `tokenName` */
  readToken(name: string): Promise<Buffer | undefined>;
  putToken(name: string, answer: Buffer): Promise<void>;
  /** Lists the stored checkpoints and timestamps, unsorted. `token` is the name of a timestamp. */
  list(): AsyncIterable<{ readonly size: number; readonly token: string | undefined }>;
}

export function tokenName(size: number, token: Buffer): string {
  return `${size}.${createHash("sha256").update(token).digest("hex").slice(0, 16)}.tsr`;
}

function logDir(outputDir: string): string {
  return `${outputDir}_log`;
}

const NOTE = { contentType: "text/plain" };
const TILE = { contentType: "application/octet-stream" };
const TOKEN = { contentType: "application/timestamp-reply" };

export function openLogFiles(files: FileStore, outputDir: string, logId: number): LogFiles {
  const root = `${logDir(outputDir)}/${logId}`;
  const keyOf = (name: TileName) => `${root}/${tilePath(name)}`;
  const read = async (key: string) => {
    const bytes = await files.read(key);
    return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };

  /** Finds the narrowest tile that is wider than this one. */
  async function widerThan({ level, index, width }: TileName): Promise<TileName | undefined> {
    const found: number[] = [];
    for await (const { key } of files.list(`${keyOf({ level, index, width: TILE_WIDTH })}.p/`)) {
      const other = Number(key.slice(key.lastIndexOf("/") + 1));
      if (other > width) found.push(other);
    }
    return found.length === 0 ? undefined : { level, index, width: Math.min(...found) };
  }

  async function readTile(name: TileName): Promise<Buffer | undefined> {
    const { level, index, width } = name;
    const exact = await read(keyOf(name));
    if (exact || width === TILE_WIDTH) return exact;
    const other = await widerThan(name);
    const bytes =
      (other && (await read(keyOf(other)))) ?? (await read(keyOf({ level, index, width: TILE_WIDTH })));
    if (!bytes) return undefined;
    return level === "entries" ? firstEntries(bytes, width) : bytes.subarray(0, width * HASH_SIZE);
  }

  return {
    readTile,
    putTile: (name, bytes) => files.put(keyOf(name), bytes, TILE),
    removeTile: (name) => files.delete(keyOf(name)),
    readLatest: async () => (await read(`${root}/checkpoint`))?.toString(),
    putLatest: (note) => files.put(`${root}/checkpoint`, Buffer.from(note), NOTE),
    readCheckpoint: async (size) => (await read(`${root}/checkpoints/${size}`))?.toString(),
    putCheckpoint: (size, note) => files.put(`${root}/checkpoints/${size}`, Buffer.from(note), NOTE),
    readToken: (name) => read(`${root}/checkpoints/${name}`),
    putToken: (name, answer) => files.put(`${root}/checkpoints/${name}`, answer, TOKEN),
    async *list() {
      for await (const { key } of files.list(`${root}/checkpoints/`)) {
        const name = key.slice(key.lastIndexOf("/") + 1);
        const [size = "", ...rest] = name.split(".");
        if (/^[1-9]\d{0,14}$/.test(size))
          yield { size: Number(size), token: rest.length > 0 ? name : undefined };
      }
    },
  };
}
