import fc from "fast-check";
import { afterAll, vi } from "vitest";

/**
 * A fixed seed. Random seeds could lead into endless loops of fontkit, which only a separate process can end
 * (`inspect-asset.slow.test.ts`).
 */
export const FONT_SEED = 2026;

/** A change that removes, inserts or replaces bytes. */
const change = fc.record({
  /**
   * Position of the change as a share of the length, evenly distributed. If most changes were at the start, few files
   * would still be of their kind.
   */
  at: fc.noBias(fc.nat(999_999)).map((millionths) => millionths / 1e6),
  remove: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(0, 1, 2, 4) },
    { weight: 1, arbitrary: fc.nat(500) },
  ),
  insert: fc.oneof(
    fc.uint8Array({ maxLength: 4 }),
    fc
      .constantFrom(...["0", "9", "/", "<<", "[", "\xff", "\xff\xff\xff\xff", "\x80\0\0\0", "\0\0\0\0"])
      .map((text) => Buffer.from(text, "latin1")),
  ),
});

/** Returns the file with one to four changes. */
export function mutated(bytes: Buffer): fc.Arbitrary<Buffer> {
  return fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) =>
    changes.reduce<Buffer>((content, { at, remove, insert }) => {
      const start = Math.floor(at * content.length);
      return Buffer.concat([content.subarray(0, start), insert, content.subarray(start + remove)]);
    }, bytes),
  );
}

/** Silences pdf-lib, which warns about numbers that it considers too large. */
export function quietly(): void {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  afterAll(() => warn.mockRestore());
}
