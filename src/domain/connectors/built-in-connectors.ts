import { canvas } from "./canvas/canvas-driver.js";
import type { ConnectorDriver } from "./driver/driver.js";
import { moodle } from "./moodle/moodle-driver.js";
import { oneRoster } from "./oneroster/oneroster-driver.js";
import { openEdx } from "./openedx/edx-driver.js";

export const builtInConnectors: readonly ConnectorDriver[] = [openEdx, moodle, canvas, oneRoster];
