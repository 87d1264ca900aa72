import { useState } from "react";
import { useWords } from "../i18n/words.js";
import { Button } from "./button.js";

const CONFIRMATION_MS = 2000;

/** Copies a text. Hidden if there is no clipboard, because browsers offer none over plain HTTP. */
export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const { parts } = useWords();
  const [isCopied, setCopied] = useState(false);
  if (!navigator.clipboard) return null;
  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), CONFIRMATION_MS);
  }
  return (
    <>
      <Button variant="quiet" onPress={copy}>
        {isCopied ? parts.copied : (label ?? parts.copy)}
      </Button>
      <span role="status" className="away-from-view">
        {isCopied ? parts.copied : ""}
      </span>
    </>
  );
}
