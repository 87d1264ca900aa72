import type { ReactNode } from "react";
import { CodeLine } from "./code-line.js";
import { Dialog } from "./dialog.js";
import { DialogClose } from "./dialog-close.js";

/** Shows a secret that can't be shown again. The secret is in no URL or cache, and disappears with the dialog. */
export function ShownOnce({
  title,
  means,
  secret,
  children,
  onClose,
}: {
  readonly title: string;
  readonly means: string;
  readonly secret: string;
  /** What to do with the secret. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="notice notice-warn">{means}</p>
      <CodeLine text={secret} />
      {children}
      <DialogClose onClose={onClose} />
    </Dialog>
  );
}
