import { useState } from "react";
import { Button } from "../components/button.js";
import { CodeLine } from "../components/code-line.js";
import { Dialog } from "../components/dialog.js";
import { DialogClose } from "../components/dialog-close.js";
import { LinkButton } from "../components/link-button.js";
import { withoutEllipsis } from "../components/without-ellipsis.js";
import { useChapter } from "../i18n/words.js";

/** Explains where to connect a platform, and how to import records from other programs. */
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
          <div className="actions">
            <LinkButton to="/administration" search={{ tab: "connections" }}>
              {withoutEllipsis(words.connect)}
            </LinkButton>
          </div>
          <p>{words.importMeans}</p>
          <CodeLine text="learning-credentials import records.jsonl" />
          <DialogClose onClose={close} />
        </Dialog>
      )}
    </>
  );
}
