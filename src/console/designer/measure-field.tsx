import { useState } from "react";
import { TextField } from "../components/fields.js";
import { readNumber } from "../options/typed-value.js";

/**
 * A number field. It applies its value on Enter or when it loses the focus. The arrow keys change the value by one
 * immediately.
 */
export function MeasureField({
  label,
  shown,
  isReadOnly,
  onMeasure,
}: {
  readonly label: string;
  /** The value in digits of the reader's language. */
  readonly shown: string;
  readonly isReadOnly: boolean;
  readonly onMeasure: (value: number | undefined) => void;
}) {
  const [typed, setTyped] = useState<string>();
  function done(step = 0) {
    if (typed === undefined && step === 0) return;
    const text = typed ?? shown;
    const value = text.trim() === "" ? undefined : readNumber(text);
    setTyped(undefined);
    if (typeof value !== "string" && (text !== shown || step !== 0))
      onMeasure(value === undefined ? value : value + step);
  }
  return (
    <TextField
      className="field-measure"
      label={label}
      inputMode="decimal"
      dir="auto"
      value={typed ?? shown}
      readOnly={isReadOnly}
      onType={setTyped}
      onBlur={() => done()}
      onKeyDown={(event) => {
        if (event.key === "Enter") {
          event.preventDefault(); // Enter must not submit the surrounding form
          done();
        } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
          event.preventDefault();
          done(event.key === "ArrowUp" ? 1 : -1);
        }
      }}
    />
  );
}
