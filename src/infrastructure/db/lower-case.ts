/**
 * SQL: lower case. Replaces the letter I first, because a Turkish locale would convert it to ı, without a dot. With the
 * locale C or POSIX, converts only the letters A to Z, unlike `lowerCase`.
 */
export function lowerCaseSql(text: string): string {
  return `lower(translate(${text}, 'Iİ', 'ii')) collate "C"`;
}

export function lowerCase(text: string): string {
  return text.replaceAll("İ", "i").toLowerCase();
}
