import { type ReactNode, useState } from "react";
import { AddRow } from "../components/add-row.js";
import { SelectField } from "../components/fields.js";

/**
 * A select field with a button that adds the selected value. Without the button, arrow keys would add values while the
 * user browses.
 */
export function ChoiceButton({
  label,
  empty = "…",
  children,
  onAdd,
}: {
  readonly label: string;
  /** Text of the field while nothing is selected. */
  readonly empty?: string;
  readonly children: ReactNode;
  readonly onAdd: (chosen: string) => void;
}) {
  const [chosen, setChosen] = useState("");
  return (
    <AddRow
      label={label}
      onAdd={() => {
        onAdd(chosen);
        setChosen("");
      }}
    >
      <SelectField label={label} required value={chosen} onChoose={setChosen}>
        <option value="">{empty}</option>
        {children}
      </SelectField>
    </AddRow>
  );
}
