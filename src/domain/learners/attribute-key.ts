const attributeKey = /^[a-z][a-z0-9_]{0,39}$/;

export function isAttributeKey(text: string): boolean {
  return attributeKey.test(text);
}
