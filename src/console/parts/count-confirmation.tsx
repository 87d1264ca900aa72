import { useWords } from "../reader/words.js";
import { NumberField } from "./number-field.js";

/** Above this number, the reader types the number: unlike a fixed word, it can't become a reflex. */
export const MAX_UNTYPED = 20;

/** Whether the number was typed, where it must be. Digits of any script and separators count. */
export function isCountConfirmed(count: number, typed: string): boolean {
  if (count <= MAX_UNTYPED) return true;
  const digits = [...typed.normalize("NFKC")]
    .map(toAsciiDigit)
    .join("")
    .replace(/[\s.,'’٬]/g, "");
  return digits === String(count);
}

/** Arabic-Indic and Persian digits, whose values follow their code points. */
function toAsciiDigit(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  for (const zero of [0x660, 0x6f0]) if (point >= zero && point <= zero + 9) return String(point - zero);
  return character;
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
  const label = parts.typeNumber.replace("{n}", String(count));
  return <NumberField label={label} typed={typed} onType={onType} />;
}
