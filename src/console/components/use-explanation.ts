import type { ConnectError } from "@connectrpc/connect";
import { type RefObject, useEffect, useState } from "react";
import { loadChapter } from "../i18n/load-chapter.js";
import { useLanguageTag, useWords } from "../i18n/words.js";
import type { Explanation } from "./explain-error.js";

/**
 * What an error means by its details, in the reader's language. A field that it is about is named as on the screen. Words for errors are loaded with the first one; they
 * may be out of reach with the service.
 * @param failure shows the error
 * @returns undefined until they are there, and if the details say no more than the code
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
      () => {}, // what is known by the code is shown
    );
    return () => {
      isWanted = false;
    };
  }, [error, failure, tag, words]);
  return explained?.of === error ? explained.as : undefined;
}
