import { shorten } from "#foundation/shorten.js";
import { gradeScales, readPercentage, type UnclearGrades } from "#foundation/text/tables/cell-values.js";
import { type Delimiter, delimiters } from "#foundation/text/tables/dialect.js";
import type { Row } from "#foundation/text/tables/table.js";
import { Button } from "../components/button.js";
import { CheckField, Options, SelectField } from "../components/fields.js";
import { dateLocale, language } from "../i18n/preferences.js";
import { useChapter, useFormats } from "../i18n/words.js";
import { useStore } from "../service/store.js";
import { ColumnTable } from "./column-table.js";
import { dayOrders, readDay } from "./days.js";
import { EncodingChoice, EncodingField } from "./encoding-fields.js";
import type { ColumnUse, GuessedColumns } from "./guess-columns.js";
import { hasOnlyIds } from "./listed-learners.js";
import type { ReadList } from "./read-list.js";
import type { Choices } from "./uploaded-list.js";

/** Shows how a list was understood, with fields to correct this. */
export function ListReading({
  read,
  choices,
  onChoose,
}: {
  readonly read: ReadList;
  readonly choices: Choices;
  readonly onChoose: (choices: Choices) => void;
}) {
  const words = useChapter("issuing").list;
  const { colon, number } = useFormats();
  const { encoding, readings, sheets, sheet, table, firstRows, columns, unclearGrades, unclearDay } = read;
  return (
    <section className="card padded panel">
      <h2>{words.readAs}</h2>
      <div className="choices">
        {sheets && (
          <SelectField label={words.sheet} value={sheet} onChoose={(name) => onChoose({ sheet: name })}>
            <Options of={sheets} />
          </SelectField>
        )}
        {encoding && !readings && (
          <EncodingField label={words.encoding} encoding={encoding} onChoose={onChoose} />
        )}
        {table?.dialect && (
          <SelectField
            label={words.delimiter}
            value={table.dialect.delimiter}
            onChoose={(value) => onChoose({ delimiter: value as Delimiter })}
          >
            <Options of={delimiters} nameOf={(each) => words.delimiters[each]} />
          </SelectField>
        )}
        {table && columns && firstRows && (
          <SelectField
            label={words.headingRow}
            value={columns.hasHeadings ? table.rows[0]?.number : 0}
            onChoose={(row) => onChoose({ headingRow: Number(row) })}
          >
            <option value={0}>{words.noHeadings}</option>
            {firstRows.map((row) => (
              <option key={row.number} value={row.number}>
                {`${number(row.number)}${colon}${beginningOf(row)}`}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      {readings && <EncodingChoice readings={readings} chosen={choices.encoding} onChoose={onChoose} />}
      {table && columns && <ColumnTable table={table} columns={columns} onChoose={onChoose} />}
      {columns && hasOnlyIds(columns) && (
        <CheckField
          label={words.knownById}
          help={words.knownByIdMeans}
          checked={choices.isKnownById ?? false}
          onChoose={(isKnownById) => onChoose({ isKnownById })}
        />
      )}
      {columns && unclearGrades && (
        <GradeScale
          unclear={unclearGrades}
          chosen={choices.gradesAre}
          onChoose={onChoose}
          onPrint={() => onChoose({ meanings: withGradesAsWritten(columns) })}
        />
      )}
      {unclearDay !== undefined && (
        <DayChoice day={unclearDay} chosen={choices.dayOrder} onChoose={onChoose} />
      )}
    </section>
  );
}

/** Number of characters to show of a row. */
const MAX_ROW_LENGTH = 40;

function beginningOf({ cells }: Row): string {
  return shorten(cells.filter((cell) => cell !== "").join(" · "), MAX_ROW_LENGTH);
}

function withGradesAsWritten({ meanings }: GuessedColumns) {
  const written = { grade: "letterGrade", letterGrade: undefined } as const;
  return meanings.map((each): ColumnUse | undefined =>
    each === "grade" || each === "letterGrade" ? written[each] : each,
  );
}

/** Asks what the numbers in the grade column mean. The service plans the list only after the answer. */
function GradeScale({
  unclear: { may, example },
  chosen,
  onChoose,
  onPrint,
}: {
  readonly unclear: UnclearGrades;
  readonly chosen: Choices["gradesAre"];
  readonly onChoose: (choices: Choices) => void;
  readonly onPrint: () => void;
}) {
  const words = useChapter("issuing").list;
  const { percent } = useFormats();
  const percentBy = (scale: (typeof gradeScales)[number]) =>
    percent((readPercentage(example, scale) ?? 0) / 100);
  const isFraction = may === "fractions";
  return (
    <fieldset className="notice">
      <legend>{(isFraction ? words.unclearGrades : words.unclearScale)({ grade: example })}</legend>
      {[...gradeScales]
        .reverse()
        .map(
          (scale) =>
            (isFraction || scale === "percentages") && (
              <CheckField
                key={scale}
                type="radio"
                name="grade-scale"
                label={words.gradeMeans({ grade: example, percent: percentBy(scale) })}
                checked={chosen === scale}
                onChoose={() => onChoose({ gradesAre: scale })}
              />
            ),
        )}
      <Button onPress={onPrint}>{words.otherScale}</Button>
    </fieldset>
  );
}

/** Asks which part of `03/04/2026` is the month. The service plans the list only after the answer. */
function DayChoice({
  day,
  chosen,
  onChoose,
}: {
  readonly day: string;
  readonly chosen: Choices["dayOrder"];
  readonly onChoose: (choices: Choices) => void;
}) {
  const words = useChapter("issuing").list;
  const tag = useStore(language);
  const inWords = new Intl.DateTimeFormat(dateLocale(tag), { dateStyle: "long", timeZone: "UTC" });
  return (
    <fieldset className="notice">
      <legend>{words.unclearDay({ day })}</legend>
      {dayOrders.map((order) => (
        <CheckField
          key={order}
          type="radio"
          name="day-order"
          label={inWords.format(Date.parse(readDay({ cells: [day] }, 0, order) ?? ""))}
          checked={chosen === order}
          onChoose={() => onChoose({ dayOrder: order })}
        />
      ))}
    </fieldset>
  );
}
