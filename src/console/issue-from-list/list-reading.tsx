import { type Encoding, encodings } from "../../text/tables/decode-text.js";
import { type Delimiter, delimiters } from "../../text/tables/dialect.js";
import type { Table } from "../../text/tables/read-table.js";
import { CheckField, SelectField } from "../components/fields.js";
import { useFormats, useWords } from "../i18n/words.js";
import { type ColumnMeaning, meanings } from "./column-headings.js";
import type { Choices } from "./given-list.js";
import { type Columns, rowsOfLearners } from "./guess-columns.js";

/** Rows by which a reader sees whether the columns are right. */
const SHOWN = 4;

/** Shows how a list was read, and lets that be changed. */
export function ListReading({
  table,
  columns,
  encoding,
  onChoose,
}: {
  readonly table: Table;
  readonly columns: Columns;
  /** Absent for what was pasted. */
  readonly encoding: Encoding | undefined;
  readonly onChoose: (choices: Choices) => void;
}) {
  const words = useWords().issuing.list;
  return (
    <section className="card padded panel">
      <h2>{words.readAs}</h2>
      <div className="choices">
        {encoding && (
          <SelectField
            label={words.encoding}
            value={encoding}
            onChoose={(value) => onChoose({ encoding: value as Encoding })}
          >
            {encodings.map((each) => (
              <option key={each} value={each}>
                {words.encodings[each]}
              </option>
            ))}
          </SelectField>
        )}
        <SelectField
          label={words.delimiter}
          value={table.dialect.delimiter}
          onChoose={(value) => onChoose({ delimiter: value as Delimiter })}
        >
          {delimiters.map((each) => (
            <option key={each} value={each}>
              {words.delimiters[each]}
            </option>
          ))}
        </SelectField>
        <CheckField
          label={words.hasHeadings}
          checked={columns.hasHeadings}
          onChoose={(hasHeadings) => onChoose({ hasHeadings })}
        />
      </div>
      <ColumnTable table={table} columns={columns} onChoose={onChoose} />
    </section>
  );
}

function ColumnTable({
  table,
  columns,
  onChoose,
}: {
  readonly table: Table;
  readonly columns: Columns;
  readonly onChoose: (choices: Choices) => void;
}) {
  const words = useWords().issuing.list;
  const { number } = useFormats();
  const rows = rowsOfLearners(table, columns);
  const headings = columns.hasHeadings ? table.rows[0]?.cells : undefined;
  const indexes = Array.from({ length: table.width }, (_, index) => index);

  function mean(index: number, meaning: ColumnMeaning | undefined) {
    const others = columns.meanings.map((each) => (each === meaning ? undefined : each));
    onChoose({ meanings: others.with(index, meaning) });
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
                <th key={index} scope="col">
                  <bdi>{headings?.[index] || words.column.replace("{n}", number(index + 1))}</bdi>
                  <select
                    aria-label={`${words.columns}: ${headings?.[index] || number(index + 1)}`}
                    value={columns.meanings[index] ?? ""}
                    onChange={({ currentTarget: { value } }) =>
                      mean(index, value === "" ? undefined : (value as ColumnMeaning))
                    }
                  >
                    <option value="">{words.meanings.ignored}</option>
                    {meanings.map((each) => (
                      <option key={each} value={each}>
                        {words.meanings[each]}
                      </option>
                    ))}
                  </select>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, SHOWN).map((row) => (
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
      <p className="small faint">{words.rows(rows.length)}</p>
    </>
  );
}
