import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { AssetKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import { isJsonObject } from "./read-options.js";

/** Options that don't affect what a document looks like, although the generation function has them. */
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

export type OptionInput =
  | { readonly kind: "text" | "long-text"; readonly maxLength: number | undefined }
  /** The slug of an uploaded file of one of these kinds. */
  | { readonly kind: "asset"; readonly of: readonly AssetKind[] }
  | { readonly kind: "number" }
  | { readonly kind: "yes-no" }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  /** Any number of these choices, each with a checkbox. */
  | { readonly kind: "choices"; readonly choices: readonly string[] }
  /** Values separated by commas. */
  | { readonly kind: "list"; readonly of: "text" | "number" }
  /** Names, each with a text or number. */
  | { readonly kind: "table"; readonly of: "text" | "number" }
  | { readonly kind: "group"; readonly options: readonly Option[] }
  /** Several values of one kind. If `isNamed`, each value has a name; otherwise, the values are an ordered list. */
  | { readonly kind: "several"; readonly isNamed: boolean; readonly each: OptionInput }
  /** Off, on (if `canBeOn`), or on with options of its own. */
  | { readonly kind: "switch"; readonly canBeOn: boolean; readonly options: readonly Option[] }
  | { readonly kind: "json" };

/** A message of the chapter `helps`. */
export interface HelpLine {
  readonly id: string;
  readonly values: JsonObject;
}

export interface Option {
  readonly name: string;
  /** The service's own description. */
  readonly help: string;
  /** The description for translation: each line is a message of the chapter `helps`. Empty for options of plug-ins. */
  readonly helpLines: readonly HelpLine[];
  readonly input: OptionInput;
}

/** If a text may be longer than this, its field has several lines. */
const MAX_LINE_LENGTH = 200;

/** The pattern of a slug in the service's schemas. An option with this pattern names a file. */
const SLUG = "^[a-z0-9][a-z0-9_-]{0,99}$";

/**
 * Reads the options of a function from its JSON Schema, in order. Options whose schema is unknown are edited as JSON.
 */
export function readOptionSchema(schema: JsonValue | undefined): readonly Option[] {
  return Object.entries(objectAt(schema, "properties")).map(([name, option]) => ({
    name,
    help: textAt(option, "description"),
    helpLines: helpLinesOf(option),
    input: inputOf(option),
  }));
}

/** Returns whether the input can show a value. A number may be a text while it is being typed. */
export function canShow(input: OptionInput, value: JsonValue): boolean {
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
    case "choices":
      return Array.isArray(value) && value.every((each) => input.choices.some((choice) => choice === each));
    case "list":
      return Array.isArray(value) && value.every(isScalar);
    case "table":
      return isJsonObject(value) && Object.values(value).every(isScalar);
    case "group":
      return isJsonObject(value);
    case "several":
      return (
        (input.isNamed ? isJsonObject(value) : Array.isArray(value)) &&
        Object.values(value as JsonObject).every((each) => canShow(input.each, each))
      );
    case "switch":
      return isJsonObject(value) || value === false || (value === true && input.canBeOn);
    case "json":
      return true;
  }
}

function inputOf(schema: JsonValue): OptionInput {
  if (!isJsonObject(schema)) return { kind: "json" };
  const { type, items, additionalProperties, anyOf } = schema;
  if (Array.isArray(anyOf)) return switchInput(anyOf);
  const choices = choicesOf(schema);
  if (choices) return { kind: "choice", choices };
  if (type === "string") return textInput(schema);
  if (type === "number" || type === "integer") return { kind: "number" };
  if (type === "boolean") return { kind: "yes-no" };
  if (type === "array") return severalInput(items, "list");
  if (type !== "object") return { kind: "json" };
  if (isJsonObject(schema.properties)) return { kind: "group", options: readOptionSchema(schema) };
  return severalInput(additionalProperties, "table");
}

/**
 * Returns the input for several values: checkboxes for a list of choices; a list or table if each value is a text or
 * number; repeated groups if each value has options of its own; otherwise JSON.
 */
function severalInput(schema: JsonValue | undefined, kind: "list" | "table"): OptionInput {
  const type = textAt(schema, "type");
  const choices = choicesOf(schema);
  if (kind === "list" && choices) return { kind: "choices", choices };
  if (type === "string") return { kind, of: "text" };
  if (type === "number" || type === "integer") return { kind, of: "number" };
  const each = schema === undefined ? undefined : inputOf(schema);
  const hasOptions = each?.kind === "group" || each?.kind === "switch";
  return hasOptions ? { kind: "several", isNamed: kind === "table", each } : { kind: "json" };
}

function choicesOf(schema: JsonValue | undefined): readonly string[] | undefined {
  const choices = isJsonObject(schema) ? schema.enum : undefined;
  return Array.isArray(choices) && choices.every((choice) => typeof choice === "string")
    ? choices
    : undefined;
}

function switchInput(choices: readonly JsonValue[]): OptionInput {
  const [switched, grouped] = ["boolean", "object"].map((type) =>
    choices.find((choice) => textAt(choice, "type") === type),
  );
  if (choices.length !== 2 || !isJsonObject(switched) || !isJsonObject(grouped)) return { kind: "json" };
  return { kind: "switch", canBeOn: switched.const !== false, options: readOptionSchema(grouped) };
}

function textInput({ maxLength, pattern, asset_kinds: kinds }: JsonObject): OptionInput {
  const most = typeof maxLength === "number" ? maxLength : undefined;
  if (pattern === SLUG) return { kind: "asset", of: assetKinds(kinds) };
  return { kind: (most ?? 0) > MAX_LINE_LENGTH ? "long-text" : "text", maxLength: most };
}

/** Returns the kinds of files that a schema names; all kinds if it names none. */
function assetKinds(names: JsonValue | undefined): readonly AssetKind[] {
  const kindsByName: Readonly<Record<string, AssetKind>> = {
    pdf: AssetKind.PDF,
    png: AssetKind.PNG,
    jpeg: AssetKind.JPEG,
    svg: AssetKind.SVG,
    font: AssetKind.FONT,
  };
  const wanted = Array.isArray(names) ? names : Object.keys(kindsByName);
  return wanted.flatMap((name) => kindsByName[String(name)] ?? []);
}

function objectAt(value: JsonValue | undefined, name: string): JsonObject {
  const found = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(found) ? found : {};
}

function textAt(value: JsonValue | undefined, name: string): string {
  const found = isJsonObject(value) ? value[name] : undefined;
  return typeof found === "string" ? found : "";
}

function helpLinesOf(option: JsonValue): HelpLine[] {
  const lines = isJsonObject(option) ? option.help : undefined;
  return (Array.isArray(lines) ? lines : []).map((line) => ({
    id: textAt(line, "id"),
    values: objectAt(line, "values"),
  }));
}

function isScalar(value: JsonValue): boolean {
  return typeof value === "string" || typeof value === "number";
}
