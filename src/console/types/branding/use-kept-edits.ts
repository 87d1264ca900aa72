import { useEffect, useState } from "react";
import { useCaller } from "../../components/use-may.js";
import { readFromTab, storeInTab } from "../../service/tab-memory.js";

/** Holds edits that are not saved yet. They survive leaving the page and reloading the tab. */
export function useKeptEdits<E extends object>(name: string, none: E) {
  const owner = useCaller().data?.username ?? "";
  const [edits, setEdits] = useState(() => (readFromTab(owner, name) as E | undefined) ?? none);
  useEffect(
    () => storeInTab(owner, name, Object.keys(edits).length > 0 ? edits : undefined),
    [owner, name, edits],
  );
  return [edits, setEdits] as const;
}
