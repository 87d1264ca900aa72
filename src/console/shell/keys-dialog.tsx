import { Dialog } from "../components/dialog.js";
import { DialogClose } from "../components/dialog-close.js";
import { Fact } from "../components/fact.js";
import { lazily } from "../components/lazily.js";
import { useChapter } from "../i18n/words.js";

const DesignerKeys = lazily(() => import("../designer/designer-keys.js"), "DesignerKeys");

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useChapter("finding");
  const keys: readonly (readonly [keys: readonly string[], means: string])[] = [
    [["/", "Ctrl K"], words.searchKey],
    [["↑", "↓"], words.arrowsKey],
    [["Enter"], words.enterKey],
    [["Esc"], words.escapeKey],
    [["Tab"], words.tabKey],
    [["?"], words.helpKey],
  ];
  return (
    <Dialog title={words.keys} onClose={onClose}>
      <dl className="facts">
        {keys.map(([names, means]) => (
          <Fact
            key={means}
            label={names.map((name) => (
              <span key={name}>
                <kbd dir="ltr">{name}</kbd>{" "}
              </span>
            ))}
          >
            {means}
          </Fact>
        ))}
      </dl>
      {document.querySelector(".designer") && <DesignerKeys />}
      <DialogClose onClose={onClose} />
    </Dialog>
  );
}
