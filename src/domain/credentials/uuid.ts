export const uuidPattern = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** Accepts 8-4-4-4-12 hexadecimal digits, in either case. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}
