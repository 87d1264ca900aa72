import { HASH_SIZE } from "./inclusion.js";
import { EMPTY_ROOT, nodeHash, perfectRoot } from "./merkle.js";

/** Number of hashes or entries in a full tile (C2SP tlog-tiles). */
export const TILE_WIDTH = 256;

const TILE_BYTES = TILE_WIDTH * HASH_SIZE;
const NO_HASHES = Buffer.alloc(0);

/** A tile of hashes or, if the level is `entries`, a bundle of entries. */
export interface TileName {
  readonly level: number | "entries";
  readonly index: number;
  /** Number of hashes or entries, 1 to 256. */
  readonly width: number;
}

type HashTile = TileName & { readonly level: number };

/** Returns the path of a tile under its log's prefix, for example `tile/0/x001/234.p/5`. */
export function tilePath({ level, index, width }: TileName): string {
  const groups = [String(index % 1000).padStart(3, "0")];
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000))
    groups.unshift(`x${String(rest % 1000).padStart(3, "0")}`);
  return `tile/${level}/${groups.join("/")}${width === TILE_WIDTH ? "" : `.p/${width}`}`;
}

const PATH = /^tile\/(entries|[0-5])\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** @returns undefined if the path is not the path of a tile */
export function readTilePath(path: string): TileName | undefined {
  const [, level = "", groups = "", width] = PATH.exec(path) ?? [];
  if (level === "") return undefined;
  const name = {
    level: level === "entries" ? level : Number(level),
    index: Number(groups.replace(/[x/]/g, "")),
    width: width === undefined ? TILE_WIDTH : Number(width),
  } as const;
  return tilePath(name) === path ? name : undefined; // each tile has only one valid path
}

/** Returns the number of hashes that a tree of this size has in a tile. May be 0. */
export function widthIn(size: number, { level, index }: Pick<TileName, "level" | "index">): number {
  const hashes = Math.floor(size / TILE_WIDTH ** (level === "entries" ? 0 : level));
  return Math.min(Math.max(hashes - index * TILE_WIDTH, 0), TILE_WIDTH);
}

/** Returns the partial tiles of a tree, leaf level first. */
export function partialTiles(size: number): HashTile[] {
  const tiles: HashTile[] = [];
  for (let [level, hashes] = [0, size]; hashes > 0; level++, hashes = Math.floor(hashes / TILE_WIDTH)) {
    const width = hashes % TILE_WIDTH;
    if (width > 0) tiles.push({ level, index: Math.floor(hashes / TILE_WIDTH), width });
  }
  return tiles;
}

/**
 * Returns the first entries of a bundle.
 * @throws RangeError if the bundle has fewer entries
 */
export function firstEntries(bundle: Buffer, count: number): Buffer {
  let end = 0;
  for (let left = count; left > 0; left--) {
    if (end + 2 > bundle.length) throw new RangeError(`has fewer than ${count} entries`);
    end += 2 + bundle.readUInt16BE(end);
  }
  if (end > bundle.length) throw new RangeError("ends within an entry");
  return bundle.subarray(0, end);
}

/** A tile with its hashes. `bytes` are the concatenated hashes. */
interface StoredTile {
  readonly name: HashTile;
  readonly bytes: Buffer;
}

/**
 * The right edge of a growing tree. The root and the next tiles are calculated from it. A tile of level 1 or above
 * consists of the roots of full tiles on the level below.
 */
export class TreeEdge {
  #size = 0;
  /** The hashes of each level's partial tile. */
  readonly #levels: Buffer[] = [];

  /** @param tiles the partial tiles of a tree of this size, by level */
  static of(size: number, tiles: ReadonlyMap<number, Buffer>): TreeEdge {
    const edge = new TreeEdge();
    edge.#size = size;
    for (let [level, hashes] = [0, size]; hashes > 0; level++, hashes = Math.floor(hashes / TILE_WIDTH)) {
      const tile = tiles.get(level) ?? NO_HASHES;
      const expected = (hashes % TILE_WIDTH) * HASH_SIZE;
      if (tile.length !== expected)
        throw new Error(
          `The partial tile at level ${level} has ${tile.length} bytes; a tree of ${size} leaves needs ${expected}.`,
        );
      edge.#levels[level] = tile;
    }
    return edge;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Adds leaves, given as their concatenated hashes.
   * @returns the tiles that became full
   */
  append(leaves: Buffer): StoredTile[] {
    const fullTiles: StoredTile[] = [];
    let hashes = leaves;
    for (let level = 0; hashes.length > 0; level++) {
      const first = Math.floor(this.#size / TILE_WIDTH ** (level + 1));
      const tiles = Buffer.concat([this.#levels[level] ?? NO_HASHES, hashes]);
      const count = Math.floor(tiles.length / TILE_BYTES);
      this.#levels[level] = tiles.subarray(count * TILE_BYTES);
      const made = Array.from({ length: count }, (_, offset) => ({
        name: { level, index: first + offset, width: TILE_WIDTH },
        bytes: tiles.subarray(offset * TILE_BYTES, (offset + 1) * TILE_BYTES),
      }));
      fullTiles.push(...made);
      hashes = Buffer.concat(made.map(({ bytes }) => perfectRoot(bytes)));
    }
    this.#size += leaves.length / HASH_SIZE;
    return fullTiles;
  }

  partial(): StoredTile[] {
    return partialTiles(this.#size).map((name) => ({ name, bytes: this.#levels[name.level] ?? NO_HASHES }));
  }

  root(): Buffer {
    const parts: Buffer[] = []; // full subtrees, smallest first
    for (const hashes of this.#levels) {
      for (let [end, width] = [hashes.length, HASH_SIZE]; end > 0; width *= 2) {
        if (end % (2 * width) === 0) continue;
        parts.push(perfectRoot(hashes.subarray(end - width, end)));
        end -= width;
      }
    }
    const [first = EMPTY_ROOT, ...rest] = parts;
    return rest.reduce((right, left) => nodeHash(left, right), first);
  }
}
