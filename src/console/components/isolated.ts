import type { Message } from "#foundation/languages/message.js";

/** A value between marks that keep its direction from that of the sentence (Unicode FSI and PDI). */
export function isolated(value: string): string {
  return `\u2068${value}\u2069`;
}

/** Formats a message whose values are each kept apart in their direction. */
export function filledIn<Values extends object>(message: Message<Values>, values: Values): string {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "string" ? isolated(value) : value,
  ]);
  return message(Object.fromEntries(entries));
}
