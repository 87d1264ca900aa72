import { useWords } from "../i18n/words.js";
import { Button } from "./button.js";

export function DialogClose({ onClose }: { readonly onClose: () => void }) {
  const { parts } = useWords();
  return (
    <div className="dialog-actions">
      <Button variant="primary" onPress={onClose} autoFocus>
        {parts.close}
      </Button>
    </div>
  );
}
