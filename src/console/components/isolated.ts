/** A value between marks that keep its direction from that of the sentence (Unicode FSI and PDI). */
export function isolated(value: string): string {
  return `\u2068${value}\u2069`;
}

/** Fills the places of a sentence, such as `{name}`, each kept apart in its direction. */
export function filledIn(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    return value === undefined ? place : isolated(value);
  });
}
