/** A text with placeholders for values. */
export type Message<Values> = (values: Values) => string;

/**
 * The messages of a catalogue. A message with values is a function that takes the values. Other messages are texts.
 * @typeParam Values values of the messages, as listed in `gen/message-values.ts`
 */
export type Messages<Catalogue, Values> = {
  readonly [Key in keyof Catalogue]: Catalogue[Key] extends string
    ? Key extends keyof Values
      ? Message<Values[Key]>
      : string
    : Messages<Catalogue[Key], Key extends keyof Values ? Values[Key] : unknown>;
};

export function format<Values>(message: string | Message<Values>, values: Values): string {
  return typeof message === "string" ? message : message(values);
}

export function textFor<Text extends string | Message<never>>(
  texts: Readonly<Record<string, Text>>,
  key: string | number,
): Text | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}

/**
 * Returns the full stop for a sentence that ends with a value. Returns nothing if the value itself ends with a full
 * stop, as Ukrainian dates ("2026 р.") and some names do.
 * @param value can end with closing tags, or with the end of a bidirectional isolate
 */
export function fullStopAfter(value: unknown): string {
  return /\.(?:<\/\w+>|\u2069)*$/.test(String(value)) ? "" : ".";
}
