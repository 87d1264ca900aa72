/**
 * Unwraps groups that have only one part. Returns the outermost part that is not such a group, which can be `part`
 * itself.
 */
export function onlyPart<Part extends { readonly parts: readonly Part[] }>(part: Part): Part {
  const [only, ...others] = part.parts;
  return only === undefined || others.length > 0 ? part : onlyPart(only);
}
