/**
 * SQL: a text in lower case, by the bytes of the result. It is the same whatever language the database has: in a Turkish or
 * Azerbaijani one, the small form of I would have no dot.
 */
export function lowerCaseSql(text: string): string {
  return `lower(translate(${text}, 'Iİ', 'ii')) collate "C"`;
}

/** The same of a text of this process. */
export function lowerCase(text: string): string {
  return text.replaceAll("İ", "i").toLowerCase();
}
