import type { ConnectError } from "@connectrpc/connect";
import { type RefObject, useEffect, useState } from "react";
import { loadChapter } from "../i18n/load-chapter.js";
import { useLanguageTag, useWords } from "../i18n/words.js";
import type { Explanation } from "./explain-error.js";

/**
 * Describes an error by its details, in the reader's language. A field that it is about is called as on the page. Texts
 * for errors are loaded with the first error; if the service is unreachable, they may be missing.
 * @param failure shows the error
 * @returns undefined until the texts are loaded, and if the details add nothing to the code
 */
export function useExplanation(
  error: ConnectError,
  failure: RefObject<Element | null>,
): Explanation | undefined {
  const tag = useLanguageTag();
  const words = useWords();
  const [explained, setExplained] = useState<{ readonly of: ConnectError; readonly as?: Explanation }>();
  useEffect(() => {
    if (error.details.length === 0) return;
    let isWanted = true;
    Promise.all([
      import("./explain-error.js"),
      import("./shown-field.js"),
      loadChapter("explanations", tag),
    ]).then(
      ([{ explainError }, { focusField }, spoken]) =>
        isWanted &&
        setExplained({
          of: error,
          as: explainError(error, spoken, words, (path) => focusField(path, failure.current)),
        }),
      () => {}, // the description by the code is shown
    );
    return () => {
      isWanted = false;
    };
  }, [error, failure, tag, words]);
  return explained?.of === error ? explained.as : undefined;
}
