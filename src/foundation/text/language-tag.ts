/** The canonical form of a BCP 47 language tag, such as `pt-BR` for `pt-br`; undefined for a text that is none. */
export function canonicalTag(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}

/** Whether the text is a BCP 47 language tag, whatever language it names. */
export function isLanguageTag(text: string): boolean {
  return canonicalTag(text) !== undefined;
}
