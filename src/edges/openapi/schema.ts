import { type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { uuidPattern } from "#domain/credentials/uuid.js";
import { coursePattern, pathPattern } from "#domain/learners/learning-context-key.js";
import { MAX_NAME } from "#foundation/limits.js";
import { Format, rest_json, rest_values } from "#gen/learning_credentials/options/v1/options_pb.js";
import { enumNames } from "../rest/enum-name.js";
import { restName } from "../rest/json.js";
import { commentOf, describeField } from "./comment.js";

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly enum?: readonly (string | null)[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

const formats: Record<Format, JsonSchema> = {
  [Format.UNSPECIFIED]: {},
  [Format.UUID]: { format: "uuid", pattern: uuidPattern.source },
  [Format.LEARNING_CONTEXT_KEY]: {
    pattern: `${coursePattern.source}|${pathPattern.source}`,
    maxLength: MAX_NAME,
  },
  [Format.URL]: { format: "uri" },
};

/**
 * Returns the JSON Schemas of a message and of all messages in it, by name. They describe the JSON that `json.ts`
 * writes. Fields that are never omitted are required. Properties are in the order in which they are written.
 */
export function messageSchemas(desc: DescMessage): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  addMessage(desc, schemas);
  return schemas;
}

export function refTo(desc: DescMessage): JsonSchema {
  return refToName(desc.name);
}

export function refToName(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns the schema of a field's value. For a list, returns the schema of an item. */
export function valueSchema(field: DescField): JsonSchema {
  const { format, only } = getOption(field, rest_values);
  if (field.message) {
    const isTimestamp = field.message.typeName === "google.protobuf.Timestamp";
    return isTimestamp ? { type: "string", format: "date-time" } : refTo(field.message);
  }
  if (field.enum) return { type: "string", enum: namesIn(field, [...enumNames(field.enum).values()], only) };
  return { ...scalarSchema(field.scalar as ScalarType), ...formats[format] };
}

function addMessage(desc: DescMessage, schemas: Record<string, JsonSchema>): void {
  if (desc.name in schemas) return;
  const properties = desc.fields.map((field) => [
    restName(field),
    { ...propertySchema(field), description: describeField(field) },
  ]);
  schemas[desc.name] = {
    type: "object",
    description: commentOf(desc),
    properties: Object.fromEntries(properties),
    required: desc.fields.filter((field) => !canBeLeftOut(field)).map(restName),
  };
  for (const field of desc.fields) {
    const value = getOption(field, rest_json).asObject ? field.message?.field.value : field;
    if (value?.message && valueSchema(value).$ref) addMessage(value.message, schemas);
  }
}

function canBeLeftOut(field: DescField): boolean {
  return getOption(field, rest_json).omitWhenEmpty;
}

function propertySchema(field: DescField): JsonSchema {
  const { nullWhenUnset, asObject } = getOption(field, rest_json);
  if (asObject) return { type: "object", additionalProperties: entrySchema(field) };
  const schema = valueSchema(field);
  if (field.fieldKind === "list") return { type: "array", items: schema };
  return nullWhenUnset ? nullable(schema) : schema;
}

/** Returns the schema of the values in a list of key–value messages, which is written as a JSON object. */
function entrySchema(field: DescField): JsonSchema {
  const value = field.message?.field.value;
  if (!value) throw new Error(`${field}: as_object is for messages with two fields, string key and value`);
  return valueSchema(value);
}

function nullable(schema: JsonSchema): JsonSchema {
  if (typeof schema.type !== "string") return { anyOf: [schema, { type: "null" }] };
  return {
    ...schema,
    type: [schema.type, "null"],
    ...(schema.enum && { enum: [...schema.enum, null] }),
  };
}

function namesIn(field: DescField, names: string[], only: string[]): string[] {
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new Error(`${field}: rest_values: "${unknown}" is none of ${names.join(", ")}`);
  }
  return only.length > 0 ? only : names;
}

function scalarSchema(scalar: ScalarType): JsonSchema {
  switch (scalar) {
    case ScalarType.STRING:
      return { type: "string" };
    case ScalarType.BOOL:
      return { type: "boolean" };
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return { type: "number" };
    default:
      return { type: "integer" };
  }
}
