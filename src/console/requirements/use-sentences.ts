import type { JsonObject } from "@bufbuild/protobuf";
import { useChapter } from "../i18n/chapter.js";
import { useFormats, useLanguageTag } from "../i18n/words.js";
import { useFunctions } from "../options/use-functions.js";
import { sentencesOf } from "./required.js";

/** Tells who gets a credential by the options of a function, those of a configuration merged over its type's. */
export function useSentences() {
  const words = useChapter("requirements");
  const { percent } = useFormats();
  const list = new Intl.ListFormat(useLanguageTag(), { type: "conjunction" });
  const { of } = useFunctions();
  return (retrievalFunc: string, options: JsonObject, nameOf?: (courseKey: string) => string) => {
    const [fn] = of({ retrievalFunc });
    return sentencesOf(options, fn, { words, percent, list: (parts) => list.format(parts) }, nameOf);
  };
}
