import { type LanguageTag, languages } from "../../languages/list.js";
import {
  decodeText,
  type Encoding,
  guessEncoding,
  type NoText,
  noTextOf,
} from "../../text/tables/decode-text.js";
import { type NoTable, readTable, type Table } from "../../text/tables/read-table.js";
import type { GivenList } from "./given-list.js";
import { type Columns, guessColumns } from "./guess-columns.js";
import { identifiesLearners, type List, listLearners } from "./listed-learners.js";

/** Maximum number of rows of a list, its row of headings not counted. */
export const MOST_ROWS = 5000;
/** A file with as many rows has some hundred kilobytes. */
const MOST_BYTES = 5 * 1024 * 1024;

/** Why a list can't be read. */
export interface ReadFault extends Omit<NoTable, "fault"> {
  readonly fault: NoTable["fault"] | NoText | "tooLarge" | "noColumn";
}

/** A source as far as it could be read. */
export interface ReadList {
  readonly encoding?: Encoding;
  readonly table?: Table;
  readonly columns?: Columns;
  readonly list?: List;
  readonly fault?: ReadFault;
}

/** Reads a list as far as it can be read. @param language decides between encodings */
export function readList({ source, choices }: GivenList, language: LanguageTag): ReadList {
  if (source.kind === "text") return readRows(source.text, choices);
  const { bytes } = source;
  const fault = bytes.length > MOST_BYTES ? "tooLarge" : noTextOf(bytes);
  if (fault) return { fault: { fault } };
  const encoding = choices.encoding ?? guessEncoding(bytes, languages[language].codePage);
  return { encoding, ...readRows(decodeText(bytes, encoding), choices) };
}

function readRows(text: string, { delimiter, hasHeadings, meanings }: GivenList["choices"]): ReadList {
  const table = readTable(text, { most: MOST_ROWS, delimiter });
  if ("fault" in table) return { fault: table };
  const guessed = guessColumns(table, hasHeadings);
  const columns = { ...guessed, meanings: meanings ?? guessed.meanings };
  if (!identifiesLearners(columns)) return { table, columns, fault: { fault: "noColumn" } };
  return { table, columns, list: listLearners(table, columns) };
}
