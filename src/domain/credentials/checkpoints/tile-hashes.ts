import { HASH_SIZE } from "#formats/transparency/inclusion.js";
import { type HashOf, nodeHash, perfectRoot, splitOf } from "#formats/transparency/merkle.js";
import { TILE_WIDTH, widthIn } from "#formats/transparency/tiles.js";
import type { LogFiles } from "./log-files.js";

/**
 * Returns a function that reads hashes of a log's tree from the log's tiles.
 * @param size of a published tree
 * @throws Error if a tile is missing
 */
export function hashesOfTiles(files: LogFiles, size: number): HashOf {
  const tiles = new Map<string, Promise<Buffer>>();

  function tileAt(level: number, index: number): Promise<Buffer> {
    const key = `${level}/${index}`;
    const found = tiles.get(key) ?? readTile(level, index);
    tiles.set(key, found);
    return found;
  }

  async function readTile(level: number, index: number): Promise<Buffer> {
    const tile = await files.readTile({ level, index, width: widthIn(size, { level, index }) });
    if (!tile) throw new Error(`tile ${level}/${index} of the log is not in the file store`);
    return tile;
  }

  async function hashOf(from: number, to: number): Promise<Buffer> {
    const height = Math.log2(to - from);
    if (!Number.isInteger(height)) {
      const middle = from + splitOf(to - from);
      return nodeHash(await hashOf(from, middle), await hashOf(middle, to));
    }
    const level = Math.floor(height / 8);
    const first = from / TILE_WIDTH ** level;
    const count = (to - from) / TILE_WIDTH ** level;
    const tile = await tileAt(level, Math.floor(first / TILE_WIDTH));
    const start = (first % TILE_WIDTH) * HASH_SIZE;
    return perfectRoot(tile.subarray(start, start + count * HASH_SIZE));
  }

  return hashOf;
}
