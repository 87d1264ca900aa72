import { useWords } from "../reader/words.js";
import { Button } from "./button.js";

/** Leads to the next page, and back to the first. The browser's own way back leads to the previous one. */
export function Pager({
  isFirst,
  next,
  onTurn,
}: {
  readonly isFirst: boolean;
  /** Token of the next page; empty on the last one. */
  readonly next: string | undefined;
  readonly onTurn: (page: string | undefined) => void;
}) {
  const { parts } = useWords();
  if (isFirst && !next) return null;
  return (
    <div className="pager">
      {!isFirst && <Button onPress={() => onTurn(undefined)}>{parts.firstPage}</Button>}
      {next && <Button onPress={() => onTurn(next)}>{parts.nextPage}</Button>}
    </div>
  );
}
