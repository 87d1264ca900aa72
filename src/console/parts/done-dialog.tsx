import { useWords } from "../reader/words.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";

/** What a dialog shows once it has done what was asked. */
export function DoneDialog({
  title,
  outcome,
  onClose,
}: {
  readonly title: string;
  readonly outcome: string;
  readonly onClose: () => void;
}) {
  const { parts } = useWords();
  return (
    <Dialog title={title} onClose={onClose}>
      <p role="status" className="notice notice-good">
        {outcome}
      </p>
      <div className="dialog-actions">
        <Button look="primary" onPress={onClose} autoFocus>
          {parts.close}
        </Button>
      </div>
    </Dialog>
  );
}
