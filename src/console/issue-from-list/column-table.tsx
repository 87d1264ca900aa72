import { MAX_ATTRIBUTE_KEY } from "#foundation/limits.js";
import { isAttributeKey } from "#foundation/text/attribute-key.js";
import { meanings } from "#foundation/text/tables/column-headings.js";
import type { Table } from "#foundation/text/tables/table.js";
import { Options } from "../components/fields.js";
import { useChapter, useFormats } from "../i18n/words.js";
import { attributeKey } from "./attribute-key.js";
import { type ColumnUse, type GuessedColumns, rowsOfLearners } from "./guess-columns.js";
import { storeMeanings } from "./stored-columns.js";
import type { Choices } from "./uploaded-list.js";

/** Number of rows that readers see to check the meanings of the columns. */
const SAMPLE_ROWS = 4;

const ATTRIBUTE = "attribute.";

/** Columns whose values override the learner's records on the credential. */
const facts: ReadonlySet<ColumnUse> = new Set<ColumnUse>([
  "learnerId",
  "grade",
  "letterGrade",
  "passed",
  "hours",
  "awardDate",
]);

export function ColumnTable({
  table,
  columns,
  onChoose,
}: {
  readonly table: Table;
  readonly columns: GuessedColumns;
  readonly onChoose: (choices: Choices) => void;
}) {
  const words = useChapter("issuing").list;
  const { number } = useFormats();
  const { rows } = rowsOfLearners(table, columns);
  const headings = columns.hasHeadings ? (table.rows[0]?.cells ?? []) : undefined;
  const indexes = Array.from({ length: table.width }, (_, index) => index);
  const nameOf = (index: number) => headings?.[index] || words.column({ n: index + 1 });

  function use(index: number, meaning: ColumnUse | undefined) {
    const others = columns.meanings.map((each) => (each === meaning ? undefined : each));
    const chosen = indexes.map((each) => (each === index ? meaning : others[each]));
    if (headings) storeMeanings(table.rows[0]?.cells ?? [], chosen.slice(0, headings.length));
    onChoose({ meanings: chosen });
  }
  function choose(index: number, value: string) {
    if (value !== ATTRIBUTE) return use(index, value === "" ? undefined : (value as ColumnUse));
    const taken = columns.meanings.flatMap((each) => each ?? []);
    return use(index, `${ATTRIBUTE}${attributeKey(headings?.[index] ?? "", index, taken)}`);
  }
  return (
    <>
      <h3>{words.columns}</h3>
      <div className="table-frame">
        <table className="columns">
          <thead>
            <tr>
              <th scope="col" className="amount">
                {words.row}
              </th>
              {indexes.map((index) => (
                <ColumnHeading
                  key={index}
                  name={nameOf(index)}
                  meaning={columns.meanings[index]}
                  onChoose={(value) => choose(index, value)}
                  onAttribute={(key) => use(index, key)}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, SAMPLE_ROWS).map((row) => (
              <tr key={row.number}>
                <td className="amount">{number(row.number)}</td>
                {indexes.map((index) => (
                  <td key={index} data-used={columns.meanings[index] !== undefined}>
                    <bdi>{row.cells[index]}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="small faint">{words.rows({ count: rows.length })}</p>
      {columns.meanings.some((each) => each && (facts.has(each) || each.startsWith(ATTRIBUTE))) && (
        <p className="small faint">{words.factsMean}</p>
      )}
      {columns.meanings.some((each) => each?.startsWith(ATTRIBUTE)) && (
        <p className="small faint">{words.attributeKeyMeans}</p>
      )}
    </>
  );
}

function ColumnHeading({
  name,
  meaning = "",
  onChoose,
  onAttribute,
}: {
  readonly name: string;
  readonly meaning: ColumnUse | "" | undefined;
  readonly onChoose: (value: string) => void;
  readonly onAttribute: (attribute: ColumnUse) => void;
}) {
  const words = useChapter("issuing").list;
  const { colon } = useFormats();
  const isAttribute = meaning.startsWith(ATTRIBUTE);
  return (
    <th scope="col">
      <bdi>{name}</bdi>
      <select
        aria-label={`${words.columns}${colon}${name}`}
        value={isAttribute ? ATTRIBUTE : meaning}
        onChange={({ currentTarget: { value } }) => onChoose(value)}
      >
        <option value="">{words.meanings.ignored}</option>
        <Options of={meanings} nameOf={(each) => words.meanings[each]} />
        <option value={ATTRIBUTE}>{words.meanings.attribute}</option>
      </select>
      {isAttribute && (
        <input
          key={meaning}
          aria-label={`${words.attributeKey}${colon}${name}`}
          title={words.attributeKeyMeans}
          dir="ltr"
          pattern="[a-z][a-z0-9_]*"
          maxLength={MAX_ATTRIBUTE_KEY}
          autoComplete="off"
          spellCheck={false}
          defaultValue={meaning.slice(ATTRIBUTE.length)}
          onBlur={({ currentTarget: { value } }) => {
            const key = `${ATTRIBUTE}${value.trim()}` as const;
            if (isAttributeKey(value.trim()) && key !== meaning) onAttribute(key);
          }}
        />
      )}
    </th>
  );
}
