import { useCaller, useMay } from "../components/use-may.js";
import { useChapter } from "../i18n/words.js";

/** Returns why the caller may not correct names; undefined if they may. */
export function useMayCorrect(): string | undefined {
  const words = useChapter("names");
  const may = useMay();
  const { data } = useCaller();
  return may("registrar") ?? (data?.isBounded ? words.bounded : undefined);
}
