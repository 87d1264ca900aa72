import { useState } from "react";
import { groupBy } from "#foundation/group-by.js";
import { Button } from "../components/button.js";
import { ListTable } from "../components/list-table.js";
import { useChapter, useFormats, useWords } from "../i18n/words.js";
import { type JudgedRow, rowKeyOf } from "./judged-rows.js";
import { useOutcomeWords } from "./outcome-words.js";

const PAGE = 100;

/** The outcome of each row. At first, shows only rows that get no credential. */
export function ListJudgement({ rows }: { readonly rows: readonly JudgedRow[] }) {
  const { credentials } = useWords();
  const issuing = useChapter("issuing");
  const { number } = useFormats();
  const outcomeWords = useOutcomeWords();
  const words = issuing.list;
  const [shownKey, setShownKey] = useState<string>();
  const [shown, setShown] = useState(PAGE);

  const groups = groupBy(rows, ({ outcome }) => rowKeyOf(outcome));
  const notReady = rows.filter(({ outcome }) => outcome.kind !== "ready");
  const chosen =
    (shownKey === undefined ? undefined : groups.get(shownKey)) ?? (notReady.length > 0 ? notReady : rows);

  return (
    <section className="card padded panel">
      <h2>{words.judged}</h2>
      <ul className="outcomes" aria-label={words.show}>
        {[...groups].map(([key, [first, ...others]]) => (
          <li key={key}>
            <button
              type="button"
              className="outcome"
              data-ready={first?.outcome.kind === "ready"}
              aria-pressed={shownKey === key}
              onClick={() => {
                setShownKey(shownKey === key ? undefined : key);
                setShown(PAGE);
              }}
            >
              <span>{first && outcomeWords.group(first.outcome)}</span>
              <strong>{number(others.length + 1)}</strong>
            </button>
          </li>
        ))}
      </ul>
      <ListTable
        caption={words.judged}
        headings={[{ amount: words.row }, credentials.learner, words.outcome]}
      >
        {chosen.slice(0, shown).map((row) => (
          <tr key={row.learner.row}>
            <td className="amount">{number(row.learner.row)}</td>
            <td>
              <bdi>{row.learner.username || row.learner.email}</bdi>{" "}
              {row.learner.fullName && <bdi className="faint">{row.learner.fullName}</bdi>}
            </td>
            <td>
              {outcomeWords.row(row.outcome)}
              {row.detail && (
                <div className="small faint" lang="en" dir="ltr">
                  {row.detail}
                </div>
              )}
            </td>
          </tr>
        ))}
      </ListTable>
      {chosen.length > shown && (
        <Button onPress={() => setShown(shown + PAGE)}>
          {words.more({ count: Math.min(PAGE, chosen.length - shown) })}
        </Button>
      )}
    </section>
  );
}
