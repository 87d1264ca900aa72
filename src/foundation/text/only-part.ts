/**
 * Unwraps nested groups that have only one part. Returns the outermost group with several parts or none, which can be
 * `part` itself.
 */
export function onlyPart<Part extends { readonly parts: readonly Part[] }>(part: Part): Part {
  const [only, ...others] = part.parts;
  return only === undefined || others.length > 0 ? part : onlyPart(only);
}
