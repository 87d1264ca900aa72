/**
 * Returns the badge in a file. The file may contain several copies of it.
 * @returns undefined if the file contains no badge
 * @throws RangeError if the file contains different badges, since only one of them could belong to the visible contents
 */
export function onlyBadge(found: Iterable<string | undefined>, kind: "PDF" | "picture"): string | undefined {
  const badges = new Set(found);
  badges.delete(undefined);
  const [badge, ...others] = badges;
  if (others.length > 0) throw new RangeError(`the ${kind} contains several different badges`);
  return badge;
}
