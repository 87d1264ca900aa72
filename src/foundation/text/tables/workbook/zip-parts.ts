import { Inflate } from "fflate";

export class DamagedArchiveError extends Error {}

/** The archive exceeds the allowed unpacked size. */
export class TooLargeArchiveError extends Error {}

interface Entry {
  readonly isDeflated: boolean;
  /** `start` is the offset of the file's header in the archive, and `size` is the file's compressed size in bytes. */
  readonly start: number;
  readonly size: number;
}

/** The files of an archive. Each is unpacked piece by piece. */
export interface ZipParts {
  /** Names in archive order. A file that occurs twice is listed twice. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /**
   * Unpacks a file.
   * @param take called with each piece
   * @throws DamagedArchiveError; TooLargeArchiveError if the total unpacked size exceeds the limit
   */
  unpack(name: string, take: (piece: Uint8Array) => void): void;
}

const MAX_ENTRIES = 10_000;

/** Number of packed bytes to unpack at a time. A byte unpacks to at most 1032 bytes, so a piece gives at most 17 MB. */
const PIECE = 16 * 1024;

/**
 * Reads the directory of a ZIP archive (APPNOTE 6.3.9), including archives with 64-bit sizes, which programs create
 * when they write archives as streams.
 * @param most maximum unpacked size of all files together in bytes; sizes stated in the archive may be wrong
 * @throws DamagedArchiveError
 */
export function openZip(bytes: Uint8Array, most: number): ZipParts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const directory = within(() => readDirectory(view, bytes));
  const entries = new Map(directory);
  let unpacked = 0;
  return {
    names: directory.map(([name]) => name),
    has: (name) => entries.has(name),
    unpack(name, take) {
      const entry = entries.get(name);
      if (!entry) throw new DamagedArchiveError(`it has no ${name}`);
      const count = (piece: Uint8Array) => {
        unpacked += piece.length;
        if (unpacked > most) throw new TooLargeArchiveError(`it unpacks to more than ${most} bytes`);
        take(piece);
      };
      const packed = within(() => contentOf(view, bytes, entry));
      if (!entry.isDeflated) return count(packed);
      const inflate = new Inflate(count);
      for (let start = 0; start < packed.length; start += PIECE) {
        const isLast = start + PIECE >= packed.length;
        const piece = packed.subarray(start, start + PIECE);
        try {
          inflate.push(piece, isLast);
        } catch (error) {
          if (typeof (error as { code?: unknown }).code !== "number") throw error;
          throw new DamagedArchiveError(`${name} is not compressed as its entry in the archive says`, {
            cause: error,
          });
        }
      }
    },
  };
}

function readDirectory(view: DataView, bytes: Uint8Array): (readonly [name: string, Entry])[] {
  const end = findEnd(view);
  let [count, at] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)];
  if (count === 0xffff || at === 0xffffffff) {
    const wide = long(view, end - 20 + 8);
    [count, at] = [long(view, wide + 32), long(view, wide + 48)];
  }
  if (count > MAX_ENTRIES)
    throw new DamagedArchiveError(`it contains ${count} files; at most ${MAX_ENTRIES} are accepted`);

  const entries: (readonly [string, Entry])[] = [];
  for (let index = 0; index < count; index++) {
    if (view.getUint32(at, true) !== 0x02014b50) throw new DamagedArchiveError("its directory is broken");
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      view.getUint16(at + offset, true),
    ) as [number, number, number];
    const extra = at + 46 + nameLength;
    // Some programs on Windows write backslashes, which the specification forbids.
    const name = new TextDecoder().decode(bytes.subarray(at + 46, extra)).replaceAll("\\", "/");
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    if (flags & 1 || (method !== 0 && method !== 8)) {
      throw new DamagedArchiveError(`${name} is encrypted, or compressed with an unsupported method`);
    }
    const sizes = [24, 20, 42].map((offset) => view.getUint32(at + offset, true));
    const [, size = 0, start = 0] = widened(view, sizes, { from: extra, to: extra + extraLength });
    entries.push([name, { isDeflated: method === 8, start, size }]);
    at = extra + extraLength + commentLength;
  }
  return entries;
}

function findEnd(view: DataView): number {
  const longestComment = 0xffff;
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - longestComment); at--) {
    if (view.getUint32(at, true) === 0x06054b50) return at;
  }
  throw new DamagedArchiveError("it has no directory");
}

/** Returns the numbers with 64 bits. Numbers that don't fit into 32 bits are stored in an extra field, in order. */
function widened(view: DataView, numbers: readonly number[], extra: { from: number; to: number }): number[] {
  for (let at = extra.from; at + 4 <= extra.to; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    let next = at + 4;
    return numbers.map((each) => {
      if (each !== 0xffffffff) return each;
      next += 8;
      return long(view, next - 8);
    });
  }
  return [...numbers];
}

function contentOf(view: DataView, bytes: Uint8Array, { start, size }: Entry): Uint8Array {
  if (view.getUint32(start, true) !== 0x04034b50)
    throw new DamagedArchiveError("one of its files is missing");
  const from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
  if (from + size > bytes.length) throw new DamagedArchiveError("it is cut off");
  return bytes.subarray(from, from + size);
}

function long(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

/** Converts range errors: an offset beyond the end means that the archive is damaged. */
function within<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new DamagedArchiveError("it is cut off", { cause: error });
  }
}
