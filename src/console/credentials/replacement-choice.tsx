import { useId } from "react";
import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
import { Status, shownStatusOf } from "../components/status.js";
import { useChapter, useFormats } from "../i18n/words.js";

/** Lists credentials to choose from. A credential that can't be chosen shows the reason. */
export function ReplacementChoice({
  rows,
  chosen,
  whyNot,
  onChoose,
}: {
  readonly rows: readonly Credential[];
  readonly chosen: Credential | undefined;
  readonly whyNot: (row: Credential) => string | undefined;
  readonly onChoose: (row: Credential) => void;
}) {
  const { found } = useChapter("replacement");
  const { day } = useFormats();
  const id = useId();
  return (
    <fieldset className="choice">
      <legend className="away-from-view">{found}</legend>
      {rows.map((row) => {
        const why = whyNot(row);
        const itsId = `${id}-${row.uuid}`;
        return (
          <div key={row.uuid} className="check" data-disabled={why !== undefined}>
            <input
              id={itsId}
              type="radio"
              name={id}
              disabled={why !== undefined}
              checked={chosen?.uuid === row.uuid}
              aria-describedby={`${itsId}-more`}
              onChange={() => onChoose(row)}
            />
            <div>
              <label htmlFor={itsId}>
                <bdi>{row.credentialType}</bdi> · <bdi>{row.userFullName || row.username}</bdi>
              </label>{" "}
              <Status of={shownStatusOf(row)} />
              <p id={`${itsId}-more`} className="small faint">
                <bdi>{row.learningContextName}</bdi>
                {row.createTime && ` · ${day(row.createTime)}`}
                {why && <span className="second">{why}</span>}
              </p>
            </div>
          </div>
        );
      })}
    </fieldset>
  );
}
