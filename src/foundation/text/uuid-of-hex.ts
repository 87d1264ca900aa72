/** Formats 32 hexadecimal digits as a UUID. */
export function uuidOfHex(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
