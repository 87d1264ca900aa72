import { type ComponentProps, useId } from "react";

/** A field with a line of help below it. Its other properties are those of the input. */
export function HelpedField({
  label,
  help,
  typed,
  onType,
  ...input
}: {
  readonly label: string;
  readonly help: string;
  readonly typed: string;
  readonly onType: (text: string) => void;
} & ComponentProps<"input">) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        value={typed}
        aria-describedby={`${id}-help`}
        onChange={({ currentTarget: { value } }) => onType(value)}
      />
      <p id={`${id}-help`} className="small faint">
        {help}
      </p>
    </div>
  );
}
