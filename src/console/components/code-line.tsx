import { CopyButton } from "./copy-button.js";

/** A text to type or paste elsewhere. Its direction is left to right in every language. */
export function CodeLine({ text }: { readonly text: string }) {
  return (
    <div className="code-line">
      <code dir="ltr">{text}</code>
      <CopyButton text={text} />
    </div>
  );
}
