import fc from "fast-check";
import { expect, test } from "vitest";
import { isIncluded, leafHash } from "#formats/transparency/inclusion.js";
import {
  consistencyProof,
  EMPTY_ROOT,
  inclusionProof,
  isConsistent,
  nodeHash,
  splitOf,
} from "#formats/transparency/merkle.js";
import { partialTiles, readTilePath, TreeEdge, tilePath, widthIn } from "#formats/transparency/tiles.js";

const leaves = Array.from({ length: 70_000 }, (_, index) => leafHash(Buffer.from(`entry ${index}`)));

/** Computes the root as RFC 6962, section 2.1, defines it. */
function rootOf(from: number, to: number): Buffer {
  if (to - from === 1) return leaves[from] as Buffer;
  const middle = from + splitOf(to - from);
  return nodeHash(rootOf(from, middle), rootOf(middle, to));
}

const hashOf = async (from: number, to: number) => rootOf(from, to);

test("a tree that grows in parts has the root of its leaves, whichever tiles it continues from", () => {
  expect(new TreeEdge().root()).toEqual(EMPTY_ROOT);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 6 }), (parts) => {
      let edge = new TreeEdge();
      for (const part of parts) {
        edge.append(Buffer.concat(leaves.slice(edge.size, edge.size + part)));
        expect(edge.root()).toEqual(rootOf(0, edge.size));
        const tiles = edge.partial().map(({ name, bytes }) => [name.level, bytes] as const);
        edge = TreeEdge.of(edge.size, new Map(tiles));
      }
    }),
    { numRuns: 25 },
  );
});

test("a tree continues from sizes whose tiles are all complete", () => {
  const edgeOf = (size: number) => {
    const edge = new TreeEdge();
    edge.append(Buffer.concat(leaves.slice(0, size)));
    const tiles = edge.partial().map(({ name, bytes }) => [name.level, bytes] as const);
    return TreeEdge.of(size, new Map(tiles));
  };
  for (const size of [255, 256, 257, 512, 65_536, 65_792]) {
    const edge = edgeOf(size);
    expect(edge.root()).toEqual(rootOf(0, size));
    edge.append(Buffer.concat(leaves.slice(size, size + 300)));
    expect(edge.root()).toEqual(rootOf(0, size + 300));
  }
});

test("the tiles of 70,000 leaves are those in the specification", () => {
  const edge = new TreeEdge();
  const whole = edge.append(Buffer.concat(leaves));
  expect(whole.filter(({ name }) => name.level === 0)).toHaveLength(273);
  expect(whole.filter(({ name }) => name.level === 1)).toHaveLength(1);
  expect(partialTiles(70_000).map(({ level, width }) => [level, width])).toEqual([
    [0, 112],
    [1, 17],
    [2, 1],
  ]);
  expect(edge.root()).toEqual(rootOf(0, 70_000));
  expect(widthIn(70_000, { level: 0, index: 273 })).toBe(112);
  expect(widthIn(70_000, { level: 0, index: 274 })).toBe(0);
});

test("the path of a tile can be read, and each tile has one path", () => {
  expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe("tile/0/x001/x234/067");
  for (const wrong of ["tile/0/x000/001", "tile/0/1", "tile/0/001.p/256", "tile/9/001", "tile/0/001.p/0"])
    expect(readTilePath(wrong)).toBeUndefined();
  fc.assert(
    fc.property(
      fc.record({
        level: fc.oneof(fc.constant("entries" as const), fc.integer({ min: 0, max: 5 })),
        index: fc.integer({ min: 0, max: 10 ** 14 }),
        width: fc.integer({ min: 1, max: 256 }),
      }),
      (name) => {
        expect(readTilePath(tilePath(name))).toEqual(name);
      },
    ),
  );
});

test("proofs of inclusion and of growth are valid for their trees only", async () => {
  const tree = (size: number) => ({ size, root: rootOf(0, size) });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 600 }), fc.nat(), fc.nat(), async (size, seed, position) => {
      const index = seed % size;
      const path = await inclusionProof(index, size, hashOf);
      const leaf = leaves[index] as Buffer;
      expect(isIncluded(leaf, index, tree(size), path)).toBe(true);
      expect(isIncluded(leaves[index + 1] as Buffer, index, tree(size), path)).toBe(false);
      expect(isIncluded(leaf, (index + 1) % (size + 1), tree(size), path)).toBe(false);
      const old = 1 + (seed % size);
      const proof = await consistencyProof(old, size, hashOf);
      expect(isConsistent(tree(old), tree(size), proof)).toBe(true);
      const other = { size: old, root: leafHash(rootOf(0, old)) };
      expect(isConsistent(other, tree(size), proof)).toBe(false);
      expect(isConsistent(tree(old), { size, root: leafHash(rootOf(0, size)) }, proof)).toBe(false);
      expect(isConsistent(tree(old), tree(size), [...proof, leaf])).toBe(false);
      for (const [hashes, holds] of [
        [path, (changed: Buffer[]) => isIncluded(leaf, index, tree(size), changed)],
        [proof, (changed: Buffer[]) => isConsistent(tree(old), tree(size), changed)],
      ] as const) {
        if (hashes.length === 0) continue;
        const changed = hashes.map((hash, at) => (at === position % hashes.length ? leafHash(hash) : hash));
        expect(holds(changed)).toBe(false);
        expect(holds(hashes.slice(1))).toBe(false);
      }
    }),
    { numRuns: 60 },
  );
});
