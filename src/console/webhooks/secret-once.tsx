import { Button } from "../components/button.js";
import { CodeLine } from "../components/code-line.js";
import { Dialog } from "../components/dialog.js";
import { useChapter } from "../i18n/chapter.js";
import { useWords } from "../i18n/words.js";

/** Shows a secret that nobody can be shown again. It is in no address and no cache, and goes with the dialog. */
export function SecretOnce({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const words = useChapter("webhooks");
  const { parts } = useWords();
  return (
    <Dialog title={words.secret} onClose={onClose}>
      <p className="notice notice-warn">{words.secretMeans}</p>
      <CodeLine text={secret} />
      <div className="dialog-actions">
        <Button look="primary" autoFocus onPress={onClose}>
          {parts.close}
        </Button>
      </div>
    </Dialog>
  );
}
