import { type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import { rest_json } from "#gen/learning_credentials/options/v1/options_pb.js";
import { enumWriter, writeNumber, writeString, writeTimestamp } from "./json-scalar.js";

export type WriteJson<T = unknown> = (value: T) => string;

/**
 * Writes a field: its label, with a comma before it if necessary, and its value. Writes nothing if the value is
 * undefined.
 */
interface FieldWriter {
  readonly localName: string;
  readonly first: string;
  readonly next: string;
  readonly write: (value: unknown) => string | undefined;
}

/**
 * Compiles a writer of a message's REST JSON. Fields have their .proto names and order. Default values are written, and
 * only unset fields with presence are omitted. `rest_json` in options.proto can change this. Numbers, including 64-bit
 * ones, are JSON numbers with at most 6 decimals. Enum values have the names from `enum-name.ts`. Timestamps are RFC
 * 3339 in UTC, with a fraction only if it isn't zero.
 *
 * The writer throws a RangeError for a number that is not finite, an unknown enum value or an invalid timestamp.
 * @throws Error that names the field if its kind or `rest_json` is not supported
 */
export function createJsonWriter(desc: DescMessage): WriteJson<object> {
  return messageWriter(desc, new Map());
}

/** The writers that exist so far. They are needed because a message may contain itself. */
type Writers = Map<DescMessage, WriteJson<object>>;

function messageWriter(desc: DescMessage, writers: Writers): WriteJson<object> {
  const existing = writers.get(desc);
  if (existing) return existing;
  if (desc.typeName === "google.protobuf.Timestamp") return writeTimestamp as WriteJson<object>;
  if (desc.typeName.startsWith("google.protobuf.")) throw new Error(`${desc.typeName} has no JSON in REST`);

  const fields: FieldWriter[] = [];
  function write(message: object): string {
    let text = "{";
    for (const field of fields) {
      const value = field.write((message as Record<string, unknown>)[field.localName]);
      if (value !== undefined) text += (text.length === 1 ? field.first : field.next) + value;
    }
    return `${text}}`;
  }
  writers.set(desc, write);
  for (const field of desc.fields) fields.push(fieldWriter(field, writers));
  return write;
}

export function restName(field: DescField): string {
  return getOption(field, rest_json).name || field.name;
}

function fieldWriter(field: DescField, writers: Writers): FieldWriter {
  const label = `${writeString(restName(field))}:`;
  return {
    localName: field.localName,
    first: label,
    next: `,${label}`,
    write: optionalWriter(field, writers),
  };
}

function optionalWriter(field: DescField, writers: Writers): FieldWriter["write"] {
  const { nullWhenUnset, omitWhenEmpty, asObject } = getOption(field, rest_json);
  const hasPresence = field.presence === Presence.EXPLICIT;
  if (field.oneof) throw new Error(`${field}: a oneof has no JSON in REST`);
  if (asObject && field.fieldKind !== "list") throw new Error(`${field}: as_object is for lists`);
  if (nullWhenUnset && !hasPresence) throw new Error(`${field}: null_when_unset is for fields with presence`);
  if (omitWhenEmpty && (nullWhenUnset || !(hasPresence || field.fieldKind === "list"))) {
    throw new Error(
      `${field}: omit_when_empty is for lists, and for fields with presence that are not null_when_unset`,
    );
  }

  if (field.fieldKind === "list") {
    const write = asObject ? objectWriter(field, writers) : listWriter(field, writers);
    return (list) =>
      omitWhenEmpty && (list as unknown[]).length === 0 ? undefined : write(list as unknown[]);
  }
  const write = valueWriter(field, writers);
  if (!hasPresence) return write;
  const unset = nullWhenUnset ? "null" : undefined;
  return (value) => (value === undefined ? unset : write(value));
}

function listWriter(field: DescField & { fieldKind: "list" }, writers: Writers): WriteJson<unknown[]> {
  const write = valueWriter(field, writers);
  return (list) => {
    let text = "[";
    for (const item of list) text += (text.length === 1 ? "" : ",") + write(item);
    return `${text}]`;
  };
}

/** Writes `[{key, value}, …]` as `{"key":value,…}`. A JavaScript object would reorder `1` or drop `__proto__`. */
function objectWriter(field: DescField & { fieldKind: "list" }, writers: Writers): WriteJson<unknown[]> {
  const [key, value, ...others] = field.message?.fields ?? [];
  if (
    key?.name !== "key" ||
    key.scalar !== ScalarType.STRING ||
    value?.name !== "value" ||
    others.length > 0
  ) {
    throw new Error(`${field}: as_object is for messages with two fields, string key and value`);
  }
  const write = optionalWriter(value, writers);
  return (list) => {
    let text = "{";
    for (const item of list as { key: string; value: unknown }[]) {
      text += `${text.length === 1 ? "" : ","}${writeString(item.key)}:${write(item.value) ?? "null"}`;
    }
    return `${text}}`;
  };
}

/** Returns a writer for a singular field or one list item. */
function valueWriter(field: DescField, writers: Writers): WriteJson {
  if (field.fieldKind === "map") {
    throw new Error(`${field}: a map has no JSON in REST, as it has no order: use as_object`);
  }
  if (field.message) return messageWriter(field.message, writers) as WriteJson;
  if (field.enum) return enumWriter(field.enum) as WriteJson;
  switch (field.scalar) {
    case ScalarType.STRING:
      return writeString as WriteJson;
    case ScalarType.BYTES:
      throw new Error(`${field}: bytes have no JSON in REST`);
    case ScalarType.BOOL:
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return String;
    default:
      return writeNumber as WriteJson;
  }
}
