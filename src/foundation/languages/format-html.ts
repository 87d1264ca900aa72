import { escapeHtml } from "../text/escape-html.js";
import { format, type Message } from "./message.js";

/** Marks the index of a value until the value is inserted. Stored and received texts can't contain it. */
const MARK = "\0";

/** Formats a message as HTML. The message is escaped; its values must be HTML. */
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
    .join("");
}
