/** Returns the part itself, unless it is a group of one part. Then returns that one part, even from nested groups. */
export function onlyPart<Part extends { readonly parts: readonly Part[] }>(part: Part): Part {
  const [only, ...others] = part.parts;
  return only === undefined || others.length > 0 ? part : onlyPart(only);
}
