import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { SearchIcon } from "../parts/icons.js";
import { useWords } from "../reader/words.js";

const SearchDialog = lazy(() =>
  import("../search/search-dialog.js").then(({ SearchDialog: component }) => ({ default: component })),
);

/** The way to search from everywhere: a button, `/`, or Ctrl-K. What it opens is loaded then. */
export function SearchLauncher() {
  const { shell } = useWords();
  const [isOpen, setOpen] = useState(false);
  // What is typed before the dialog has arrived.
  const typed = useRef<string>(undefined);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (typed.current !== undefined) {
        if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) typed.current += event.key;
        return;
      }
      const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping();
      const isCtrlK = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
      if (!isSlash && !isCtrlK) return;
      event.preventDefault();
      typed.current = "";
      setOpen(true);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  const takeTyped = () => {
    const text = typed.current ?? "";
    typed.current = undefined;
    return text;
  };
  return (
    <>
      <button
        type="button"
        className="search-launcher"
        onClick={() => setOpen(true)}
        aria-keyshortcuts="/ Control+K"
      >
        <SearchIcon />
        <span className="search-hint">{shell.searchHint}</span>
        <kbd>/</kbd>
      </button>
      {isOpen && (
        <Suspense>
          <SearchDialog typedBefore={takeTyped} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function isTyping(): boolean {
  const focused = document.activeElement;
  return (
    focused instanceof HTMLInputElement ||
    focused instanceof HTMLTextAreaElement ||
    focused instanceof HTMLSelectElement ||
    document.querySelector("[role=dialog], [role=alertdialog]") !== null
  );
}
