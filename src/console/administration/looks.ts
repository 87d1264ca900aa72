import { CheckIcon, CrossIcon, WarningIcon } from "../components/icons.js";
import type { Look } from "../components/status.js";

/** Appearances of states: everything is fine, something is wrong, something needs attention. */
export const good: Look = { tone: "good", Icon: CheckIcon };
export const bad: Look = { tone: "bad", Icon: CrossIcon };
export const doubtful: Look = { tone: "warn", Icon: WarningIcon };
