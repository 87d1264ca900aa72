import { useFormats, useWords } from "../reader/words.js";
import type { ReadFault } from "./read-list.js";

/** Says why a list can't be read, and what to do. */
export function useFaultWords(): (fault: ReadFault) => string {
  const { faults } = useWords().issuing.list;
  const { number } = useFormats();
  return (fault) => {
    switch (fault.fault) {
      case "workbook":
        return faults.workbook;
      case "binary":
        return faults.binary;
      case "too-large":
        return faults.tooLarge;
      case "empty":
        return faults.empty;
      case "too-many-rows":
        return faults.tooManyRows(fault.count);
      case "too-many-columns":
        return faults.tooManyColumns
          .replace("{row}", number(fault.row))
          .replace("{count}", number(fault.count));
      case "open-quote":
        return faults.openQuote.replace("{row}", number(fault.row));
      case "no-column":
        return faults.noColumn;
    }
  };
}
