/**
 * A path template of google/api/http.proto, whose grammar is:
 *
 *     Template = "/" Segments [ Verb ] ;
 *     Segments = Segment { "/" Segment } ;
 *     Segment  = "*" | "**" | LITERAL | Variable ;
 *     Variable = "{" FieldPath [ "=" Segments ] "}" ;
 *     FieldPath = IDENT { "." IDENT } ;
 *     Verb     = ":" LITERAL ;
 *
 * `*` matches one path segment; `**` matches any number, and must be the last; `{a}` is `{a=*}`; a variable contains no
 * other variable.
 */
export interface Template {
  /** One matcher per segment, including the segments of variables. */
  readonly segments: readonly Matcher[];
  readonly variables: readonly Variable[];
  /** The verb without its colon. */
  readonly verb: string | undefined;
}

/** Matches one segment. `**` matches all remaining segments. */
type Matcher = "*" | "**" | { readonly literal: string };

/** A request field, and the range of segments that contain its value. */
export interface Variable {
  /** The name of the field. Names of a nested field are joined by dots. */
  readonly fieldPath: string;
  readonly start: number;
  /** Index after the last segment; undefined if the variable ends in `**`. */
  readonly end: number | undefined;
}

/** LITERAL: characters that RFC 3986 allows in a segment and that have no meaning in a template. */
const LITERAL = /[A-Za-z0-9\-._~!$&'()+,;@]+/y;
const IDENT = /[A-Za-z_][A-Za-z0-9_]*/y;

/** @throws Error that says what was expected, and where */
export function parseTemplate(text: string): Template {
  let at = 0;
  const segments: Matcher[] = [];
  const variables: Variable[] = [];

  function fail(expected: string): never {
    const found = at < text.length ? `"${text[at]}"` : "the end";
    throw new Error(`path template "${text}": expected ${expected} at position ${at}, found ${found}`);
  }

  function skip(token: string): boolean {
    if (!text.startsWith(token, at)) return false;
    at += token.length;
    return true;
  }

  function expect(token: string): void {
    if (!skip(token)) fail(`"${token}"`);
  }

  function read(pattern: RegExp, what: string): string {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? fail(what);
    at += found.length;
    return found;
  }

  function parseSegments(parseSegment: () => void): void {
    do {
      if (segments.at(-1) === "**") fail('nothing after "**"');
      parseSegment();
    } while (skip("/"));
  }

  function parsePlainSegment(): void {
    if (skip("**")) segments.push("**");
    else if (skip("*")) segments.push("*");
    else segments.push({ literal: read(LITERAL, "a segment") });
  }

  function parseSegment(): void {
    if (skip("{")) parseVariable();
    else parsePlainSegment();
  }

  function parseVariable(): void {
    let fieldPath = read(IDENT, "a field name");
    while (skip(".")) fieldPath += `.${read(IDENT, "a field name")}`;
    const start = segments.length;
    if (skip("=")) parseSegments(parsePlainSegment);
    else segments.push("*");
    expect("}");
    variables.push({ fieldPath, start, end: segments.at(-1) === "**" ? undefined : segments.length });
  }

  expect("/");
  parseSegments(parseSegment);
  const verb = skip(":") ? read(LITERAL, "a verb") : undefined;
  if (at < text.length) fail("the end");
  return { segments, variables, verb };
}
