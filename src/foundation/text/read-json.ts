/** Parsed JSON. */
interface ParsedJson {
  /** Of members with the same name, it has the last one. */
  readonly value: unknown;
  /**
   * Describes a member that occurs twice in an object, even if the two names are escaped differently; undefined if
   * there is none.
   */
  readonly repeated: string | undefined;
}

/**
 * Parses JSON, and finds objects with two members of the same name. A signature covers the last one, but another
 * program may show the first (RFC 8259, 4; RFC 7493, 2.3).
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
      if (names?.has(name)) return { value, repeated: `An object in it has two members ${shown(name)}.` };
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

/**
 * Matches strings and the structural tokens that matter here. Numbers, `true`, `false` and `null` contain none of them.
 */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;

/** Maximum number of characters of a name that an error shows. */
const MAX_SHOWN = 100;

function shown(name: string): string {
  return JSON.stringify(name.slice(0, MAX_SHOWN));
}
