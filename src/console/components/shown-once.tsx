import { useWords } from "../i18n/words.js";
import { Button } from "./button.js";
import { CodeLine } from "./code-line.js";
import { Dialog } from "./dialog.js";

/** Shows a secret that nobody can be shown again. It is in no address and no cache, and goes with the dialog. */
export function ShownOnce({
  title,
  means,
  secret,
  onClose,
}: {
  readonly title: string;
  readonly means: string;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  const { parts } = useWords();
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="notice notice-warn">{means}</p>
      <CodeLine text={secret} />
      <div className="dialog-actions">
        <Button look="primary" autoFocus onPress={onClose}>
          {parts.close}
        </Button>
      </div>
    </Dialog>
  );
}
