import { useChapter } from "../i18n/words.js";
import { useCaller, useMay } from "./use-may.js";

/** Returns why the caller may not create, change or delete a type; undefined if they may. */
export function useMayDesignTypes(): string | undefined {
  const { sharedByAll } = useChapter("designing");
  const may = useMay();
  const caller = useCaller().data;
  return may("designer") ?? (caller?.isBounded ? sharedByAll : undefined);
}
