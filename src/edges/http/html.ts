import { escapeHtml } from "../../text/escape-html.js";

/** HTML that stands as it is. Only `html` makes it, so that nothing else gets into a page unescaped. */
export interface Html {
  readonly html: string;
}

/** What may be put into a template; undefined is nothing. */
type Part = string | Html | readonly Html[] | undefined;

/** HTML around parts: text is escaped, between tags as well as in quoted attributes. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: String.raw({ raw: template }, ...parts.map(toHtml)) };
}

/** Our own words around what is not ours, which stands where its name is in braces. */
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
