import { lazy, Suspense, useEffect, useState } from "react";
import { Button } from "react-aria-components";
import { SearchIcon } from "../parts/icons.js";
import { useWords } from "../reader/words.js";

const SearchDialog = lazy(() =>
  import("../search/search-dialog.js").then(({ SearchDialog: component }) => ({ default: component })),
);

/** The way to search from everywhere: a button, `/`, or Ctrl-K. What it opens is loaded then. */
export function SearchLauncher() {
  const { shell } = useWords();
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping();
      const isCtrlK = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
      if (!isSlash && !isCtrlK) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  return (
    <>
      <Button className="search-launcher" onPress={() => setOpen(true)} aria-keyshortcuts="/ Control+K">
        <SearchIcon />
        <span className="search-hint">{shell.searchHint}</span>
        <kbd>/</kbd>
      </Button>
      {isOpen && (
        <Suspense>
          <SearchDialog onClose={() => setOpen(false)} />
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
