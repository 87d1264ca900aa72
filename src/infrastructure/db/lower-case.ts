/** SQL: lower case, independent of the database's locale. A Turkish locale would convert I to ı, without a dot. */
export function lowerCaseSql(text: string): string {
  return `lower(translate(${text}, 'Iİ', 'ii')) collate "C"`;
}

export function lowerCase(text: string): string {
  return text.replaceAll("İ", "i").toLowerCase();
}
