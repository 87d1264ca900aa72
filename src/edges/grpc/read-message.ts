import {
  create,
  type DescField,
  type DescMessage,
  fromBinary,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { Edition } from "@bufbuild/protobuf/wkt";

/** Maximum nesting depth, the same as in `fromBinary` of @bufbuild/protobuf. */
const MAX_DEPTH = 100;
/** The library decodes longer texts: then a native call costs less than looking at each byte. */
const SHORT_TEXT_BYTES = 128;

/** Reads a message of one type from bytes. @throws Error if the bytes are not such a message */
export type ReadMessage = (bytes: Buffer) => Message;

/**
 * Creates a reader that returns what `fromBinary(schema, bytes, { readUnknownFields: false })` returns, in a
 * third of the time. The library reflects on each field while reading; here each type is analysed once. Types
 * outside proto3, and the few kinds of fields that our requests don't use, are left to the library.
 */
export function createMessageReader(schema: DescMessage): ReadMessage {
  const plans = new Map<DescMessage, Plan>();
  if (!isPlain(schema, plans)) return (bytes) => fromBinary(schema, bytes, { readUnknownFields: false });
  const root = plans.get(schema) as Plan;
  return (bytes) => {
    const message = root.empty();
    readFields(root, message, { buffer: bytes, reader: new BinaryReader(bytes) }, bytes.length, 1);
    return message as unknown as Message;
  };
}

type Fields = Record<string, unknown>;

/** How to read one message type. */
interface Plan {
  readonly typeName: string;
  empty(): Fields;
  /** Readers by field number. Other field numbers are skipped. */
  readonly fields: (ReadField | undefined)[];
}

/** Reads one field into its message, after its tag was read. */
type ReadField = (message: Fields, input: Input, wireType: WireType, depth: number) => void;

type ReadValue = (input: Input) => unknown;

interface Input {
  readonly buffer: Buffer;
  readonly reader: BinaryReader;
}

/** Analyses the type and the types it contains. @returns whether all of them can be read here */
function plan(schema: DescMessage, plans: Map<DescMessage, Plan>): boolean {
  if (plans.has(schema)) return true;
  const made: Plan = { typeName: schema.typeName, empty: emptyOf(schema), fields: [] };
  plans.set(schema, made);
  return schema.fields.every((field) => {
    const read = fieldReader(field, plans);
    made.fields[field.number] = read;
    return read !== undefined;
  });
}

/** Creates a factory of empty messages. Each message gets its own lists, maps and oneofs. */
function emptyOf(schema: DescMessage): () => Fields {
  const template = create(schema) as unknown as Fields;
  const own = schema.members.filter(
    (member) => member.kind === "oneof" || member.fieldKind === "list" || member.fieldKind === "map",
  );
  const names = own.map(({ localName }) => localName);
  const kinds = own.map((member) => (member.kind === "oneof" ? "oneof" : member.fieldKind));
  return () => {
    const message: Fields = { ...template };
    for (let index = 0; index < names.length; index++) {
      const kind = kinds[index];
      const value = kind === "oneof" ? { case: undefined } : kind === "list" ? [] : {};
      message[names[index] as string] = value;
    }
    return message;
  };
}

function readFields(plan: Plan, message: Fields, input: Input, end: number, depth: number): void {
  if (depth > MAX_DEPTH) throw new Error(`${plan.typeName} is nested more than ${MAX_DEPTH} deep`);
  const { reader } = input;
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    const read = plan.fields[number];
    if (read) read(message, input, wireType, depth);
    else reader.skip(wireType, number, MAX_DEPTH - depth);
  }
}

/** @returns undefined for fields that are left to the library */
function fieldReader(field: DescField, plans: Map<DescMessage, Plan>): ReadField | undefined {
  const name = field.localName;
  switch (field.fieldKind) {
    case "scalar":
    case "enum": {
      const value = valueReader(field);
      return value && setter(field, value);
    }
    case "message":
      return isPlain(field.message, plans) && !field.delimitedEncoding
        ? messageReader(field, plans.get(field.message) as Plan)
        : undefined;
    case "list": {
      if (field.listKind !== "message") {
        const value = valueReader(field);
        return value && listReader(name, value, isPackable(field));
      }
      if (!isPlain(field.message, plans) || field.delimitedEncoding) return undefined;
      const inner = plans.get(field.message) as Plan;
      return (message, input, _, depth) => {
        (message[name] as unknown[]).push(readNested(inner, inner.empty(), input, depth));
      };
    }
    case "map":
      return field.mapKind === "scalar" &&
        field.mapKey === ScalarType.STRING &&
        field.scalar === ScalarType.STRING
        ? mapReader(name)
        : undefined;
  }
}

