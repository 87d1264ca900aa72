import { format } from "#foundation/languages/message.js";
import { useChapter } from "../i18n/words.js";
import type { ReadFault } from "./read-list.js";

/** Returns a function that explains why a list can't be read, and what to do. */
export function useFaultWords(): (fault: ReadFault) => string {
  const { faults } = useChapter("issuing").list;
  return ({ fault, count = 0, row = 0 }) =>
    format<{ row: number; count: number }>(faults[fault], { row, count });
}
