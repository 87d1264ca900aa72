import { invalid, type Problem } from "#foundation/errors.js";
import { decodeText, detectEncoding, readingsOf } from "./tables/decode-text.js";
import { type Encoding, encodings } from "./tables/encodings.js";
import type { FileFault } from "./tables/file/read-table-bytes.js";
import { MAX_CELL_LENGTH, MAX_COLUMNS } from "./tables/table.js";

export const MAX_ROWS = 1_000_000;

/**
 * Maximum number of encodings that an error suggests. For each one, the error shows how names in the file look in it.
 */
const SHOWN_READINGS = 12;

/**
 * Decodes a file.
 * @param encoding undefined for UTF-8 or UTF-16
 * @throws Problem `invalid` if the file has another encoding
 */
export function textOf(bytes: Uint8Array, what: string, encoding?: Encoding): string {
  const chosen = encoding ?? detectEncoding(bytes);
  const decoded = chosen ? decodeText(bytes, chosen) : ({ fault: "unknownEncoding" } as const);
  if ("fault" in decoded) throw noFile(what, decoded, { bytes, encoding: chosen });
  return decoded.text;
}

/** Returns the error for an unreadable file. It includes the remedy. */
export function noFile(
  what: string,
  fault: FileFault,
  { bytes, encoding }: { readonly bytes?: Uint8Array; readonly encoding?: Encoding | undefined } = {},
): Problem {
  return invalid(`${what}${inWords(fault, bytes ?? new Uint8Array(), encoding)}`);
}

function inWords(
  { fault, line, count }: FileFault,
  bytes: Uint8Array,
  encoding: Encoding | undefined,
): string {
  switch (fault) {
    case "empty":
      return " is empty: its first row must name the columns.";
    case "tooManyRows":
      return ` has ${count} rows; at most ${MAX_ROWS} are accepted.`;
    case "tooManyColumns":
      return `, line ${line}: it has ${count} values; at most ${MAX_COLUMNS} are accepted.`;
    case "tooLongCell":
      return `, line ${line}: a value has ${count} characters; at most ${MAX_CELL_LENGTH} are accepted.`;
    case "openQuote":
      return `, line ${line}: a quotation mark is not closed, or is closed before the end of the value.`;
    case "workbook":
      return " is not an .xlsx workbook, or is protected by a password. Save it as .xlsx, or as CSV UTF-8.";
    case "damagedWorkbook":
      return " is damaged, or was created by a program that does not follow the format. Open it in Excel or LibreOffice, and save it again.";
    case "tooManyCells":
      return " is too large: it has more than two million cells, 100,000 merged cells or 100 million characters, or unpacks to more than 512 MB. Split it.";
    case "noSheet":
      return " has no such sheet.";
    case "binary":
      return " is neither text nor a workbook.";
    case "unknownEncoding":
      return ` is not in UTF-8 or UTF-16, and other encodings can't be detected. Choose the one in which the names are right, or save the file as CSV UTF-8:\n${listed(bytes)}\nOther encodings: ${encodings.join(", ")}.`;
    case "wrongEncoding":
      return ` is not in ${encoding}. Choose the encoding in which the names are right, or save the file as CSV UTF-8:\n${listed(bytes)}`;
    case "lostCharacters":
      return " has lost characters: it contains �, or control characters instead of letters. Export it again, as CSV UTF-8.";
    case "decodedTwice":
      return " was saved as UTF-8, opened as Windows-1252 and saved again, so that names such as José have become JosÃ©. Export it again, as CSV UTF-8.";
  }
}

function listed(bytes: Uint8Array): string {
  return readingsOf(bytes)
    .slice(0, SHOWN_READINGS)
    .map((reading) => `  --encoding ${reading.encodings[0]}: ${reading.cells.join(" · ")}`)
    .join("\n");
}
