import { useWords } from "../i18n/words.js";
import { asciiDigits } from "./ascii-digits.js";
import { NumberField } from "./fields.js";

/** Above this number, the reader must type the number: unlike a fixed word, it can't become a habit. */
const MAX_UNTYPED = 20;

/** Returns whether the number was typed, if that is necessary. Digits of any script and separators are accepted. */
export function isCountConfirmed(count: number, typed: string): boolean {
  if (count <= MAX_UNTYPED) return true;
  return asciiDigits(typed).replace(/[\s.,'’٬]/g, "") === String(count);
}

/** Field to confirm a change by typing the number of affected items. */
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
  return <NumberField label={label} value={typed} onType={onType} />;
}
