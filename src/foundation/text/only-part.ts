/**
 * Returns the part inside a group that has only one part, even through several such groups. Returns any other part
 * unchanged.
 */
export function onlyPart<Part extends { readonly parts: readonly Part[] }>(part: Part): Part {
  const [only, ...others] = part.parts;
  return only === undefined || others.length > 0 ? part : onlyPart(only);
}
