import type { ReactNode } from "react";
import { Dialog } from "./dialog.js";
import { DialogClose } from "./dialog-close.js";

export function DoneDialog({
  title,
  outcome,
  children,
  onClose,
}: {
  readonly title: string;
  readonly outcome: ReactNode;
  readonly children?: ReactNode;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div role="status" className="notice notice-good">
        {outcome}
      </div>
      {children}
      <DialogClose onClose={onClose} />
    </Dialog>
  );
}
