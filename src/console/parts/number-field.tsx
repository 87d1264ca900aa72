import { useId } from "react";

/** A short field for a number. It takes any text, so that its reader can judge digits of all scripts. */
export function NumberField({
  label,
  typed,
  onType,
}: {
  readonly label: string;
  readonly typed: string;
  readonly onType: (text: string) => void;
}) {
  const id = useId();
  return (
    <div className="field field-short">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        onChange={({ currentTarget: { value } }) => onType(value)}
      />
    </div>
  );
}
