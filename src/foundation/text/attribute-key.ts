/** Returns whether designs can use this key in a placeholder such as `{learner.programme}`. */
export function isAttributeKey(text: string): boolean {
  return /^[a-z][a-z0-9_]{0,39}$/.test(text);
}
