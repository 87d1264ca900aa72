import type { ReactNode } from "react";
import { useWords } from "../i18n/words.js";
import { Button } from "./button.js";

/** A filter that narrows a list. Pressing it takes it away. */
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
  return (
    <li>
      <Button className="chip" aria-label={`${words.removeFilter}: ${label} ${value}`} onPress={onRemove}>
        {label}: <bdi>{value}</bdi> <span aria-hidden>×</span>
      </Button>
    </li>
  );
}
