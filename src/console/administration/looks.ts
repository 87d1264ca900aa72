import { CheckIcon, CrossIcon, WaitingIcon, WarningIcon } from "../components/icons.js";
import type { StatusAppearance } from "../components/status.js";

export const good: StatusAppearance = { tone: "good", Icon: CheckIcon };
export const bad: StatusAppearance = { tone: "bad", Icon: CrossIcon };
export const waiting: StatusAppearance = { tone: "plain", Icon: WaitingIcon };
export const warning: StatusAppearance = { tone: "warn", Icon: WarningIcon };
