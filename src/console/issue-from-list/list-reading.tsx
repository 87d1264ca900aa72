import { gradeScales, readPercentage } from "../../text/tables/cell-values.js";
import { type Encoding, encodings } from "../../text/tables/decode-text.js";
import { type Delimiter, delimiters } from "../../text/tables/dialect.js";
import { CheckField, SelectField } from "../components/fields.js";
import { useChapter } from "../i18n/chapter.js";
import { useFormats } from "../i18n/words.js";
import { ColumnTable } from "./column-table.js";
import type { Choices } from "./given-list.js";
import { hasOnlyIds } from "./listed-learners.js";
import type { ReadList } from "./read-list.js";

/** Shows how a list was read, and lets that be changed. */
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
  const { encoding, sheets, sheet, table, columns, unclearGrade } = read;
  return (
    <section className="card padded panel">
      <h2>{words.readAs}</h2>
      <div className="choices">
        {sheets && (
          <SelectField label={words.sheet} value={sheet} onChoose={(name) => onChoose({ sheet: name })}>
            {sheets.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </SelectField>
        )}
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
        {table?.dialect && (
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
        )}
        {columns && (
          <CheckField
            label={words.hasHeadings}
            checked={columns.hasHeadings}
            onChoose={(hasHeadings) => onChoose({ hasHeadings })}
          />
        )}
      </div>
      {table && columns && <ColumnTable table={table} columns={columns} onChoose={onChoose} />}
      {columns && hasOnlyIds(columns) && (
        <CheckField
          label={words.knownById}
          help={words.knownByIdMeans}
          checked={choices.isKnownById ?? false}
          onChoose={(isKnownById) => onChoose({ isKnownById })}
        />
      )}
      {unclearGrade !== undefined && (
        <GradeScale grade={unclearGrade} chosen={choices.gradesAre} onChoose={onChoose} />
      )}
    </section>
  );
}

/** Asks what a number below 1 in the column of grades means: nothing is planned before. */
function GradeScale({
  grade,
  chosen,
  onChoose,
}: {
  readonly grade: string;
  readonly chosen: Choices["gradesAre"];
  readonly onChoose: (choices: Choices) => void;
}) {
  const words = useChapter("issuing").list;
  const { number } = useFormats();
  const percent = (scale: (typeof gradeScales)[number]) => `${number(readPercentage(grade, scale) ?? 0)} %`;
  return (
    <fieldset className="notice">
      <legend>{words.unclearGrades.replace("{grade}", grade)}</legend>
      {[...gradeScales].reverse().map((scale) => (
        <CheckField
          key={scale}
          type="radio"
          name="grade-scale"
          label={words.gradeMeans.replace("{grade}", grade).replace("{percent}", percent(scale))}
          checked={chosen === scale}
          onChoose={() => onChoose({ gradesAre: scale })}
        />
      ))}
    </fieldset>
  );
}
