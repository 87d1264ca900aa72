/**
 * Returns the Latin letter of a key, in upper case; undefined if the key has none. On layouts for other scripts, such as
 * the Ukrainian and the Arabic one, it is the letter at the same position of a US keyboard.
 */
export function letterOf({ key, code }: { readonly key: string; readonly code: string }): string | undefined {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  return /^Key([A-Z])$/.exec(code)?.[1];
}
