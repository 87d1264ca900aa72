import { CheckIcon, CrossIcon, WarningIcon } from "../components/icons.js";
import type { Look } from "../components/status.js";

/** How states look in which all is well, something is wrong, or someone should look. */
export const good: Look = { tone: "good", Icon: CheckIcon };
export const bad: Look = { tone: "bad", Icon: CrossIcon };
export const doubtful: Look = { tone: "warn", Icon: WarningIcon };
