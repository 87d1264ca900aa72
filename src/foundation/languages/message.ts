/** A text with placeholders for values. */
export type Message<Values> = (values: Values) => string;

/**
 * The messages of a catalogue. A message with values is a function of them, otherwise a text.
 * @typeParam Values of the messages that have some, as listed in `gen/message-values.ts`
 */
export type Messages<Catalogue, Values> = {
  readonly [Key in keyof Catalogue]: Catalogue[Key] extends string
    ? Key extends keyof Values
      ? Message<Values[Key]>
      : string
    : Messages<Catalogue[Key], Key extends keyof Values ? Values[Key] : unknown>;
};

/** Formats a message with any of these values, or none. */
export function format<Values>(message: string | Message<Values>, values: Values): string {
  return typeof message === "string" ? message : message(values);
}

/** Returns the text for a key that may be missing. */
export function textFor(texts: Readonly<Record<string, string>>, key: string | number): string | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}
