import { useCallback, useEffect, useRef, useState } from "react";
import { SearchIcon } from "../components/icons.js";
import { lazily } from "../components/lazily.js";
import { letterOf } from "../components/letter-of.js";
import { useWords } from "../i18n/words.js";

const KeysDialog = lazily(() => import("./keys-dialog.js"), "KeysDialog");
const SearchDialog = lazily(() => import("../search/search-dialog.js"), "SearchDialog");

/** Opens the search with a button, `/` or Ctrl-K. `?` shows the shortcuts. The dialog is loaded when it is opened. */
export function SearchLauncher() {
  const { shell } = useWords();
  const [isOpen, setOpen] = useState(false);
  const [isHelping, setHelping] = useState(false);
  // The text that is typed before the dialog's field gets the focus.
  const typed = useRef<string>(undefined);

  const open = useCallback(() => {
    typed.current = "";
    setOpen(true);
  }, []);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (typed.current !== undefined) {
        const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey;
        if (isText && !(event.target instanceof HTMLInputElement)) typed.current += event.key;
        return;
      }
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping();
      if (event.key === "?" && isPlain) return setHelping(true);
      const isSlash = event.key === "/" && isPlain;
      const isCtrlK = letterOf(event) === "K" && (event.ctrlKey || event.metaKey) && !event.altKey;
      if (!isSlash && !isCtrlK) return;
      event.preventDefault();
      open();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [open]);

  const takeTyped = useCallback(() => {
    const text = typed.current ?? "";
    typed.current = undefined;
    return text;
  }, []);
  return (
    <>
      <button type="button" className="search-launcher" onClick={open} aria-keyshortcuts="/ Control+K">
        <SearchIcon />
        <span className="search-hint">{shell.searchHint}</span>
        <kbd>/</kbd>
      </button>
      {isOpen && <SearchDialog typedBefore={takeTyped} onClose={() => setOpen(false)} />}
      {isHelping && <KeysDialog onClose={() => setHelping(false)} />}
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
