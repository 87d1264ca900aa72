import type { Stage } from "./driver.js";

/** Returns a stage that settings may switch off, as a part of a list. */
export function stageIf(isOn: boolean, stage: Stage): Stage[] {
  return isOn ? [stage] : [];
}
