import { type LanguageTag, languages } from "#foundation/languages/list.js";
import { MAX_LISTED_LEARNERS } from "#foundation/limits.js";
import { storedCell, type UnclearGrades, unclearGrades } from "#foundation/text/tables/cell-values.js";
import { rowOfHeadings } from "#foundation/text/tables/column-headings.js";
import {
  detectEncoding,
  faultOfText,
  nonTextKindOf,
  type Reading,
  readingsOf,
} from "#foundation/text/tables/decode-text.js";
import type { Encoding } from "#foundation/text/tables/encodings.js";
import {
  type FileFault,
  type ReadTableFile,
  readTableBytes,
} from "#foundation/text/tables/file/read-table-bytes.js";
import { readTable } from "#foundation/text/tables/read-table.js";
import { from, MAX_ROWS_ABOVE, type Row, type Table } from "#foundation/text/tables/table.js";
import { orderOfDays } from "./days.js";
import { type GuessedColumns, guessColumns, rowsOfLearners } from "./guess-columns.js";
import { hasOnlyIds, type List, listLearners } from "./listed-learners.js";
import { storedMeanings } from "./stored-columns.js";
import { type Choices, MAX_LIST_BYTES, type UploadedList } from "./uploaded-list.js";

/** Maximum unpacked size of a workbook. A workbook with the maximum number of rows and 200 columns has half of this. */
const MAX_UNPACKED = 100 * 1024 * 1024;

export interface ReadFault extends Omit<FileFault, "fault"> {
  readonly fault: Exclude<FileFault["fault"], "noSheet"> | "tooLarge" | "noColumn";
}

/** The result of reading a source. After a fault, or while the reader must decide something, some parts are missing. */
export interface ReadList {
  readonly encoding?: Encoding;
  /** Possible encodings of a file that is neither UTF-8 nor UTF-16. The reader selects one. */
  readonly readings?: readonly Reading[];
  /** The sheets of a workbook, and the sheet that was read. */
  readonly sheets?: readonly string[];
  readonly sheet?: string;
  /** The table without the rows above the headings. */
  readonly table?: Table;
  /** Rows that may be the heading row. */
  readonly firstRows?: readonly Row[];
  readonly columns?: GuessedColumns;
  /** Set if it is unclear whether grades are percentages. The reader must decide. */
  readonly unclearGrades?: UnclearGrades;
  /** A date in which either part may be the month. The reader must decide. */
  readonly unclearDay?: string;
  /** undefined while it is unclear how to read the source. */
  readonly list?: List;
  readonly fault?: ReadFault;
}

/**
 * Reads a list. If the list has a fault or the reader has to decide something first, returns only a part of the result.
 * @param language determines the order of the encodings
 */
export function readList({ source, choices }: UploadedList, language: LanguageTag): ReadList {
  if (source.kind === "text") {
    const fault = faultOfText(source.text);
    if (fault) return { fault: { fault } };
    const table = readTable(source.text, { most: MAX_LISTED_LEARNERS, delimiter: choices.delimiter });
    return "fault" in table ? { fault: table } : readRows(table, choices);
  }
  const { bytes } = source;
  if (bytes.length > MAX_LIST_BYTES) return { fault: { fault: "tooLarge" } };
  const { table, fault, ...file } = readFile(bytes, choices);
  const needsReading =
    fault?.fault === "unknownEncoding" || fault?.fault === "wrongEncoding" || needsEncoding(bytes);
  const readings = needsReading ? { readings: readingsOf(bytes, languages[language].codePage) } : {};
  if (table) return { ...file, ...readings, ...readRows(table, choices) };
  return {
    ...file,
    ...readings,
    ...(fault && { fault: { ...fault, fault: fault.fault === "noSheet" ? "empty" : fault.fault } }),
  };
}

function needsEncoding(bytes: Uint8Array): boolean {
  return nonTextKindOf(bytes) === undefined && detectEncoding(bytes) === undefined;
}

/** Files that were read. A change of the meanings of columns doesn't require reading the file again. */
const read = new WeakMap<Uint8Array, { readonly choicesKey: string; readonly file: ReadTableFile }>();

function readFile(bytes: Uint8Array, { sheet, encoding, delimiter }: Choices): ReadTableFile {
  const choicesKey = JSON.stringify([sheet, encoding, delimiter]);
  const cached = read.get(bytes);
  if (cached?.choicesKey === choicesKey) return cached.file;
  const file = readTableBytes(bytes, {
    sheet,
    encoding,
    delimiter,
    most: MAX_LISTED_LEARNERS,
    maxBytes: MAX_UNPACKED,
  });
  read.set(bytes, { choicesKey, file });
  return file;
}

function readRows(fullTable: Table, choices: Choices): ReadList {
  const { headingRow, meanings, gradesAre, dayOrder, isKnownById } = choices;
  const firstRows = fullTable.rows.slice(0, MAX_ROWS_ABOVE);
  const chosenRow = firstRows.findIndex(({ number }) => number === headingRow);
  const first = headingRow === undefined ? rowOfHeadings(fullTable.rows) : Math.max(0, chosenRow);
  const rows = fullTable.rows.slice(first);
  const guessed = guessColumns({ ...fullTable, rows }, headingRow === undefined ? undefined : headingRow > 0);
  const table = from(fullTable, first, { most: MAX_LISTED_LEARNERS, hasHeadings: guessed.hasHeadings });
  if ("fault" in table) return { fault: table };
  const chosen = meanings ?? (guessed.hasHeadings ? storedMeanings(table.rows[0]?.cells ?? []) : undefined);
  const columns = { ...guessed, ...(chosen && { meanings: chosen.map((each) => each ?? undefined) }) };
  const found = { table, firstRows, columns };
  const isIdentified = columns.meanings.includes("username") || (hasOnlyIds(columns) && isKnownById);
  if (!isIdentified) return { ...found, fault: { fault: "noColumn" } };

  const learners = rowsOfLearners(table, columns).rows;
  const grade = columns.meanings.indexOf("grade");
  const unclear = unclearGrades(learners.map((row) => storedCell(row, grade)));
  const awardDate = columns.meanings.indexOf("awardDate");
  const written = learners.flatMap(({ cells, days }) => (days?.[awardDate] ? [] : (cells[awardDate] ?? [])));
  const { order, unclear: unclearDay } = orderOfDays(written);
  const isClear = (!unclear || gradesAre) && (unclearDay === undefined || dayOrder);
  return {
    ...found,
    ...(unclear && { unclearGrades: unclear }),
    ...(unclearDay !== undefined && { unclearDay }),
    ...(isClear && { list: listLearners(table, columns, { gradesAre, dayOrder: order ?? dayOrder }) }),
  };
}
