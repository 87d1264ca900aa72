import { Button } from "../components/button.js";
import { useChapter } from "../i18n/words.js";
import type { CredentialSearch } from "./credential-search.js";

/** Buttons for common periods. Days are in UTC, as in the fields. */
export function DatePresets({
  onChoose,
}: {
  readonly onChoose: (chosen: Pick<CredentialSearch, "from" | "to" | "review">) => void;
}) {
  const words = useChapter("finding");
  const trees = useChapter("trees");
  const now = new Date();
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const presets = [
    [words.thisMonth, day(year, month, 1), undefined],
    [words.lastMonth, day(year, month - 1, 1), day(year, month, 0)],
    [words.thisYear, day(year, 0, 1), undefined],
  ] as const;
  return (
    <fieldset className="actions filter-presets">
      <legend className="away-from-view">{words.presets}</legend>
      {presets.map(([label, from, to]) => (
        <Button key={label} variant="quiet" onPress={() => onChoose({ from, to })}>
          {label}
        </Button>
      ))}
      <Button variant="quiet" onPress={() => onChoose({ review: "yes" })}>
        {trees.needsReview}
      </Button>
    </fieldset>
  );
}

function day(year: number, month: number, date: number): string {
  return new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10);
}
