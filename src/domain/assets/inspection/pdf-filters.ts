import { inflateSync } from "node:zlib";
import { invalid } from "#foundation/errors.js";
import { shorten } from "#foundation/shorten.js";

/** Maximum inflated size of one stream, in bytes. An A4 image at 300 dpi with four channels has 35 MB. */
const MAX_INFLATED = 64 * 1024 * 1024;
const MAX_INFLATED_IN_ALL = 128 * 1024 * 1024;

const MIB = 1024 * 1024;

const textual = /^ASCII(?:Hex|85)Decode$/;
const image = /^(?:DCT|JPX|CCITTFax|JBIG2)Decode$/;

/**
 * Checks the filters of a stream (ISO 32000-1, 7.4). The allowed order is a text encoding, one Flate compression, and
 * an image filter, each of which is optional. Current programs use no other filters, and repeated compression would let
 * a small file inflate without end.
 * @param names without the slash
 * @throws Problem `invalid`
 */
export function checkFilters(names: readonly string[]): void {
  const rest = [...names];
  if (textual.test(rest[0] ?? "")) rest.shift();
  if (rest[0] === "FlateDecode") rest.shift();
  if (image.test(rest[0] ?? "")) rest.shift();
  if (rest.length > 0) {
    throw invalid(
      `The PDF has a part compressed in an outdated or unusual way (${shorten(names.join(", "), 100)}): print it to a new PDF, ` +
        "and upload the new file.",
    );
  }
}

export interface Inflation {
  /** Inflates the Flate data at the start of `data`, and ignores the bytes after it. */
  inflate(data: Uint8Array): Buffer;
}

/** The method `inflate` throws Problem `invalid` if a stream is damaged, or if the stream or the total is too large. */
export function createInflation(): Inflation {
  let total = 0;

  return {
    inflate(data) {
      const inflated = inflateBounded(data);
      total += inflated.length;
      if (total > MAX_INFLATED_IN_ALL) throw tooLarge(MAX_INFLATED_IN_ALL);
      return inflated;
    },
  };
}

function inflateBounded(data: Uint8Array): Buffer {
  try {
    return inflateSync(data, { maxOutputLength: MAX_INFLATED, chunkSize: 32 * 1024 });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(MAX_INFLATED);
    throw invalid(
      "The PDF is damaged: a compressed part can't be read. Save it again, and upload the new file.",
      error,
    );
  }
}

function tooLarge(limit: number): Error {
  return invalid(
    `The PDF is more than ${limit / MIB} MiB when decompressed: make its images smaller, or print it to a new PDF, and upload the new file.`,
  );
}

/** Decodes ASCII85 or ASCIIHex. Returns `undefined` if the data is not valid in that encoding. */
export function decodeTextual(name: string, data: Uint8Array): Buffer | undefined {
  const text = Buffer.from(data).toString("latin1").replace(/\s+/g, "");
  return name === "ASCII85Decode" ? decodeAscii85(text) : decodeHex(text);
}

function decodeHex(text: string): Buffer | undefined {
  const digits = text.replace(/>.*$/, "");
  if (!/^[\da-fA-F]*$/.test(digits)) return undefined;
  return Buffer.from(digits.length % 2 ? `${digits}0` : digits, "hex");
}

/**
 * Decodes ASCII85 (ISO 32000-1, 7.4.3): five base-85 digits, starting at `!`, are four bytes; `z` is four zeros; `~>`
 * ends the data.
 */
function decodeAscii85(text: string): Buffer | undefined {
  const digits = text.replace(/~>?.*$/, "").replaceAll("z", "!!!!!");
  if (!/^[!-u]*$/.test(digits)) return undefined;
  const groups = Math.ceil(digits.length / 5);
  const bytes = Buffer.alloc(4 * groups);
  const padded = digits.padEnd(5 * groups, "u");
  for (let group = 0; group < groups; group += 1) {
    let value = 0;
    for (let i = 0; i < 5; i += 1) value = value * 85 + padded.charCodeAt(5 * group + i) - 33;
    bytes.writeUInt32BE(value % 2 ** 32, 4 * group);
  }
  return bytes.subarray(0, bytes.length - (padded.length - digits.length));
}
