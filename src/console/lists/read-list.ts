import type { LanguageTag } from "../../languages/list.js";
import { decodeText, type Encoding, type NoText, noTextOf } from "./decode-text.js";
import type { GivenList } from "./given-list.js";
import { type Columns, guessColumns } from "./guess-columns.js";
import { identifiesLearners, type List, listLearners } from "./listed-learners.js";
import { type NoTable, readTable, type Table } from "./read-table.js";

/** A file with 5,000 rows has some hundred kilobytes. */
const MOST_BYTES = 5 * 1024 * 1024;

export type ReadFault =
  | { readonly fault: NoText }
  | { readonly fault: "too-large" }
  | { readonly fault: "no-column" }
  | NoTable;

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
  if (source.kind === "file" && source.bytes.length > MOST_BYTES) return { fault: { fault: "too-large" } };
  const noText = source.kind === "file" ? noTextOf(source.bytes) : undefined;
  if (noText) return { fault: { fault: noText } };
  const { text, encoding } =
    source.kind === "file"
      ? decodeText(source.bytes, { told: choices.encoding, language })
      : { text: source.text, encoding: undefined };

  const read = { ...(encoding && { encoding }) };
  const table = readTable(text, { delimiter: choices.delimiter });
  if ("fault" in table) return { ...read, fault: table };
  const guessed = guessColumns(table, choices.hasHeadings);
  const columns = { ...guessed, meanings: choices.meanings ?? guessed.meanings };
  if (!identifiesLearners(columns)) return { ...read, table, columns, fault: { fault: "no-column" } };
  return { ...read, table, columns, list: listLearners(table, columns) };
}
