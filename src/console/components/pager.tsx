import { useNavigate, useSearch } from "@tanstack/react-router";
import { useWords } from "../i18n/words.js";
import { Button } from "./button.js";

/** Links to the next page and to the first. The browser's back button leads to the previous page. */
export function Pager({
  next,
  onTurn,
}: {
  /** Empty on the last page. */
  readonly next: string | undefined;
  readonly onTurn?: (() => void) | undefined;
}) {
  const { parts } = useWords();
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  if (!search.page && !next) return null;
  function turn(page: string | undefined) {
    onTurn?.();
    void navigate({ to: ".", search: { ...search, page } });
  }
  return (
    <div className="pager">
      {search.page && <Button onPress={() => turn(undefined)}>{parts.firstPage}</Button>}
      {next && <Button onPress={() => turn(next)}>{parts.nextPage}</Button>}
    </div>
  );
}
