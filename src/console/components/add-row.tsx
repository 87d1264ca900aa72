import { type KeyboardEvent, type ReactNode, type RefObject, useRef } from "react";
import { useChapter, useFormats } from "../i18n/words.js";
import { Button } from "./button.js";
import { isFilledIn } from "./missing-field.js";

/**
 * Fields for adding an entry, with a button. Enter in a text field does the same as the button. If a required field is
 * missing, it is marked and gets the focus.
 */
export function AddRow({
  row: givenRow,
  label,
  children,
  onAdd,
}: {
  /** For callers that move the focus here. */
  readonly row?: RefObject<HTMLDivElement | null>;
  /** Label of the entry, if the fields don't show what is added. */
  readonly label?: string;
  readonly children: ReactNode;
  readonly onAdd: () => void;
}) {
  const { addOption } = useChapter("designing");
  const { colon } = useFormats();
  const ownRow = useRef<HTMLDivElement>(null);
  const row = givenRow ?? ownRow;
  function add() {
    if (isFilledIn(row.current)) onAdd();
  }
  function addOnEnter(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement))
      return;
    event.preventDefault(); // otherwise, a form around the row would be submitted
    add();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the fields inside receive the keys
    <div className="add-option" ref={row} onKeyDown={addOnEnter}>
      {children}
      <Button aria-label={label && `${addOption}${colon}${label}`} onPress={add}>
        {addOption}
      </Button>
    </div>
  );
}
