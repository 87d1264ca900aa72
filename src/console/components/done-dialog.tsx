import type { ReactNode } from "react";
import { useWords } from "../i18n/words.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";

/** What a dialog shows once it has done what was asked. */
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
  const { parts } = useWords();
  return (
    <Dialog title={title} onClose={onClose}>
      <div role="status" className="notice notice-good">
        {outcome}
      </div>
      {children}
      <div className="dialog-actions">
        <Button look="primary" onPress={onClose} autoFocus>
          {parts.close}
        </Button>
      </div>
    </Dialog>
  );
}
