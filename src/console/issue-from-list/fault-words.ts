import { useChapter } from "../i18n/chapter.js";
import { useFormats } from "../i18n/words.js";
import type { ReadFault } from "./read-list.js";

/** Says why a list can't be read, and what to do. */
export function useFaultWords(): (fault: ReadFault) => string {
  const { faults } = useChapter("issuing").list;
  const { number } = useFormats();
  return ({ fault, count = 0, row = 0 }) => {
    if (fault === "tooManyRows") return faults.tooManyRows(count);
    return faults[fault].replace("{row}", number(row)).replace("{count}", number(count));
  };
}
