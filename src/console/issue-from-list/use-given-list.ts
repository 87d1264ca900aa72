import { useEffect, useState } from "react";
import type { Choices, GivenList, Source } from "./given-list.js";
import { keepList, keptList } from "./kept-list.js";

/** Holds the list that was given, also over a reload of the tab. */
export function useGivenList(owner: string) {
  const [given, setGiven] = useState<GivenList | undefined>(() => keptList(owner));
  useEffect(() => keepList(owner, given), [owner, given]);
  return {
    given,
    give: (source: Source | undefined) => setGiven(source && { source, choices: {} }),
    /** Keeps it no longer than it is shown. */
    forget: () => keepList(owner, undefined),
    /** Another way to read the text, or another sheet, means other columns. */
    choose(next: Choices) {
      if (!given) return;
      const isOtherTable = "encoding" in next || "delimiter" in next || "sheet" in next;
      const isOtherRow = isOtherTable || "headingRow" in next;
      const columns = {
        ...(isOtherTable && { headingRow: undefined }),
        ...(isOtherRow && { meanings: undefined, gradesAre: undefined, dayOrder: undefined }),
        // another column may be that of grades, or days
        ...("meanings" in next && { gradesAre: undefined, dayOrder: undefined }),
      };
      setGiven({ source: given.source, choices: { ...given.choices, ...columns, ...next } as Choices });
    },
  };
}
