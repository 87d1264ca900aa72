import { useWords } from "../i18n/words.js";
import { asciiDigits } from "./ascii-digits.js";
import { NumberField } from "./fields.js";

/** Above this number, the reader types the number: unlike a fixed word, it can't become a reflex. */
const MAX_UNTYPED = 20;

/** Whether the number was typed, where it must be. Digits of any script and separators count. */
export function isCountConfirmed(count: number, typed: string): boolean {
  if (count <= MAX_UNTYPED) return true;
  return asciiDigits(typed).replace(/[\s.,'’٬]/g, "") === String(count);
}

/** Asks for the number of what is about to change. */
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
