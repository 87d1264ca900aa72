import type { JsonValue } from "@bufbuild/protobuf";
import { useId, useState } from "react";
import type { DesigningWording } from "../languages/en/designing.js";
import { Button } from "../parts/button.js";
import { CopyButton } from "../parts/copy-button.js";
import { ListTable } from "../parts/list-table.js";
import { differencesBetween, mergedFields, type Side } from "./merge-versions.js";
import type { Draft, EditedFields, Version } from "./version.js";

/** Two have changed the same since one of them began: both versions, and the choice. */
export function Conflict({
  draft,
  theirs,
  words,
  partName,
  onMerge,
}: {
  readonly draft: Draft;
  readonly theirs: Version;
  readonly words: DesigningWording;
  /** The name of a field; undefined for an option, which has the name that it has in JSON. */
  readonly partName: (path: string) => string | undefined;
  readonly onMerge: (fields: EditedFields) => void;
}) {
  const [choices, setChoices] = useState<Readonly<Record<string, Side>>>({});
  const differences = differencesBetween(draft, theirs);
  const isDecided = differences.every(({ path, changedBy }) => changedBy !== "both" || choices[path]);
  return (
    <section role="alert" className="notice notice-warn conflict">
      <p className="notice-heading">{words.conflict}</p>
      <p>{words.conflictMeans}</p>
      <ListTable caption={words.conflict} headings={[words.part, words.before, words.theirs, words.mine]}>
        {differences.map(({ path, before, changedBy, ...values }) => (
          <tr key={path}>
            <th scope="row">{partName(path) ?? <code dir="ltr">{path.replace(/^options\./, "")}</code>}</th>
            <td data-label={words.before}>
              <Value of={before} words={words} />
            </td>
            {(["theirs", "mine"] as const).map((side) => (
              <td key={side} data-label={words[side]}>
                <Choice
                  label={words[side]}
                  group={path}
                  isChosen={(changedBy === "both" ? choices[path] : changedBy) === side}
                  isFixed={changedBy !== "both"}
                  onChoose={() => setChoices({ ...choices, [path]: side })}
                />
                <Value of={values[side]} words={words} />
              </td>
            ))}
          </tr>
        ))}
      </ListTable>
      <div className="actions">
        <Button
          look="primary"
          isDisabled={!isDecided}
          onPress={() => onMerge(mergedFields(draft, theirs, (path) => choices[path] ?? "mine"))}
        >
          {words.merge}
        </Button>
        <CopyButton text={draft.fields.options} label={words.copyMine} />
      </div>
    </section>
  );
}

function Choice({
  label,
  group,
  isChosen,
  isFixed,
  onChoose,
}: {
  readonly label: string;
  readonly group: string;
  readonly isChosen: boolean;
  readonly isFixed: boolean;
  readonly onChoose: () => void;
}) {
  const id = useId();
  return (
    <div className="check">
      <input id={id} type="radio" name={group} checked={isChosen} disabled={isFixed} onChange={onChoose} />
      <label htmlFor={id}>{label}</label>
    </div>
  );
}

function Value({ of, words }: { readonly of: JsonValue | undefined; readonly words: DesigningWording }) {
  if (of === undefined) return <span className="faint">{words.absent}</span>;
  if (typeof of === "string") return <bdi>{of}</bdi>;
  return (
    <pre className="code-value" dir="ltr">
      {JSON.stringify(of, undefined, 2)}
    </pre>
  );
}
