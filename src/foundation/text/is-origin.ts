/** Returns whether the text is an origin as browsers spell it. Origins are compared character by character. */
export function isOrigin(text: string): boolean {
  return /^https?:\/\/[\w.:[\]-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
