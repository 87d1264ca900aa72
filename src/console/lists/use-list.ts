import { useMemo, useState } from "react";
import type { ColumnMeaning } from "./column-headings.js";
import { decodeText, type Encoding, type NoText, noTextOf } from "./decode-text.js";
import type { Delimiter } from "./dialect.js";
import { type Columns, guessColumns } from "./guess-columns.js";
import { identifiesLearners, type List, listLearners } from "./listed-learners.js";
import { type NoTable, readTable, type Table } from "./read-table.js";

/** A file with 5,000 rows has some hundred kilobytes. */
const MOST_BYTES = 5 * 1024 * 1024;

/** What was pasted or chosen. */
export type Source =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "file"; readonly name: string; readonly bytes: Uint8Array };

/** What the user says about it, where the guess is wrong. */
export interface Choices {
  readonly encoding?: Encoding;
  readonly delimiter?: Delimiter;
  readonly hasHeadings?: boolean;
  readonly meanings?: readonly (ColumnMeaning | undefined)[];
}

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

/** Holds what was given, and reads it anew with each choice. */
export function useList(language: string) {
  const [source, setSource] = useState<Source>();
  const [choices, setChoices] = useState<Choices>({});
  const read = useMemo(
    () => (source ? readList(source, choices, language) : {}),
    [source, choices, language],
  );
  return {
    source,
    choices,
    read,
    give(next: Source | undefined) {
      setSource(next);
      setChoices({});
    },
    /** Another way to read the text means other columns. */
    choose(next: Choices) {
      const { meanings, hasHeadings, ...way } = next;
      const isColumnsOnly = meanings !== undefined || hasHeadings !== undefined;
      setChoices(isColumnsOnly ? { ...choices, ...next } : { ...choices, ...way, meanings: undefined });
    },
  };
}

function readList(source: Source, choices: Choices, language: string): ReadList {
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
