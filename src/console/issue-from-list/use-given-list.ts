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
    /** Another way to read the text means other columns. */
    choose(next: Choices) {
      if (!given) return;
      const { meanings, hasHeadings, ...way } = next;
      const isColumnsOnly = meanings !== undefined || hasHeadings !== undefined;
      const { source, choices } = given;
      setGiven({
        source,
        choices: { ...choices, ...(isColumnsOnly ? next : { ...way, meanings: undefined }) },
      });
    },
  };
}
