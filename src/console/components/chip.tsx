import type { ReactNode } from "react";
import { useFormats, useWords } from "../i18n/words.js";
import { Button } from "./button.js";

/** An active filter of a list. Pressing the chip removes the filter. */
export function Chip({
  label,
  value,
  onRemove,
}: {
  readonly label: string;
  readonly value: ReactNode;
  readonly onRemove: () => void;
}) {
  const { credentials: words } = useWords();
  const { colon } = useFormats();
  return (
    <li>
      <Button
        className="chip"
        aria-label={`${words.removeFilter}${colon}${label} ${value}`}
        onPress={onRemove}
      >
        {label}
        {colon}
        <bdi>{value}</bdi> <span aria-hidden>×</span>
      </Button>
    </li>
  );
}
