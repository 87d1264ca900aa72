const attributeKey = /^[a-z][a-z0-9_]{0,39}$/;

/** Returns whether an attribute of a learner or an enrolment may have this key. */
export function isAttributeKey(text: string): boolean {
  return attributeKey.test(text);
}
