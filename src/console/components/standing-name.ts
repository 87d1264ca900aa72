/** Statuses of a credential as in addresses, in the order of the filter. */
export const standingNames = ["valid", "generating", "error", "expired", "invalidated"] as const;

export type StandingName = (typeof standingNames)[number];

export function isStandingName(text: string): text is StandingName {
  return standingNames.some((name) => name === text);
}
