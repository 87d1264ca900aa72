import { type ReactNode, useRef } from "react";
import { useChapter } from "../i18n/words.js";
import { Button } from "./button.js";
import { isFilledIn } from "./missing-field.js";

/** Fields for adding an entry, with a button. If a required field is missing, pressing the button marks and focuses it. */
export function AddRow({
  label,
  children,
  onAdd,
}: {
  /** Label of the entry, if the fields don't show what is added. */
  readonly label?: string;
  readonly children: ReactNode;
  readonly onAdd: () => void;
}) {
  const { addOption } = useChapter("designing");
  const row = useRef<HTMLDivElement>(null);
  return (
    <div className="add-option" ref={row}>
      {children}
      <Button
        aria-label={label && `${addOption}: ${label}`}
        onPress={() => isFilledIn(row.current) && onAdd()}
      >
        {addOption}
      </Button>
    </div>
  );
}
