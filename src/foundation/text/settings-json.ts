import { withoutByteOrderMark } from "./byte-order-mark.js";
import { readJson } from "./read-json.js";

/**
 * Parses JSON that people write by hand: with comments, a comma after the last element, and the byte order mark that
 * some editors put first. Positions in errors are those in the text without that mark.
 * @throws SyntaxError if it is not JSON otherwise, or an object has two members of the same name
 */
export function readSettingsJson(text: string): unknown {
  const blank = (match: string, string?: string) => string ?? match.replace(/[^\n]/g, " ");
  return readJson(withoutByteOrderMark(text).replace(COMMENT, blank).replace(LAST_COMMA, blank));
}

const COMMENT = /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

const LAST_COMMA = /("(?:[^"\\\n]|\\.)*")|(?<![[{]\s*),(?=\s*[}\]])/g;
