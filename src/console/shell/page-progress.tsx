import { useIsFetching } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { loadingParts } from "../components/lazily.js";
import { useWords } from "../i18n/words.js";
import { useStore } from "../service/store.js";

/** A wait that is shorter than this is not shown. */
const SHOWN_AFTER_MS = 300;

/**
 * A line at the top of the window while a page, a dialog or data that isn't shown yet is loading. Screen readers announce
 * only the loading of a page.
 */
export function PageProgress() {
  const { shell } = useWords();
  const href = useRouterState({ select: ({ location }) => location.pathname + location.searchStr });
  const isOpening = useRouterState({ select: ({ status }) => status === "pending" });
  const missingData = useIsFetching({ predicate: ({ state }) => state.status === "pending" });
  const isBusy = useStore(loadingParts) > 0 || isOpening || missingData > 0;
  const [isShown, setShown] = useState(false);
  const [loadedHref, setLoadedHref] = useState<string>();
  useEffect(() => {
    if (!isBusy) setShown(false);
    const timer = setTimeout(() => (isBusy ? setShown(true) : setLoadedHref(href)), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isBusy, href]);
  return (
    <>
      <div className="progress-line page-progress" data-active={isShown} />
      <p role="status" className="away-from-view">
        {isShown && href !== loadedHref ? shell.loading : ""}
      </p>
    </>
  );
}
