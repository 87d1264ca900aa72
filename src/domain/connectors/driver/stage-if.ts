import type { Stage } from "./driver.js";

/** Returns a list with the stage, or an empty one if the settings disable it. */
export function stageIf(isOn: boolean, stage: Stage): Stage[] {
  return isOn ? [stage] : [];
}
