import { useWords } from "../i18n/words.js";
import { asciiDigits } from "./ascii-digits.js";
import { NumberField } from "./fields.js";

/**
 * To change more objects than this, users must type the number of objects as confirmation. Typing a fixed word could
 * become a habit.
 */
const MAX_UNTYPED = 20;

/** Returns whether the number was typed, if that is necessary. Accepts separators, and digits of any script. */
function isCountConfirmed(count: number, typed: string): boolean {
  if (count <= MAX_UNTYPED) return true;
  return asciiDigits(typed).replace(/[\s.,'’٬]/g, "") === String(count);
}

export function CountConfirmation({
  count,
  typed,
  onType,
}: {
  readonly count: number;
  readonly typed: string;
  readonly onType: (text: string) => void;
}) {
  const { parts } = useWords();
  if (count <= MAX_UNTYPED) return null;
  const label = parts.typeNumber({ n: String(count) });
  return (
    <NumberField
      label={label}
      value={typed}
      wrong={isCountConfirmed(count, typed) ? undefined : label}
      onType={onType}
    />
  );
}
