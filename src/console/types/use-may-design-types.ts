import type { DesigningWording } from "../languages/en/designing.js";
import { useCaller, useMay } from "../parts/use-may.js";

/** Tells why the caller may not make, change or delete a type; undefined if they may. */
export function useMayDesignTypes(words: DesigningWording): string | undefined {
  const may = useMay();
  const caller = useCaller().data;
  return may("designer") ?? (caller?.isBounded ? words.sharedByAll : undefined);
}
