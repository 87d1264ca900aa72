/** Reads values of Avro's binary encoding (specification 1.11, "Binary Encoding") in the order of a schema. */
export interface AvroReader {
  long(): number;
  boolean(): boolean;
  string(): string;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** @throws RangeError if the bytes end early, or a number is too large */
export function createAvroReader(bytes: Uint8Array): AvroReader {
  let at = 0;
  const byte = () => {
    const value = bytes[at];
    if (value === undefined) throw new RangeError("the message ends early");
    at++;
    return value;
  };
  const long = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      if (shift > 63n) throw new RangeError("a number is too long");
      const next = BigInt(byte());
      value |= (next & 0x7fn) << shift;
      if (next < 0x80n) break;
    }
    const number = Number((value >> 1n) ^ -(value & 1n)); // zig-zag
    if (!Number.isSafeInteger(number)) throw new RangeError("a number is too large");
    return number;
  };
  return {
    long,
    boolean: () => byte() === 1,
    string() {
      const length = long();
      if (length < 0 || at + length > bytes.length) throw new RangeError("the message ends early");
      at += length;
      return utf8.decode(bytes.subarray(at - length, at));
    },
  };
}
