import { filledIn } from "../../components/isolated.js";
import type { Chapters } from "../../i18n/load-chapter.js";
import { type Times, WEEKDAYS, type Weekday } from "./typed-schedule.js";

const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

export function weekdayName(day: Weekday, tag: string, weekday: "short" | "long"): string {
  const format = new Intl.DateTimeFormat(tag, { weekday, timeZone: "UTC" });
  return format.format(MONDAY + WEEKDAYS.indexOf(day) * DAY_MS);
}

/** Describes the times of runs, for example `Every Monday and Friday at 06:00`. */
export function timesInWords(
  { kind, weekdays, day, time }: Times,
  words: Chapters["designing"]["schedule"],
  tag: string,
): string {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  const at = new Intl.DateTimeFormat(tag, { timeStyle: "short", timeZone: "UTC" }).format(
    MONDAY + (hour * 60 + minute) * 60_000,
  );
  if (kind === "monthly") return filledIn(words.everyMonth, { day: Number(day), time: at });
  if (weekdays.length === WEEKDAYS.length) return filledIn(words.everyDay, { time: at });
  const names = weekdays.map((each) => weekdayName(each, tag, "long"));
  return filledIn(words.everyWeek, { days: new Intl.ListFormat(tag).format(names), time: at });
}
