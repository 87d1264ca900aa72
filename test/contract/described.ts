import {
  registerSchema,
  unregisterSchema,
  type Validator,
  validate,
} from "@hyperjump/json-schema/draft-2020-12";
import "@hyperjump/json-schema/formats";
import { setShouldValidateFormat } from "@hyperjump/json-schema/draft-2020-12";
import type { OpenApi } from "#edges/openapi/document.js";

setShouldValidateFormat(true);

const SCHEMA = "https://credentials.test/schema";

/** Returns a description of the error in a value; empty if there is none. */
export type Check = (value: unknown) => string;

/**
 * Compiles the schemas of an API description to checks. The checks are stricter than clients should be: an object may
 * not have undescribed fields.
 */
export function checksOf(api: OpenApi): (schema: unknown) => Promise<Check> {
  const $defs = closed(api.components.schemas);
  const made = new Map<string, Promise<Check>>();
  return (schema) => {
    const key = JSON.stringify(schema);
    const check = made.get(key) ?? compile(schema, $defs);
    made.set(key, check);
    return check;
  };
}

async function compile(schema: unknown, $defs: unknown): Promise<Check> {
  const whole = { $schema: "https://json-schema.org/draft/2020-12/schema", allOf: [closed(schema)], $defs };
  registerSchema(whole as Parameters<typeof registerSchema>[0], SCHEMA);
  const validator: Validator = await validate(SCHEMA);
  unregisterSchema(SCHEMA);
  return (value) => {
    const output = validator(value as Parameters<Validator>[0], "BASIC");
    return output.valid ? "" : JSON.stringify(output.errors);
  };
}

/** Returns the schema with its references moved to `$defs`, and with other properties forbidden. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [
    key,
    key === "$ref" ? String(value).replace("#/components/schemas/", "#/$defs/") : closed(value),
  ]);
  const isObject = "type" in schema && "properties" in schema;
  return { ...Object.fromEntries(entries), ...(isObject && { additionalProperties: false }) };
}
