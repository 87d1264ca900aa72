import { shorten } from "#foundation/shorten.js";

interface ParsedJson {
  /** If several members of an object have the same name, `value` contains the last of them. */
  readonly value: unknown;
  /** Describes a member that occurs twice in an object, even if the two names are escaped differently. */
  readonly repeated: string | undefined;
}

/**
 * Parses JSON, and finds objects with two members of the same name. A signature covers the last member with this name,
 * but another program may show the first (RFC 8259, 4; RFC 7493, 2.3).
 * @throws SyntaxError if the text is not JSON
 */
export function parseJson(text: string): ParsedJson {
  const value: unknown = JSON.parse(text);
  const open: (Set<string> | undefined)[] = [];
  let last = "";
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      const name: string = JSON.parse(last);
      const names = open.at(-1);
      if (names?.has(name)) return { value, repeated: `An object has two members named ${shown(name)}.` };
      names?.add(name);
    } else last = token;
  }
  return { value, repeated: undefined };
}

/**
 * Parses JSON that all programs must read in the same way.
 * @throws SyntaxError if the text is not JSON, or an object has two members of the same name
 */
export function readJson(text: string): unknown {
  const { value, repeated } = parseJson(text);
  if (repeated !== undefined) throw new SyntaxError(repeated);
  return value;
}

/** Matches strings and structural tokens. Numbers, `true`, `false` and `null` contain none of these. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;

/** Maximum number of characters of a name in an error. */
const MAX_SHOWN = 100;

function shown(name: string): string {
  return JSON.stringify(shorten(name, MAX_SHOWN));
}
