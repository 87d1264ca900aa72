import { CheckIcon, CrossIcon, WaitingIcon, WarningIcon } from "../components/icons.js";
import type { Look } from "../components/status.js";

export const good: Look = { tone: "good", Icon: CheckIcon };
export const bad: Look = { tone: "bad", Icon: CrossIcon };
export const waiting: Look = { tone: "plain", Icon: WaitingIcon };
export const doubtful: Look = { tone: "warn", Icon: WarningIcon };
