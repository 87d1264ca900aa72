import type { Page } from "./driver.js";

/** Returns the number of rows that a page left out, by reason. Omits reasons with 0. */
export function leftOut(counts: Readonly<Record<string, number>>): Pick<Page, "leftOut"> {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.length > 0 ? { leftOut: Object.fromEntries(some) } : {};
}
