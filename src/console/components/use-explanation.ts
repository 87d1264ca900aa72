import type { ConnectError } from "@connectrpc/connect";
import { useEffect, useState } from "react";
import { loadChapter } from "../i18n/load-chapter.js";
import { useLanguageTag, useWords } from "../i18n/words.js";
import type { Explanation } from "./explain-error.js";

/**
 * What an error means by its details, in the reader's language. Words for errors are loaded with the first one; they
 * may be out of reach with the service.
 * @returns undefined until they are there, and if the details say no more than the code
 */
export function useExplanation(error: ConnectError): Explanation | undefined {
  const tag = useLanguageTag();
  const words = useWords();
  const [explained, setExplained] = useState<{ readonly of: ConnectError; readonly as?: Explanation }>();
  useEffect(() => {
    if (error.details.length === 0) return;
    let isWanted = true;
    Promise.all([import("./explain-error.js"), loadChapter("explanations", tag)]).then(
      ([{ explainError }, spoken]) =>
        isWanted && setExplained({ of: error, as: explainError(error, spoken, words) }),
      () => {}, // what is known by the code is shown
    );
    return () => {
      isWanted = false;
    };
  }, [error, tag, words]);
  return explained?.of === error ? explained.as : undefined;
}
