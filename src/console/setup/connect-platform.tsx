import { useState } from "react";
import { Button } from "../components/button.js";
import { CodeLine } from "../components/code-line.js";
import { Dialog } from "../components/dialog.js";
import { DialogClose } from "../components/dialog-close.js";
import { useChapter } from "../i18n/chapter.js";

/** Says how a platform is connected, which is done where the service runs. */
export function ConnectPlatform() {
  const words = useChapter("setup");
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>{words.connect}</Button>
      {isOpen && (
        <Dialog title={words.connect} onClose={close}>
          <p>{words.connectMeans}</p>
          <CodeLine text="learning-credentials connector check" />
          <CodeLine text="learning-credentials connector sync --dry-run" />
          <p>{words.importMeans}</p>
          <CodeLine text="learning-credentials import records.jsonl" />
          <DialogClose onClose={close} />
        </Dialog>
      )}
    </>
  );
}
