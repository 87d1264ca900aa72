/**
 * SQL: a text in lower case, compared by bytes. The result doesn't depend on the database's locale; a Turkish or
 * Azerbaijani one converts I to ı, without a dot.
 */
export function lowerCaseSql(text: string): string {
  return `lower(translate(${text}, 'Iİ', 'ii')) collate "C"`;
}

/** Does the same as `lowerCaseSql` for a text in this process. */
export function lowerCase(text: string): string {
  return text.replaceAll("İ", "i").toLowerCase();
}
