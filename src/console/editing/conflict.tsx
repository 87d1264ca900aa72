import type { JsonValue } from "@bufbuild/protobuf";
import { useRef, useState } from "react";
import { Button } from "../components/button.js";
import { CopyButton } from "../components/copy-button.js";
import { CheckField } from "../components/fields.js";
import { ListTable } from "../components/list-table.js";
import { isFilledIn } from "../components/missing-field.js";
import { useChapter } from "../i18n/words.js";
import { differencesBetween, mergedFields, type Side } from "./merge-versions.js";
import type { Draft, EditedFields, Version } from "./version.js";

/**
 * Shown if someone else has changed the object since editing began. Compares both versions and lets the user choose.
 */
export function Conflict({
  draft,
  theirs,
  partName,
  onMerge,
}: {
  readonly draft: Draft;
  readonly theirs: Version;
  /** Returns the label of a field; undefined for an option, which is shown by its name in JSON. */
  readonly partName: (path: string) => string | undefined;
  readonly onMerge: (fields: EditedFields) => void;
}) {
  const words = useChapter("designing");
  const [choices, setChoices] = useState<Readonly<Record<string, Side>>>({});
  const differences = differencesBetween(draft, theirs);
  const section = useRef<HTMLElement>(null);
  return (
    <section role="alert" className="notice notice-warn conflict" ref={section}>
      <p className="notice-heading">{words.conflict}</p>
      <p>{words.conflictMeans}</p>
      <ListTable caption={words.conflict} headings={[words.part, words.before, words.theirs, words.mine]}>
        {differences.map(({ path, before, changedBy, ...values }) => (
          <tr key={path}>
            <th scope="row">{partName(path) ?? <code dir="ltr">{path.replace(/^options\./, "")}</code>}</th>
            <td data-label={words.before}>
              <Value of={before} />
            </td>
            {(["theirs", "mine"] as const).map((side) => (
              <td key={side} data-label={words[side]}>
                <CheckField
                  type="radio"
                  name={path}
                  label={words[side]}
                  isGroup
                  required={side === "theirs" && changedBy === "both" && !choices[path]}
                  checked={(changedBy === "both" ? choices[path] : changedBy) === side}
                  disabled={changedBy !== "both"}
                  onChoose={() => setChoices({ ...choices, [path]: side })}
                />
                <Value of={values[side]} />
              </td>
            ))}
          </tr>
        ))}
      </ListTable>
      <div className="actions">
        <Button
          variant="primary"
          onPress={() =>
            isFilledIn(section.current) &&
            onMerge(mergedFields(draft, theirs, (path) => choices[path] ?? "mine"))
          }
        >
          {words.merge}
        </Button>
        <CopyButton text={draft.fields.options} label={words.copyMine} />
      </div>
    </section>
  );
}

function Value({ of }: { readonly of: JsonValue | undefined }) {
  const words = useChapter("designing");
  if (of === undefined) return <span className="faint">{words.absent}</span>;
  if (typeof of === "string") return <bdi>{of}</bdi>;
  return (
    <pre className="code-value" dir="ltr">
      {JSON.stringify(of, undefined, 2)}
    </pre>
  );
}
