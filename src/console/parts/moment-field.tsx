import { useId } from "react";

/** A field for a day and a time of day. */
export function MomentField({
  label,
  help,
  typed,
  onType,
}: {
  readonly label: string;
  readonly help: string;
  /** Such as `2026-11-23T06:00`; empty for none. */
  readonly typed: string;
  readonly onType: (text: string) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        max="9999-12-31T23:59"
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
