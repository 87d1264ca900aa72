/** Maximum depth of nested JSON. Responses that this service reads have at most ten levels. */
export const MAX_JSON_LEVELS = 32;

/**
 * Counts values and levels of JSON outside of strings as its bytes arrive. Opening braces, opening brackets and commas
 * approximate the number of parsed values. Other formats are not parsed, so nothing is counted.
 */
export function createJsonCounter(): (chunk: Uint8Array) => {
  readonly values: number;
  readonly levels: number;
} {
  let isJson: boolean | undefined;
  let isText = false;
  let isEscaped = false;
  let level = 0;
  const seen = { values: 0, levels: 0 };
  return (chunk) => {
    for (const byte of isJson === false ? [] : chunk) {
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isText = false;
        continue;
      }
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        seen.values++;
        level++;
        if (level > seen.levels) seen.levels = level;
      } else if (byte === COMMA) seen.values++;
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) level--;
      else if (byte === QUOTE) isText = true;
      if (isJson === undefined && byte > SPACE) {
        isJson = byte !== LESS_THAN;
        if (!isJson) break;
      }
    }
    return seen;
  };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LESS_THAN = 0x3c;
const SPACE = 0x20;
