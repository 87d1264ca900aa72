const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID as 8-4-4-4-12 hexadecimal digits of either case. */
export function isUuid(text: string): boolean {
  return pattern.test(text);
}
