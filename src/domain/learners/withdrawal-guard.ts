/** Maximum number of withdrawals that never need approval. */
const MAX_UNAPPROVED = 5;

/**
 * Returns whether a list contains none of the learners from earlier lists, of whom there were
 * several. A fault of the platform is then more likely than withdrawals.
 * @param reported number of learners from earlier lists
 * @param absent number of those who are no longer listed
 */
export function isListOfOthers(reported: number, absent: number): boolean {
  return reported > 1 && absent >= reported;
}

/** Returns how many of the reported enrolments may be withdrawn without approval. */
export function withdrawalLimit(
  reported: number,
  { percent, count }: { readonly percent: number; readonly count: number },
): number {
  return Math.max(MAX_UNAPPROVED, Math.min(count, (reported * percent) / 100));
}
