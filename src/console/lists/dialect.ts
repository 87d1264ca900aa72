import { CsvError, parse } from "csv-parse/browser/esm/sync";

/** How a table is written as text. */
export interface Dialect {
  readonly delimiter: Delimiter;
  readonly quote: '"' | "'";
}

export type Delimiter = (typeof delimiters)[number];

/** In this order where nothing else decides: commas are often part of a cell, tabs hardly ever. */
export const delimiters = ["\t", ";", ",", "|"] as const;

/** Number of records by which the dialect is guessed. */
const GUESSED_BY = 50;

/** The line by which Excel and LibreOffice are told the delimiter; it is no row of the table. */
const told = /^"?sep=(.)"?(?:\r\n|\r|\n|$)/i;

/** A table as text, without the line that tells its delimiter. */
export interface TableText {
  readonly body: string;
  readonly dialect: Dialect;
}

export function detectDialect(
  text: string,
  choice: { readonly delimiter?: Delimiter | undefined } = {},
): TableText {
  const line = told.exec(text);
  const body = line ? text.slice(line[0].length) : text;
  const delimiter = choice.delimiter ?? asDelimiter(line?.[1]) ?? guessDelimiter(body);
  return { body, dialect: { delimiter, quote: guessQuote(body, delimiter) } };
}

/** @throws CsvError for a quote that is never closed */
export function parseRecords(body: string, { delimiter, quote }: Dialect, most?: number): string[][] {
  return parse(body, {
    delimiter,
    quote,
    escape: quote,
    relax_quotes: true,
    relax_column_count: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    ...(most === undefined ? {} : { to: most }),
  });
}

function asDelimiter(character: string | undefined): Delimiter | undefined {
  return delimiters.find((delimiter) => delimiter === character);
}

function guessDelimiter(body: string): Delimiter {
  let best: { delimiter: Delimiter; share: number } = { delimiter: ",", share: 0 };
  for (const delimiter of delimiters) {
    const share = shareOfRegular(body, delimiter);
    if (share > best.share) best = { delimiter, share };
  }
  return best.delimiter;
}

/** Returns the share of the first records that have the most frequent number of cells, if that is above one. */
function shareOfRegular(body: string, delimiter: Delimiter): number {
  const lengths = lengthsOf(body, { delimiter, quote: guessQuote(body, delimiter) });
  const byLength = new Map<number, number>();
  for (const length of lengths) byLength.set(length, (byLength.get(length) ?? 0) + 1);
  const regular = [...byLength].reduce((most, next) => (next[1] > most[1] ? next : most), [1, 0]);
  return regular[0] === 1 ? 0 : regular[1] / lengths.length;
}

function lengthsOf(body: string, dialect: Dialect): number[] {
  try {
    const filled = parseRecords(body, dialect, GUESSED_BY).filter((cells) => cells.join("") !== "");
    return filled.map((cells) => cells.length);
  } catch (error) {
    if (error instanceof CsvError) return [];
    throw error;
  }
}

/** Apostrophes quote where each that opens a cell has one that closes a cell: otherwise they belong to a name. */
function guessQuote(body: string, delimiter: Delimiter): Dialect["quote"] {
  const lines = body.split(/\r\n|\r|\n/, GUESSED_BY).filter((line) => line !== "");
  const cells = lines.flatMap((line) => line.split(delimiter));
  const opened = cells.filter((cell) => cell.startsWith("'")).length;
  const closed = cells.filter((cell) => cell.endsWith("'")).length;
  return opened === closed && opened * 2 > lines.length ? "'" : '"';
}
