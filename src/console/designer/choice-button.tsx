import { type ReactNode, useState } from "react";
import { Button } from "../components/button.js";
import { SelectField } from "../components/fields.js";
import { useChapter } from "../i18n/chapter.js";

/** A choice, and the button that adds what is chosen: arrow keys go through choices, and must not take each. */
export function ChoiceButton({
  label,
  empty = "…",
  children,
  onAdd,
}: {
  readonly label: string;
  /** What stands there as long as nothing is chosen. */
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
