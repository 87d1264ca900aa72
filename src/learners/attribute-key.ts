const attributeKey = /^[a-z][a-z0-9_]{0,39}$/;

/** Whether an attribute of a learner or an enrolment may be named so. */
export function isAttributeKey(text: string): boolean {
  return attributeKey.test(text);
}
