import type { RecordPage } from "./driver.js";

/** Keeps only counts above 0. */
export function leftOut(counts: Readonly<Record<string, number>>): Pick<RecordPage, "leftOut"> {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.length > 0 ? { leftOut: Object.fromEntries(some) } : {};
}
