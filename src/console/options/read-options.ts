import type { JsonObject } from "@bufbuild/protobuf";

/** The position at which a text stops being valid JSON, according to the browser. */
interface TextPosition {
  readonly line: string;
  readonly column: string;
}

export type OptionsRead =
  | { readonly kind: "options"; readonly options: JsonObject }
  | { readonly kind: "not-json"; readonly textPosition: TextPosition | undefined }
  | { readonly kind: "not-an-object" };

/** Parses options that are being typed. An empty text means no options. */
export function readOptions(text: string): OptionsRead {
  if (text.trim() === "") return { kind: "options", options: {} };
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? { kind: "options", options: value } : { kind: "not-an-object" };
  } catch (error) {
    return { kind: "not-json", textPosition: positionOf(String(error), text) };
  }
}

/** Returns the options in a text; none if the text is not valid. */
export function optionsIn(text: string): JsonObject {
  const read = readOptions(text);
  return read.kind === "options" ? read.options : {};
}

export function optionsText(options: JsonObject | undefined): string {
  return JSON.stringify(options ?? {}, undefined, 2);
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the position that the message of a JSON error contains, if any. Browsers word these messages differently. */
function positionOf(message: string, text: string): TextPosition | undefined {
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line !== undefined && column !== undefined) return { line, column };
  const [, position] = /position (\d+)/.exec(message) ?? [];
  if (position === undefined) return undefined;
  const before = text.slice(0, Number(position)).split("\n");
  return { line: String(before.length), column: String((before.at(-1)?.length ?? 0) + 1) };
}
