import { useEffect, useState } from "react";
import { storedList, storeList } from "./stored-list.js";
import type { Choices, UploadedList, UploadedSource } from "./uploaded-list.js";

/** Holds the uploaded list. It survives a reload of the tab. */
export function useUploadedList(owner: string) {
  const [uploaded, setUploaded] = useState<UploadedList | undefined>(() => storedList(owner));
  useEffect(() => storeList(owner, uploaded), [owner, uploaded]);
  return {
    uploaded,
    upload: (source: UploadedSource | undefined) => setUploaded(source && { source, choices: {} }),
    forget: () => storeList(owner, undefined),
    /** Changes how the list is read. If this changes the table or its headings, the meanings of columns are cleared. */
    choose(next: Choices) {
      if (!uploaded) return;
      const isOtherTable = "encoding" in next || "delimiter" in next || "sheet" in next;
      const isOtherRow = isOtherTable || "headingRow" in next;
      const columns = {
        ...(isOtherTable && { headingRow: undefined }),
        ...(isOtherRow && { meanings: undefined, gradesAre: undefined, dayOrder: undefined }),
        // A change of the meanings may make another column the one with grades or dates.
        ...("meanings" in next && { gradesAre: undefined, dayOrder: undefined }),
      };
      setUploaded({
        source: uploaded.source,
        choices: { ...uploaded.choices, ...columns, ...next } as Choices,
      });
    },
  };
}
