/**
 * Returns the badge that a file contains, once or several times.
 * @returns undefined if there is none
 * @throws RangeError if there are several different ones, because it would be unclear which one belongs to the visible
 *   contents
 */
export function onlyBadge(found: Iterable<string | undefined>, kind: "PDF" | "picture"): string | undefined {
  const badges = new Set(found);
  badges.delete(undefined);
  const [badge, ...others] = badges;
  if (others.length > 0) throw new RangeError(`the ${kind} contains several different badges`);
  return badge;
}
