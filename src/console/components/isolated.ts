import type { Message } from "#foundation/languages/message.js";

/** Isolates the writing direction of a value in a sentence (Unicode FSI and PDI). */
export function isolated(value: string): string {
  return `\u2068${value}\u2069`;
}

/** Formats a message. Isolates the writing direction of each value. */
export function filledIn<Values extends object>(message: Message<Values>, values: Values): string {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "string" ? isolated(value) : value,
  ]);
  return message(Object.fromEntries(entries));
}
