import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isObject } from "./read-options.js";

/** Options that are listed with those of a design, but don't determine a document's appearance. */
export const COMMON = [
  "validity",
  "renewal_window",
  "renew_on",
  "expiry_notices",
  "open_badge",
  "mail_text",
  "public_facts",
  "grading_scale",
  "grading_points",
  "issue_when_earned",
];

/** The kind of field for an option. */
export type OptionInput =
  /** A short or a long text; `asset` for the slug of an uploaded file. */
  | { readonly kind: "text" | "long-text" | "asset"; readonly maxLength: number | undefined }
  | { readonly kind: "number" }
  | { readonly kind: "yes-no" }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  /** Texts or numbers, separated by commas. */
  | { readonly kind: "list"; readonly of: "text" | "number" }
  /** Names, each with a text or number. */
  | { readonly kind: "table"; readonly of: "text" | "number" }
  /** A group of options. */
  | { readonly kind: "group"; readonly options: readonly Option[] }
  /** Several values of one kind: by name, or in order. */
  | { readonly kind: "several"; readonly isNamed: boolean; readonly each: OptionInput }
  /** Off, on (if `canBeOn`), or on with its own options. */
  | { readonly kind: "switch"; readonly canBeOn: boolean; readonly options: readonly Option[] }
  /** Anything else. */
  | { readonly kind: "json" };

/** A message of the chapter `helps`, with its values. */
export interface HelpLine {
  readonly id: string;
  readonly values: JsonObject;
}

/** An option of a function. */
export interface Option {
  readonly name: string;
  /** Its description, in the service's own words. */
  readonly help: string;
  /** The same description as messages of the chapter `helps`, one per line; empty for an option of a plug-in. */
  readonly helpLines: readonly HelpLine[];
  readonly input: OptionInput;
}

/** A text with a higher maximum length gets a field with several lines. */
const LONGEST_LINE = 200;

/** The pattern of slugs in the service's schemas. */
const SLUG = "^[a-z0-9][a-z0-9_-]{0,99}$";

/** Reads the options of a function from its JSON Schema, in order. Options with unknown schemas are edited as JSON. */
export function readOptionSchema(schema: JsonValue | undefined): readonly Option[] {
  return Object.entries(objectAt(schema, "properties")).map(([name, option]) => ({
    name,
    help: textAt(option, "description"),
    helpLines: helpLinesOf(option),
    input: inputOf(option),
  }));
}

/** Returns whether the input can show a value. Numbers may be incomplete while they are typed. */
export function suits(input: OptionInput, value: JsonValue): boolean {
  switch (input.kind) {
    case "text":
    case "long-text":
    case "asset":
    case "choice":
      return typeof value === "string";
    case "number":
      return isScalar(value);
    case "yes-no":
      return typeof value === "boolean";
    case "list":
      return Array.isArray(value) && value.every(isScalar);
    case "table":
      return isObject(value) && Object.values(value).every(isScalar);
    case "group":
      return isObject(value);
    case "several":
      return (
        (input.isNamed ? isObject(value) : Array.isArray(value)) &&
        Object.values(value as JsonObject).every((each) => suits(input.each, each))
      );
    case "switch":
      return isObject(value) || value === false || (value === true && input.canBeOn);
    case "json":
      return true;
  }
}

function inputOf(schema: JsonValue): OptionInput {
  if (!isObject(schema)) return { kind: "json" };
  const { type, items, additionalProperties, anyOf } = schema;
  if (Array.isArray(anyOf)) return switchInput(anyOf);
  if (Array.isArray(schema.enum) && schema.enum.every((choice) => typeof choice === "string"))
    return { kind: "choice", choices: schema.enum };
  if (type === "string") return textInput(schema);
  if (type === "number" || type === "integer") return { kind: "number" };
  if (type === "boolean") return { kind: "yes-no" };
  if (type === "array") return severalInput(items, "list");
  if (type !== "object") return { kind: "json" };
  if (isObject(schema.properties)) return { kind: "group", options: readOptionSchema(schema) };
  return severalInput(additionalProperties, "table");
}

/**
 * Returns the input for several values. Single values have a field or a line each; groups of options are shown one
 * below the other.
 */
function severalInput(schema: JsonValue | undefined, kind: "list" | "table"): OptionInput {
  const type = textAt(schema, "type");
  if (type === "string") return { kind, of: "text" };
  if (type === "number" || type === "integer") return { kind, of: "number" };
  const each = schema === undefined ? undefined : inputOf(schema);
  const hasOptions = each?.kind === "group" || each?.kind === "switch";
  return hasOptions ? { kind: "several", isNamed: kind === "table", each } : { kind: "json" };
}

function switchInput(choices: readonly JsonValue[]): OptionInput {
  const [switched, grouped] = ["boolean", "object"].map((type) =>
    choices.find((choice) => textAt(choice, "type") === type),
  );
  if (choices.length !== 2 || !isObject(switched) || !isObject(grouped)) return { kind: "json" };
  return { kind: "switch", canBeOn: switched.const !== false, options: readOptionSchema(grouped) };
}

function textInput({ maxLength, pattern }: JsonObject): OptionInput {
  const most = typeof maxLength === "number" ? maxLength : undefined;
  if (pattern === SLUG) return { kind: "asset", maxLength: 100 };
  return { kind: (most ?? 0) > LONGEST_LINE ? "long-text" : "text", maxLength: most };
}

function objectAt(value: JsonValue | undefined, name: string): JsonObject {
  const found = isObject(value) ? value[name] : undefined;
  return isObject(found) ? found : {};
}

function textAt(value: JsonValue | undefined, name: string): string {
  const found = isObject(value) ? value[name] : undefined;
  return typeof found === "string" ? found : "";
}

function helpLinesOf(option: JsonValue): HelpLine[] {
  const lines = isObject(option) ? option.help : undefined;
  return (Array.isArray(lines) ? lines : []).map((line) => ({
    id: textAt(line, "id"),
    values: objectAt(line, "values"),
  }));
}

function isScalar(value: JsonValue): boolean {
  return typeof value === "string" || typeof value === "number";
}
