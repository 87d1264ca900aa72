import { type DescField, type DescMessage, type Message, ScalarType, toBinary } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";

/** Writes a message of one type as bytes. @throws Error if a value does not fit its field */
export type WriteMessage = (message: Message) => Buffer;

/** Size of the buffer in which messages are written. The library writes longer ones. */
const MAX_BYTES = 64 * 1024;

/**
 * Creates a writer that returns what `toBinary(schema, message)` returns. The library reflects on each field,
 * and creates an ArrayBuffer per text. Here each type is analysed once, and all messages are written in one
 * buffer. Types with fields that our responses seldom use, and values that do not fit, are left to the library.
 */
export function createMessageWriter(schema: DescMessage): WriteMessage {
  const viaLibrary = (message: Message) => Buffer.from(toBinary(schema, message));
  const write = messageWriter(schema, new Map());
  if (!write) return viaLibrary;
  return (message) => {
    output.end = 0;
    try {
      write(output, message as unknown as Fields);
    } catch {
      return viaLibrary(message);
    }
    return Buffer.from(output.buffer.subarray(0, output.end));
  };
}

type Fields = Record<string, unknown>;

interface Output {
  readonly buffer: Buffer;
  /** Where the next byte is written. */
  end: number;
}

/** No message is begun before the last one is finished. */
const output: Output = { buffer: Buffer.allocUnsafeSlow(MAX_BYTES), end: 0 };

/** Writes a value. @throws Error if it does not fit its type, or into the buffer */
type Write<T = unknown> = (output: Output, value: T) => void;

/** How to write one kind of value. */
interface Kind {
  readonly wireType: WireType;
  readonly write: Write;
  /** Whether the value is the default, which is not written unless the field has presence. */
  isDefault(value: unknown): boolean;
}

/** @returns undefined for types that are left to the library */
function messageWriter(
  schema: DescMessage,
  known: Map<DescMessage, Write<Fields>[]>,
): Write<Fields> | undefined {
  const writers = known.get(schema) ?? [];
  if (!known.has(schema)) {
    known.set(schema, writers);
    for (const field of schema.fields.toSorted((a, b) => a.number - b.number)) {
      const write = fieldWriter(field, known);
      if (!write) return undefined;
      writers.push(write);
    }
  }
  return (output, message) => {
    for (const write of writers) write(output, message);
  };
}

function fieldWriter(field: DescField, known: Map<DescMessage, Write<Fields>[]>): Write<Fields> | undefined {
  const { localName: name } = field;
  if (field.fieldKind === "map") return mapWriter(field);
  if (field.presence === Presence.LEGACY_REQUIRED) return undefined;
  const kind = kindOf(field, known);
  if (!kind) return undefined;
  const tag = (field.number << 3) | kind.wireType;
  const writeTagged: Write = (output, value) => {
    writeVarint(output, tag);
    kind.write(output, value);
  };
  if (field.fieldKind === "list") {
    if (field.packed) return packedWriter(name, field.number, kind.write);
    return (output, message) => {
      for (const item of message[name] as unknown[]) writeTagged(output, item);
    };
  }
  if (field.oneof) {
    const group = field.oneof.localName;
    return (output, message) => {
      const given = message[group] as { case?: string; value?: unknown };
      if (given.case === name) writeTagged(output, given.value);
    };
  }
  if (field.presence === Presence.IMPLICIT) {
    return (output, message) => {
      if (!kind.isDefault(message[name])) writeTagged(output, message[name]);
    };
  }
  return (output, message) => {
    if (message[name] !== undefined && Object.hasOwn(message, name)) writeTagged(output, message[name]);
  };
}

function packedWriter(name: string, number: number, write: Write): Write<Fields> {
  const writeItems: Write = (output, list) => {
    for (const item of list as unknown[]) write(output, item);
  };
  return (output, message) => {
    const list = message[name] as unknown[];
    if (list.length === 0) return;
    writeVarint(output, (number << 3) | WireType.LengthDelimited);
    writeDelimited(output, list, writeItems);
  };
}

/** A map entry is a message whose key is field 1 and whose value is field 2. */
function mapWriter(field: DescField & { fieldKind: "map" }): Write<Fields> | undefined {
  if (field.mapKey !== ScalarType.STRING || field.scalar !== ScalarType.STRING) return undefined;
  const tag = (field.number << 3) | WireType.LengthDelimited;
  const writeEntry: Write = (output, entry) => {
    const [key, value] = entry as [string, unknown];
    writeVarint(output, (1 << 3) | WireType.LengthDelimited);
    writeText(output, key);
    writeVarint(output, (2 << 3) | WireType.LengthDelimited);
    writeText(output, value);
  };
  return (output, message) => {
    for (const entry of Object.entries(message[field.localName] as object)) {
      writeVarint(output, tag);
      writeDelimited(output, entry, writeEntry);
    }
  };
}