/** Whether the library keeps such a field as a message, and its type can be read here. */
function isPlain(message: DescMessage, plans: Map<DescMessage, Plan>): boolean {
  const isKeptOtherwise = /^google\.protobuf\.(Struct|\w+Value)$/.test(message.typeName);
  return message.file.edition === Edition.EDITION_PROTO3 && !isKeptOtherwise && plan(message, plans);
}

function readNested(plan: Plan, message: Fields, input: Input, depth: number): Fields {
  const { reader } = input;
  const length = reader.uint32();
  readFields(plan, message, input, reader.pos + length, depth + 1);
  return message;
}

/** A message field that occurs twice is merged: the second adds to the first. */
function messageReader({ localName, oneof }: DescField, plan: Plan): ReadField {
  if (!oneof) {
    return (message, input, _, depth) => {
      const known = (message[localName] as Fields | undefined) ?? plan.empty();
      message[localName] = readNested(plan, known, input, depth);
    };
  }
  const group = oneof.localName;
  return (message, input, _, depth) => {
    const given = message[group] as { case?: string; value?: Fields };
    const known = given.case === localName ? (given.value as Fields) : plan.empty();
    message[group] = { case: localName, value: readNested(plan, known, input, depth) };
  };
}

function setter({ localName, oneof }: DescField, value: ReadValue): ReadField {
  if (!oneof) {
    return (message, input) => {
      message[localName] = value(input);
    };
  }
  const group = oneof.localName;
  return (message, input) => {
    message[group] = { case: localName, value: value(input) };
  };
}

function listReader(name: string, value: ReadValue, isPackable: boolean): ReadField {
  return (message, input, wireType) => {
    const list = message[name] as unknown[];
    if (!isPackable || wireType !== WireType.LengthDelimited) {
      list.push(value(input));
      return;
    }
    const { reader } = input;
    const length = reader.uint32();
    for (const end = reader.pos + length; reader.pos < end; ) list.push(value(input));
  };
}

/** A map entry is a message whose key is field 1 and whose value is field 2. */
function mapReader(name: string): ReadField {
  return (message, input) => {
    const { reader } = input;
    let key = "";
    let value = "";
    const length = reader.uint32();
    for (const end = reader.pos + length; reader.pos < end; ) {
      const [number] = reader.tag();
      if (number === 1) key = readText(input);
      else if (number === 2) value = readText(input);
    }
    (message[name] as Fields)[key] = value;
  };
}

function isPackable(field: DescField): boolean {
  return field.scalar !== ScalarType.STRING && field.scalar !== ScalarType.BYTES;
}

/** @returns undefined for fields that are left to the library */
function valueReader(field: DescField): ReadValue | undefined {
  if (field.enum) return field.enum.open ? ({ reader }) => reader.int32() : undefined;
  if ("longAsString" in field && field.longAsString) return undefined;
  switch (field.scalar) {
    case ScalarType.STRING:
      return field.utf8Validation ? readText : undefined;
    case ScalarType.BYTES:
      return ({ reader }) => reader.bytes();
    case ScalarType.BOOL:
      return ({ reader }) => reader.bool();
    case ScalarType.DOUBLE:
      return ({ reader }) => reader.double();
    case ScalarType.INT32:
      return ({ reader }) => reader.int32();
    case ScalarType.UINT32:
      return ({ reader }) => reader.uint32();
    case ScalarType.INT64:
      return ({ reader }) => reader.int64();
    case ScalarType.UINT64:
      return ({ reader }) => reader.uint64();
    default:
      return undefined;
  }
}

/** Most texts are short and ASCII. They are read from the buffer without a view and a decoder. */
function readText({ buffer, reader }: Input): string {
  const before = reader.pos;
  const length = reader.uint32();
  const start = reader.pos;
  const end = start + length;
  if (length <= SHORT_TEXT_BYTES && end <= buffer.length) {
    let index = start;
    while (index < end && (buffer[index] as number) < 0x80) index++;
    if (index === end) {
      reader.pos = end;
      return buffer.toString("latin1", start, end);
    }
  }
  reader.pos = before;
  return reader.string(true);
}
