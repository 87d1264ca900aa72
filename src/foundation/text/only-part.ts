/** Returns the only part of a group, even if such groups are nested. Returns a part of any other kind unchanged. */
export function onlyPart<Part extends { readonly parts: readonly Part[] }>(part: Part): Part {
  const [only, ...others] = part.parts;
  return only === undefined || others.length > 0 ? part : onlyPart(only);
}
