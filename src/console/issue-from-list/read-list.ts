import { type LanguageTag, languages } from "../../languages/list.js";
import { isNoGrade, likelyFraction } from "../../text/tables/cell-values.js";
import {
  decodeText,
  type Encoding,
  guessEncoding,
  type NoText,
  noTextOf,
} from "../../text/tables/decode-text.js";
import { readTable } from "../../text/tables/read-table.js";
import type { NoTable, Table } from "../../text/tables/table.js";
import { type NoWorkbook, readWorkbook } from "../../text/tables/workbook/read-workbook.js";
import type { Choices, GivenList } from "./given-list.js";
import { type Columns, guessColumns, rowsOfLearners } from "./guess-columns.js";
import { keptMeanings } from "./kept-columns.js";
import { hasOnlyIds, type List, listLearners } from "./listed-learners.js";

/** Maximum number of rows of a list, its row of headings not counted. */
const MOST_ROWS = 5000;
/** A file with as many rows has some hundred kilobytes. */
const MOST_BYTES = 5 * 1024 * 1024;
/** That a workbook may unpack to: as many rows of 200 columns have half of it. */
const MOST_UNPACKED = 100 * 1024 * 1024;

/** Why a list can't be read. */
export interface ReadFault extends Omit<NoTable, "fault"> {
  readonly fault:
    | NoTable["fault"]
    | Exclude<NoText, "zip">
    | Exclude<NoWorkbook, "noSheet">
    | "tooLarge"
    | "noColumn";
}

/** A source as far as it could be read. */
export interface ReadList {
  readonly encoding?: Encoding;
  /** Of a workbook: its sheets, and which one was read. */
  readonly sheets?: readonly string[];
  readonly sheet?: string;
  readonly table?: Table;
  readonly columns?: Columns;
  /** A grade that may be a fraction or a percentage: whoever gave the list has to say. */
  readonly unclearGrade?: string;
  /** Absent as long as it is not clear how to read it. */
  readonly list?: List;
  readonly fault?: ReadFault;
}

/** Reads a list as far as it can be read. @param language decides between encodings */
export function readList({ source, choices }: GivenList, language: LanguageTag): ReadList {
  if (source.kind === "text") return readRows(readText(source.text, choices), choices);
  const { bytes } = source;
  const kind = bytes.length > MOST_BYTES ? "tooLarge" : noTextOf(bytes);
  if (kind === "zip") return readBook(bytes, choices);
  if (kind) return { fault: { fault: kind } };
  const encoding = choices.encoding ?? guessEncoding(bytes, languages[language].codePage);
  return { encoding, ...readRows(readText(decodeText(bytes, encoding), choices), choices) };
}

function readText(text: string, { delimiter }: Choices): Table | NoTable {
  return readTable(text, { most: MOST_ROWS, delimiter });
}

/** What was read of a workbook, so that another choice of columns does not unpack it again. */
const read = new WeakMap<Uint8Array, { sheet: string | undefined; book: ReturnType<typeof readWorkbook> }>();

function readBook(bytes: Uint8Array, choices: Choices): ReadList {
  const { sheet } = choices;
  const known = read.get(bytes);
  const book =
    known && known.sheet === sheet
      ? known.book
      : readWorkbook(bytes, { sheet, most: MOST_ROWS, mostBytes: MOST_UNPACKED });
  read.set(bytes, { sheet, book });
  if (!("fault" in book)) return { sheets: book.sheets, sheet: book.sheet, ...readRows(book, choices) };
  const sheets = "sheets" in book ? book.sheets : undefined;
  const fault = book.fault === "noSheet" ? "empty" : book.fault;
  return { ...(sheets && { sheets, sheet: sheet ?? "" }), fault: { ...book, fault } };
}

function readRows(table: Table | NoTable, choices: Choices): ReadList {
  const { hasHeadings, meanings, gradesAre, isKnownById } = choices;
  if ("fault" in table) return { fault: table };
  const guessed = guessColumns(table, hasHeadings);
  const chosen = meanings ?? (guessed.hasHeadings ? keptMeanings(table.rows[0]?.cells ?? []) : undefined);
  const columns = { ...guessed, ...(chosen && { meanings: chosen.map((each) => each ?? undefined) }) };
  const isIdentified = columns.meanings.includes("username") || (hasOnlyIds(columns) && isKnownById);
  if (!isIdentified) return { table, columns, fault: { fault: "noColumn" } };
  const grade = columns.meanings.indexOf("grade");
  const grades = rowsOfLearners(table, columns).map(({ cells }) => cells[grade] ?? "");
  const unclearGrade = likelyFraction(grades.filter((cell) => !isNoGrade(cell)));
  if (unclearGrade !== undefined && gradesAre === undefined) return { table, columns, unclearGrade };
  return {
    table,
    columns,
    ...(unclearGrade !== undefined && { unclearGrade }),
    list: listLearners(table, columns, gradesAre),
  };
}
