import { type ReactNode, useState } from "react";
import { Button } from "../components/button.js";
import { SelectField } from "../components/fields.js";
import { useChapter } from "../i18n/chapter.js";

/**
 * A select field with a button that adds the selection. Arrow keys move through the options, so selecting alone must
 * not add anything.
 */
export function ChoiceButton({
  label,
  empty = "…",
  children,
  onAdd,
}: {
  readonly label: string;
  /** Shown while nothing is selected. */
  readonly empty?: string;
  readonly children: ReactNode;
  readonly onAdd: (chosen: string) => void;
}) {
  const { addOption } = useChapter("designing");
  const [chosen, setChosen] = useState("");
  return (
    <div className="add-option">
      <SelectField label={label} value={chosen} onChoose={setChosen}>
        <option value="">{empty}</option>
        {children}
      </SelectField>
      <Button
        aria-label={`${addOption}: ${label}`}
        isDisabled={chosen === ""}
        onPress={() => {
          onAdd(chosen);
          setChosen("");
        }}
      >
        {addOption}
      </Button>
    </div>
  );
}
