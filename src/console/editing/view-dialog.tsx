import { HistoryDialog } from "./history-dialog.js";
import { ShareDialog } from "./share-dialog.js";
import type { ViewProps } from "./view-props.js";

export type ViewDialogName = "share" | "history";

/**
 * The dialogs for sharing and for the history. They are in one module, which is loaded when either of them is opened.
 */
export function ViewDialog({
  name,
  subject,
  editing,
  why,
  onClose,
}: ViewProps & { readonly name: ViewDialogName; readonly onClose: () => void }) {
  if (name === "share") return <ShareDialog subject={subject} editing={editing} onClose={onClose} />;
  if (!subject.revised) return null;
  return (
    <HistoryDialog
      revised={subject.revised}
      saved={subject.saved.fields}
      type={subject.type}
      partName={editing.partName}
      previewOf={(state) => subject.previewOf(state, false)}
      onRestore={
        why === undefined
          ? (state) => {
              editing.change(state);
              onClose();
            }
          : undefined
      }
      onClose={onClose}
    />
  );
}
