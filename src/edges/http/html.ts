import { escapeHtml } from "#foundation/text/escape-html.js";

/** HTML that needs no escaping. Only `html` creates it, so nothing unescaped gets into a page. */
export interface Html {
  readonly html: string;
}

/** What can be inserted into a template; undefined inserts nothing. */
type Part = string | Html | readonly Html[] | undefined;

/** Builds HTML from a template. Inserted text is escaped, for content as well as for quoted attributes. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: String.raw({ raw: template }, ...parts.map(toHtml)) };
}

/** Inserts values into our own words, at their names in braces. */
export function fill(words: string, values: Readonly<Record<string, Html>>): Html {
  const pieces = words.split(/\{(\w+)\}/);
  return {
    html: pieces
      .map((piece, index) => (index % 2 === 1 ? (values[piece]?.html ?? "") : escapeHtml(piece)))
      .join(""),
  };
}

function toHtml(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "string") return escapeHtml(part);
  return "html" in part ? part.html : part.map((each) => each.html).join("");
}
