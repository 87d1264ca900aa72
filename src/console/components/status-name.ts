/** Names of statuses in URLs, in the order of the filter. */
export const statusNames = ["valid", "generating", "error", "expired", "invalidated"] as const;

export type StatusName = (typeof statusNames)[number];

export function isStatusName(text: string): text is StatusName {
  return statusNames.some((name) => name === text);
}
