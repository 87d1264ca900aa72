import { CSV_TYPE, writeSheet } from "#foundation/text/tables/write-csv.js";
import { language } from "../i18n/preferences.js";
import { saveFile } from "./save-file.js";

/**
 * Saves a CSV file for spreadsheet programs in the reader's language.
 * @param rows the headings, then the rows. Only the first `MAX_ROWS` rows are saved
 * @returns whether rows were left out
 */
export function saveCsv(name: string, rows: readonly (readonly string[])[]): boolean {
  const { text, isShortened } = writeSheet(rows, language.get());
  saveFile(name, new Blob([text], { type: CSV_TYPE }));
  return isShortened;
}