/** @returns undefined for kinds that are left to the library */
function kindOf(field: DescField, known: Map<DescMessage, Write<Fields>[]>): Kind | undefined {
  if (field.message) {
    const write = field.delimitedEncoding ? undefined : messageWriter(field.message, known);
    return write && delimitedKind(write as Write);
  }
  if (field.enum) {
    const first = field.enum.values[0]?.number;
    return { wireType: WireType.Varint, write: writeInt32, isDefault: (value) => value === first };
  }
  switch (field.scalar) {
    case ScalarType.STRING:
      return { wireType: WireType.LengthDelimited, write: writeText, isDefault: (value) => value === "" };
    case ScalarType.BYTES:
      return { wireType: WireType.LengthDelimited, write: writeBytes, isDefault: isEmpty };
    case ScalarType.BOOL:
      return { wireType: WireType.Varint, write: writeBool, isDefault: (value) => value === false };
    case ScalarType.INT32:
      return { wireType: WireType.Varint, write: writeInt32, isDefault: isZero };
    case ScalarType.INT64:
      return "longAsString" in field && field.longAsString
        ? undefined
        : { wireType: WireType.Varint, write: writeInt64, isDefault: isZero };
    case ScalarType.DOUBLE:
      return { wireType: WireType.Bit64, write: writeDouble, isDefault: isZero };
    default:
      return undefined;
  }
}

function delimitedKind(write: Write): Kind {
  return {
    wireType: WireType.LengthDelimited,
    write: (output, value) => writeDelimited(output, value, write),
    isDefault: (value) => value === undefined,
  };
}

function isZero(value: unknown): boolean {
  return value === 0 || value === 0n;
}

function isEmpty(value: unknown): boolean {
  return value instanceof Uint8Array && value.length === 0;
}

/** Writes a value with its length before it. Most are short enough for a length of one byte. */
function writeDelimited(output: Output, value: unknown, write: Write): void {
  needRoom(output, 1);
  const lengthAt = output.end;
  const start = lengthAt + 1;
  output.end = start;
  write(output, value);
  const length = output.end - start;
  if (length < 0x80) {
    output.buffer[lengthAt] = length;
    return;
  }
  const shift = varintSize(length) - 1;
  needRoom(output, shift);
  output.buffer.copyWithin(start + shift, start, output.end);
  output.end = lengthAt;
  writeVarint(output, length);
  output.end += length;
}

const writeText: Write = (output, value) => {
  if (typeof value !== "string") throw new TypeError("not a text");
  const length = Buffer.byteLength(value);
  writeVarint(output, length);
  needRoom(output, length);
  output.end += output.buffer.write(value, output.end);
};

const writeBytes: Write = (output, value) => {
  if (!(value instanceof Uint8Array)) throw new TypeError("not bytes");
  writeVarint(output, value.length);
  needRoom(output, value.length);
  output.buffer.set(value, output.end);
  output.end += value.length;
};

const writeBool: Write = (output, value) => {
  if (typeof value !== "boolean") throw new TypeError("not a boolean");
  writeVarint(output, value ? 1 : 0);
};

/** The library writes negative integers, which are rare, in ten bytes. */
const writeInt32: Write = (output, value) => {
  if (typeof value !== "number" || !(value >= 0 && value === (value | 0))) throw new TypeError("unusual");
  writeVarint(output, value);
};

const writeInt64: Write = (output, value) => {
  if (typeof value !== "bigint" || value < 0n || value > Number.MAX_SAFE_INTEGER)
    throw new TypeError("unusual");
  writeVarint(output, Number(value));
};

const writeDouble: Write = (output, value) => {
  if (typeof value !== "number") throw new TypeError("not a number");
  needRoom(output, 8);
  output.end = output.buffer.writeDoubleLE(value, output.end);
};

/** @param value a safe integer that is not negative */
function writeVarint(output: Output, value: number): void {
  needRoom(output, 8);
  const { buffer } = output;
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) buffer[output.end++] = (rest % 0x80) | 0x80;
  buffer[output.end++] = rest;
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}

function needRoom({ buffer, end }: Output, bytes: number): void {
  if (end + bytes > buffer.length) throw new RangeError("too long");
}
