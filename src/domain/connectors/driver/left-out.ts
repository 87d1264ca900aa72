import type { Page } from "./driver.js";

/** Returns what a page left out, by reason; a reason that left out nothing is not told. */
export function leftOut(counts: Readonly<Record<string, number>>): Pick<Page, "leftOut"> {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.length > 0 ? { leftOut: Object.fromEntries(some) } : {};
}
