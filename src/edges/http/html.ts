import { formatHtml } from "#foundation/languages/format-html.js";
import type { Message } from "#foundation/languages/message.js";
import { escapeHtml } from "#foundation/text/escape-html.js";

/** Escaped HTML. Only the function `html` creates it, so a page can't contain unescaped text. */
export interface Html {
  readonly html: string;
}

/** A value to insert. Nothing is inserted for undefined. */
type Part = string | Html | readonly Html[] | undefined;

/** Builds HTML from a template. Escapes inserted text for use in content and in quoted attributes. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: String.raw({ raw: template }, ...parts.map(toHtml)) };
}

/** Formats a message with HTML values. */
export function fillHtml<Values extends Readonly<Record<keyof Values, string>>>(
  message: string | Message<Values>,
  values: { readonly [Name in keyof Values]: Html },
): Html {
  const entries = Object.entries<Html>(values).map(([name, value]) => [name, value.html]);
  return { html: formatHtml(message, Object.fromEntries(entries) as Values) };
}

function toHtml(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "string") return escapeHtml(part);
  return "html" in part ? part.html : part.map((each) => each.html).join("");
}
