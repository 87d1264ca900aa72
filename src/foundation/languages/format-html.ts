import { escapeHtml } from "../text/escape-html.js";
import { format, type Message } from "./message.js";

/** Stands around the number of a value until it is filled in. No text that is stored or sent has it. */
const MARK = "\0";

/** Formats a message as HTML: its own words are escaped, its values are HTML already. */
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
