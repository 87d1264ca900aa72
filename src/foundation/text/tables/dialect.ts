import { CsvError, parse } from "csv-parse/sync";

/** Delimiter and quotation mark of a table in text form. */
export interface Dialect {
  readonly delimiter: Delimiter;
  readonly quote: '"' | "'";
}

export type Delimiter = (typeof delimiters)[number];

/** Delimiters in order of preference if nothing else decides. Commas are often part of a cell, tabs hardly ever. */
export const delimiters = ["\t", ";", ",", "|"] as const;

/** Number of records, and of characters, from which the dialect is guessed. */
const SAMPLE_RECORDS = 50;
const SAMPLE_CHARACTERS = 500_000;

/** Maximum size of a record in bytes. A longer record probably has a quote that is never closed. */
export const MAX_RECORD_SIZE = 100_000;

/** Matches a line that states the delimiter for Excel and LibreOffice. It is not part of the table. */
const separatorLine = /^"?sep=(.)"?(?:\r\n|\r|\n|$)/i;

export interface TableRecord {
  readonly record: readonly string[];
  /** The original text. */
  readonly raw: string;
  /** `lines` is the number of the line at which the record ends. */
  readonly info: { readonly lines: number };
}

/** @returns the text without the line that states the delimiter, and the dialect */
export function detectDialect(text: string, delimiter?: Delimiter): { body: string; dialect: Dialect } {
  const line = separatorLine.exec(text);
  const body = line ? text.slice(line[0].length) : text;
  const start = body.slice(0, SAMPLE_CHARACTERS);
  const chosen = delimiter ?? delimiters.find((each) => each === line?.[1]) ?? guessDelimiter(start);
  return { body, dialect: { delimiter: chosen, quote: guessQuote(start, chosen) } };
}

/**
 * Parses records with or without quotes. A quotation mark is part of a cell if the cell doesn't begin with a quotation
 * mark.
 * @param options.take is called with each record; without it, all records are returned
 * @throws CsvError for a quote that is never closed; errors of `take`
 */
export function parseRecords(
  body: string,
  { delimiter, quote }: Dialect,
  { take, most }: { readonly take?: (record: TableRecord) => void; readonly most?: number } = {},
): TableRecord[] {
  return parse(body, {
    delimiter,
    quote,
    escape: quote,
    info: true,
    raw: true,
    trim: true,
    relax_quotes: true,
    relax_column_count: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    max_record_size: MAX_RECORD_SIZE,
    ...(most !== undefined && { to: most }),
    ...(take && {
      on_record(record: unknown) {
        take(record as TableRecord);
        return null;
      },
    }),
  }) as unknown as TableRecord[];
}

function guessDelimiter(body: string): Delimiter {
  let best: { delimiter: Delimiter; share: number } = { delimiter: ",", share: 0 };
  for (const delimiter of delimiters) {
    const share = shareOfRegular(body, delimiter);
    if (share > best.share) best = { delimiter, share };
  }
  return best.delimiter;
}

/**
 * Returns the share of the first records that have the most frequent number of cells. Returns 0 if that number is 1.
 */
function shareOfRegular(body: string, delimiter: Delimiter): number {
  const lengths = lengthsOf(body, { delimiter, quote: guessQuote(body, delimiter) });
  const byLength = new Map<number, number>();
  for (const length of lengths) byLength.set(length, (byLength.get(length) ?? 0) + 1);
  const regular = [...byLength].reduce((most, next) => (next[1] > most[1] ? next : most), [1, 0]);
  return regular[0] === 1 ? 0 : regular[1] / lengths.length;
}

function lengthsOf(body: string, dialect: Dialect): number[] {
  try {
    const records = parseRecords(body, dialect, { most: SAMPLE_RECORDS });
    return records.flatMap(({ record }) => (record.join("") === "" ? [] : record.length));
  } catch (error) {
    if (error instanceof CsvError) return [];
    throw error;
  }
}

/** Apostrophes are quotation marks only if as many cells end with one as begin with one. */
function guessQuote(body: string, delimiter: Delimiter): Dialect["quote"] {
  const lines = body.split(/\r\n|\r|\n/, SAMPLE_RECORDS).filter((line) => line !== "");
  const cells = lines.flatMap((line) => line.split(delimiter));
  const opened = cells.filter((cell) => cell.startsWith("'")).length;
  const closed = cells.filter((cell) => cell.endsWith("'")).length;
  return opened === closed && opened * 2 > lines.length ? "'" : '"';
}
