import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { asciiDigits } from "../components/ascii-digits.js";
import { namesIn } from "../components/names-in.js";

/** Parses a number with digits of any script, and with a point or a comma. Returns any other text unchanged. */
export function readNumber(typed: string): number | string {
  const plain = asciiDigits(typed).trim().replace("−", "-").replace(/[,٫]/, ".");
  return /^-?(?:\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : typed;
}

/** Parses texts or numbers that are separated by commas, semicolons or line breaks. */
export function readTypedList(typed: string, of: "text" | "number"): (string | number)[] {
  return namesIn(typed).map((part) => (of === "number" ? readNumber(part) : part));
}

/** Parses JSON. Returns a text that is not JSON unchanged. */
export function readTypedJson(typed: string): JsonValue {
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}

export function showJson(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
}

export type Lines = readonly (readonly [name: string, value: string])[];

/** Reads lines that consist of a name and a value. Skips empty lines. */
export function readEntries(lines: Lines, of: "text" | "number"): JsonObject {
  const filled = lines.filter(([name, value]) => name !== "" || value !== "");
  return Object.fromEntries(
    filled.map(([name, value]) => [name, of === "number" ? readNumber(value) : value]),
  );
}

export function showEntries(value: JsonValue | undefined): Lines {
  return Object.entries((value ?? {}) as JsonObject).map(([name, each]) => [name, String(each)]);
}
