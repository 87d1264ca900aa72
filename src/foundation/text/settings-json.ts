import { withoutByteOrderMark } from "./byte-order-mark.js";
import { readJson } from "./read-json.js";

/**
 * Parses handwritten JSON, which may have comments, trailing commas and a leading byte order mark. Positions in errors
 * refer to the text without that mark.
 * @throws SyntaxError if it is not such JSON, or an object has two members of the same name
 */
export function readSettingsJson(text: string): unknown {
  const blank = (match: string, string?: string) => string ?? match.replace(/[^\n]/g, " ");
  return readJson(withoutByteOrderMark(text).replace(COMMENT, blank).replace(LAST_COMMA, blank));
}

const COMMENT = /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

const LAST_COMMA = /("(?:[^"\\\n]|\\.)*")|(?<![[{]\s*),(?=\s*[}\]])/g;
