import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "../components/button.js";
import { CrossIcon } from "../components/icons.js";
import { useChapter } from "../i18n/words.js";

/** An option or an entry of an option, with a button that removes it. */
export function OptionRow({
  label,
  isNew,
  isReadOnly,
  onRemove,
  children,
}: {
  readonly label: string;
  /** Whether the reader has just added the row. Its field then gets the focus. */
  readonly isNew: boolean;
  readonly isReadOnly: boolean;
  readonly onRemove: () => void;
  readonly children: ReactNode;
}) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNew) container.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  }, [isNew]);
  return (
    <div className="option" ref={container}>
      {children}
      {!isReadOnly && <RemoveButton label={label} onPress={onRemove} />}
    </div>
  );
}

function RemoveButton({ label, onPress }: { readonly label: string; readonly onPress: () => void }) {
  const { removeOption } = useChapter("designing");
  return (
    <Button variant="quiet" aria-label={removeOption({ option: label })} onPress={onPress}>
      <CrossIcon />
    </Button>
  );
}
