import { Link } from "@tanstack/react-router";
import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
import { lazily } from "../components/lazily.js";
import { ListTable } from "../components/list-table.js";
import { Status, shownStatusOf } from "../components/status.js";
import { useFormats, useWords } from "../i18n/words.js";

const ReviewMark = lazily(() => import("./review-mark.js"), "ReviewMark");

export function CredentialTable({
  rows,
  chosen,
  onChoose,
  isStale = false,
}: {
  readonly rows: readonly Credential[];
  readonly chosen?: ReadonlyMap<string, Credential>;
  /** undefined if nothing can be selected. */
  readonly onChoose?: (chosen: ReadonlyMap<string, Credential>) => void;
  /** Whether the next page is loading. */
  readonly isStale?: boolean;
}) {
  const { credentials: words, shell } = useWords();
  const { day } = useFormats();
  const areAllChosen = rows.every((row) => chosen?.has(row.uuid));

  function toggle(row: Credential) {
    const next = new Map(chosen);
    if (!next.delete(row.uuid)) next.set(row.uuid, row);
    onChoose?.(next);
  }
  function toggleAll() {
    onChoose?.(new Map(areAllChosen ? [] : rows.map((row) => [row.uuid, row])));
  }

  const selectPage = (
    <input type="checkbox" aria-label={words.selectPage} checked={areAllChosen} onChange={toggleAll} />
  );
  return (
    <ListTable
      caption={shell.credentials}
      headings={[
        ...(onChoose ? [{ control: selectPage }] : []),
        words.learner,
        words.context,
        words.status,
        words.issued,
      ]}
      isStale={isStale}
    >
      {rows.map((row) => (
        <tr key={row.uuid} data-chosen={chosen?.has(row.uuid)}>
          {onChoose && (
            <td className="narrow">
              <input
                type="checkbox"
                aria-label={words.selectOne({ name: row.userFullName || row.username })}
                checked={chosen?.has(row.uuid) ?? false}
                onChange={() => toggle(row)}
              />
            </td>
          )}
          <td className="main-cell">
            <Link to="/credentials/$uuid" params={{ uuid: row.uuid }} className="row-link">
              <bdi>{row.userFullName || words.erasedName}</bdi>
            </Link>
            <span className="second">
              <bdi>{row.username}</bdi>
            </span>
          </td>
          <td>
            <bdi>{row.learningContextName}</bdi>
            <span className="second">
              <bdi>{row.credentialType}</bdi>
            </span>
          </td>
          <td>
            <Status of={shownStatusOf(row)} /> {row.needsReview && <ReviewMark />}
          </td>
          <td className="date">{row.createTime && day(row.createTime)}</td>
        </tr>
      ))}
    </ListTable>
  );
}
