import { CopyButton } from "./copy-button.js";

/** Something to type elsewhere, with a button that copies it. Code runs from left to right in every language. */
export function CodeLine({ text }: { readonly text: string }) {
  return (
    <div className="code-line">
      <code dir="ltr">{text}</code>
      <CopyButton text={text} />
    </div>
  );
}
