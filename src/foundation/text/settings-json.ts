import type { z } from "zod";
import { invalid } from "../errors.js";
import { withoutByteOrderMark } from "./byte-order-mark.js";
import { readJson } from "./read-json.js";

/**
 * Parses handwritten JSON, which may have comments, trailing commas and a leading byte order mark. Positions in errors
 * refer to the text without the byte order mark.
 * @throws SyntaxError if the text is not such JSON, or an object has two members of the same name
 */
export function readSettingsJson(text: string): unknown {
  const blank = (match: string, string?: string) => string ?? match.replace(/[^\n]/g, " ");
  return readJson(withoutByteOrderMark(text).replace(COMMENT, blank).replace(LAST_COMMA, blank));
}

/** @throws Problem `invalid` that describes the error in the file */
export function parseSettings<Settings>(text: string, file: string, schema: z.ZodType<Settings>): Settings {
  let value: unknown;
  try {
    value = readSettingsJson(text);
  } catch (error) {
    throw invalid(`${file} is not JSON: ${(error as Error).message}`, error);
  }
  const { data, error } = schema.safeParse(value);
  if (data) return data;
  const [issue] = error?.issues ?? [];
  throw invalid([file, issue?.path.join("."), issue?.message].filter(Boolean).join(": "));
}

const COMMENT = /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

const LAST_COMMA = /("(?:[^"\\\n]|\\.)*")|(?<![[{]\s*),(?=\s*[}\]])/g;
