/** How a credential stands, as an address names it, in the order in which readers choose. */
export const standingNames = ["valid", "generating", "error", "expired", "invalidated"] as const;

export type StandingName = (typeof standingNames)[number];

export function isStandingName(text: string): text is StandingName {
  return standingNames.some((name) => name === text);
}
