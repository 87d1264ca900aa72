/** Returns the canonical form of a BCP 47 tag, for example `pt-BR` for `pt-br`; undefined if the text is not a tag. */
export function canonicalTag(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}

/** Returns whether the text is a BCP 47 tag, even of an unknown language. */
export function isLanguageTag(text: string): boolean {
  return canonicalTag(text) !== undefined;
}
