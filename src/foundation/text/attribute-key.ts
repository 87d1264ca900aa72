import { MAX_ATTRIBUTE_KEY } from "../limits.js";

/** Returns whether designs can use this key in a placeholder such as `{learner.programme}`. */
export function isAttributeKey(text: string): boolean {
  return text.length <= MAX_ATTRIBUTE_KEY && /^[a-z][a-z0-9_]*$/.test(text);
}
