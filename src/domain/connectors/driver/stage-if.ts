import type { Stage } from "./driver.js";

export function stageIf(isOn: boolean, stage: Stage): Stage[] {
  return isOn ? [stage] : [];
}
