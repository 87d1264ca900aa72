import { useEffect, useState } from "react";
import { storedList, storeList } from "./stored-list.js";
import type { Choices, Source, UploadedList } from "./uploaded-list.js";

/** Holds the list that was given, also over a reload of the tab. */
export function useUploadedList(owner: string) {
  const [uploaded, setUploaded] = useState<UploadedList | undefined>(() => storedList(owner));
  useEffect(() => storeList(owner, uploaded), [owner, uploaded]);
  return {
    uploaded,
    upload: (source: Source | undefined) => setUploaded(source && { source, choices: {} }),
    /** Keeps it no longer than it is shown. */
    forget: () => storeList(owner, undefined),
    /** Another way to read the text, or another sheet, means other columns. */
    choose(next: Choices) {
      if (!uploaded) return;
      const isOtherTable = "encoding" in next || "delimiter" in next || "sheet" in next;
      const isOtherRow = isOtherTable || "headingRow" in next;
      const columns = {
        ...(isOtherTable && { headingRow: undefined }),
        ...(isOtherRow && { meanings: undefined, gradesAre: undefined, dayOrder: undefined }),
        // another column may be that of grades, or days
        ...("meanings" in next && { gradesAre: undefined, dayOrder: undefined }),
      };
      setUploaded({
        source: uploaded.source,
        choices: { ...uploaded.choices, ...columns, ...next } as Choices,
      });
    },
  };
}
