/**
 * Capitalises the first letter.
 * @param tag BCP 47 tag of the text's language
 */
export function capitalized(text: string, tag?: string): string {
  return text.charAt(0).toLocaleUpperCase(tag) + text.slice(1);
}
