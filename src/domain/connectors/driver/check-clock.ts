import type { CheckResult } from "./driver.js";

const MAX_SKEW_MS = 60_000;

export function checkClock(date: Date | undefined): CheckResult {
  const skew = date ? Math.abs(Date.now() - date.getTime()) : 0;
  const text = `The platform's clock differs by ${Math.round(skew / 1000)} s.`;
  return skew > MAX_SKEW_MS
    ? { what: "clock", outcome: "warning", text }
    : { what: "clock", outcome: "ok", text: "it agrees with ours" };
}
