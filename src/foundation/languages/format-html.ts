import { escapeHtml } from "../text/escape-html.js";
import { format, fullStopAfter, type Message } from "./message.js";

/** Marks the place of a value. Neither stored nor received texts can contain this character. */
const MARK = "\0";

/** Formats a message as HTML. Escapes the message; its values must be HTML. */
export function formatHtml<Values extends Readonly<Record<keyof Values, string>>>(
  message: string | Message<Values>,
  values: Values,
): string {
  const names = Object.keys(values) as (keyof Values)[];
  const marks = Object.fromEntries(names.map((name, index) => [name, MARK + index + MARK]));
  return format(message, marks as Values)
    .split(MARK)
    .map((piece, index) =>
      index % 2 === 0 ? escapeHtml(piece) : values[names[Number(piece)] as keyof Values],
    )
    .reduce((html, piece, index) =>
      index % 2 === 0 && piece.startsWith(".") ? html + fullStopAfter(html) + piece.slice(1) : html + piece,
    );
}
