import type { ConnectError } from "@connectrpc/connect";
import { type RefObject, useEffect, useState } from "react";
import { loadChapter } from "../i18n/load-chapter.js";
import { useLanguageTag, useWords } from "../i18n/words.js";
import type { ErrorExplanation } from "./explain-error.js";

/**
 * Describes an error by its details, in the reader's language and with the labels of fields. The texts are loaded with
 * the first error. They may be missing while the service is unreachable.
 * @param failure the element that shows the error
 * @returns undefined until the texts are loaded, and if the details say no more than the error's code
 */
export function useExplanation(
  error: ConnectError,
  failure: RefObject<Element | null>,
): ErrorExplanation | undefined {
  const tag = useLanguageTag();
  const words = useWords();
  const [explained, setExplained] = useState<{ readonly of: ConnectError; readonly as?: ErrorExplanation }>();
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
      () => {}, // the description of the error's code is shown instead
    );
    return () => {
      isWanted = false;
    };
  }, [error, failure, tag, words]);
  return explained?.of === error ? explained.as : undefined;
}
