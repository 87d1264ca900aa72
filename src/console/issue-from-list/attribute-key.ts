/**
 * Converts a heading to a key that no other column has.
 * @param taken the meanings of the columns
 */
export function attributeKey(heading: string, index: number, taken: readonly string[]): string {
  const plain = heading
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "")
    .slice(0, 36);
  const key = plain === "" ? `column_${index + 1}` : plain;
  return taken.includes(`attribute.${key}`) ? `${key}_${index + 1}` : key;
}
