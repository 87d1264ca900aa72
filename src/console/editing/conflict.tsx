import type { JsonObject } from "@bufbuild/protobuf";
import { useRef, useState } from "react";
import { mergeOptions } from "#foundation/text/merge-options.js";
import { Button } from "../components/button.js";
import { CopyButton } from "../components/copy-button.js";
import { CheckField } from "../components/fields.js";
import { ListTable } from "../components/list-table.js";
import { isFilledIn } from "../components/missing-field.js";
import { useChapter } from "../i18n/words.js";
import { optionsIn } from "../options/read-options.js";
import { differencesBetween, mergedFields, type Side, type ValuePath } from "./merge-versions.js";
import { useValueWords } from "./use-value-words.js";
import type { Draft, EditedFields, Version } from "./version.js";

type Differences = ReturnType<typeof differencesBetween>;
type Choices = Readonly<Record<string, Side>>;

/**
 * Shown if someone else has changed the object since editing began. Lets the user choose where both have changed the same
 * value, and lists the other changes.
 */
export function Conflict({
  draft,
  theirs,
  inherited = {},
  partName,
  onMerge,
}: {
  readonly draft: Draft;
  readonly theirs: Version;
  /** The options of the type, if a configuration is edited. */
  readonly inherited: JsonObject | undefined;
  /** Returns the label of a field; undefined for an option. */
  readonly partName: (path: string) => string | undefined;
  readonly onMerge: (fields: EditedFields) => void;
}) {
  const words = useChapter("designing");
  const [choices, setChoices] = useState<Choices>({});
  const section = useRef<HTMLElement>(null);
  const options = [theirs, draft].map(({ fields }) => optionsIn(fields.options));
  const wording = useValueWords(options.reduce(mergeOptions, inherited), partName);
  const differences = differencesBetween(draft, theirs);
  const clashes = differences.filter(({ changedBy }) => changedBy === "both");
  const others = differences.filter(({ changedBy }) => changedBy !== "both");
  const otherChanges = words.otherChanges({ count: others.length });
  return (
    <section role="alert" className="notice notice-warn conflict" ref={section}>
      <p className="notice-heading">{words.conflict}</p>
      <p>{words.conflictMeans}</p>
      {clashes.length > 0 && (
        <DifferenceTable
          caption={words.conflict}
          differences={clashes}
          wording={wording}
          choices={choices}
          onChoose={(key, side) => setChoices({ ...choices, [key]: side })}
        />
      )}
      {others.length > 0 && (
        <details>
          <summary>{otherChanges}</summary>
          <DifferenceTable caption={otherChanges} differences={others} wording={wording} />
        </details>
      )}
      <div className="actions">
        <Button
          variant="primary"
          onPress={() =>
            isFilledIn(section.current) &&
            onMerge(mergedFields(draft, theirs, (path) => choices[keyOf(path)] ?? "mine"))
          }
        >
          {words.merge}
        </Button>
        <CopyButton text={draft.fields.options} label={words.copyMine} />
      </div>
    </section>
  );
}

function keyOf(path: ValuePath): string {
  return JSON.stringify(path);
}

/** Lists values in three versions. Lets the user choose between two of them if `onChoose` is set. */
function DifferenceTable({
  caption,
  differences,
  wording,
  choices = {},
  onChoose,
}: {
  readonly caption: string;
  readonly differences: Differences;
  readonly wording: ReturnType<typeof useValueWords>;
  readonly choices?: Choices;
  readonly onChoose?: (key: string, side: Side) => void;
}) {
  const words = useChapter("designing");
  return (
    <ListTable caption={caption} headings={[words.part, words.before, words.theirs, words.mine]}>
      {differences.map(({ path, ...values }) => (
        <tr key={keyOf(path)}>
          <th scope="row">
            <bdi>{wording.nameOf(path)}</bdi>
          </th>
          {(["before", "theirs", "mine"] as const).map((version) => (
            <td key={version} data-label={words[version]}>
              {onChoose && version !== "before" && (
                <CheckField
                  type="radio"
                  name={keyOf(path)}
                  label={words[version]}
                  isGroup
                  required={version === "theirs" && !choices[keyOf(path)]}
                  checked={choices[keyOf(path)] === version}
                  onChoose={() => onChoose(keyOf(path), version)}
                />
              )}
              {wording.linesOf(path, values[version]).map((line) => (
                <div key={line}>
                  <bdi>{line}</bdi>
                </div>
              ))}
            </td>
          ))}
        </tr>
      ))}
    </ListTable>
  );
}
