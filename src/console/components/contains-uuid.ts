/** Returns whether the text contains a UUID, alone or in a URL. */
export function containsUuid(text: string): boolean {
  return /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i.test(text);
}
