import { plainCell } from "../plain-cell.js";
import { MAX_CELL_LENGTH, MAX_COLUMNS, MAX_ROWS_ABOVE, type TableFault } from "../table.js";
import { readXml } from "./read-xml.js";
import type { Shown } from "./shown.js";
import { DamagedArchiveError, TooLargeArchiveError, type ZipParts } from "./zip-parts.js";

/** A cell as it is stored. */
export interface StoredCell {
  /** Value of the attribute `t`. Default: `n` */
  readonly type: string;
  /** Index of the cell's style. */
  readonly style: number;
  readonly value: string;
}

/** The displayed contents of a row. */
export interface ShownRow {
  /** Starts at 1. */
  readonly number: number;
  /** Texts by column. */
  readonly cells: string[];
  /** See `Row`. */
  days?: Record<number, string>;
  /** See `Row`. */
  stored?: Record<number, string>;
}

/** Maximum number of cells, because the memory of browsers is limited. */
const MAX_CELLS = 2_000_000;

/** Maximum number of characters. A text that many cells share is counted for each cell. */
export const MAX_CHARACTERS = 100_000_000;

const MAX_MERGED = 100_000;
const MAX_ROW_NUMBER = 1_048_576;

/** The value of a formula that was never computed. */
const NEVER_COMPUTED: Pick<StoredCell, "type" | "value"> = { type: "e", value: "#N/A" };

/**
 * Reads the displayed contents of the rows that aren't empty.
 * @param options.most maximum number of rows to keep, not counting the headings and the rows above the headings;
 *   further rows are only counted
 * @throws DamagedArchiveError, TooLargeArchiveError
 */
export function readSheet(
  parts: ZipParts,
  part: string,
  { most, show }: { readonly most: number; readonly show: (cell: StoredCell) => Shown },
): { readonly rows: readonly ShownRow[]; readonly count: number } | TableFault {
  const rows: ShownRow[] = [];
  const merged: string[] = [];
  let [count, stored, characters] = [0, 0, 0];
  let [tooWide, tooLong]: (TableFault | undefined)[] = [];
  let row: { number: number; cells: (StoredCell | undefined)[] } = { number: 0, cells: [] };
  let column = -1;
  let cell = { type: "n", style: 0, hasFormula: false, hasValue: false, value: "" };
  let [isValue, readings] = [false, 0];

  function endCell() {
    const { type, style, value, hasFormula, hasValue } = cell;
    const isUnknown = hasFormula && !hasValue;
    if (value === "" && !isUnknown) return;
    if (row.cells[column]) throw new DamagedArchiveError(`row ${row.number} contains the same cell twice`);
    if (column < MAX_COLUMNS)
      row.cells[column] = isUnknown ? { ...NEVER_COMPUTED, style } : { type, style, value };
    else tooWide ??= { fault: "tooManyColumns", row: row.number, line: row.number, count: column + 1 };
  }
  function endRow() {
    if (row.cells.length === 0) return;
    count++;
    if (count > most + MAX_ROWS_ABOVE || tooWide || tooLong) return;
    stored += row.cells.length;
    if (stored > MAX_CELLS) throw new TooLargeArchiveError(`${part} has more than ${MAX_CELLS} cells`);
    rows.push(shownRow(row.number, row.cells, showWithin));
  }
  function showWithin(storedCell: StoredCell): Shown {
    const shown = show(storedCell);
    const { length } = shown.text;
    characters += length;
    if (characters > MAX_CHARACTERS)
      throw new TooLargeArchiveError(`${part} contains more than ${MAX_CHARACTERS} characters`);
    if (length <= MAX_CELL_LENGTH) return shown;
    tooLong ??= { fault: "tooLongCell", row: row.number, line: row.number, count: length };
    return { text: "" };
  }
  readXml(parts, part, {
    open(name, attributes) {
      if (name === "row") {
        row = { number: rowNumber(attributes.r, row.number), cells: [] };
        column = -1;
      } else if (name === "c") {
        column = attributes.r === undefined ? column + 1 : columnIn(attributes.r, row.number);
        cell = {
          type: attributes.t ?? "n",
          style: Number(attributes.s ?? 0),
          hasFormula: false,
          hasValue: false,
          value: "",
        };
      } else if (name === "f") cell.hasFormula = true;
      else if (name === "rPh") readings++;
      else if (name === "v" || name === "t") {
        cell.hasValue = true;
        isValue = readings === 0;
      } else if (name === "mergeCell" && attributes.ref) {
        if (merged.push(attributes.ref) > MAX_MERGED)
          throw new TooLargeArchiveError(`${part} has more than ${MAX_MERGED} merged ranges`);
      }
    },
    close(name) {
      if (name === "v" || name === "t") isValue = false;
      else if (name === "rPh") readings--;
      else if (name === "c") endCell();
      else if (name === "row") endRow();
    },
    text(text) {
      if (isValue) cell.value += text;
    },
  });
  const fault = tooWide ?? tooLong;
  if (fault) return fault;
  fillMerged(rows, merged);
  return { rows, count };
}

function shownRow(
  number: number,
  stored: readonly (StoredCell | undefined)[],
  show: (cell: StoredCell) => Shown,
): ShownRow {
  const row: ShownRow = { number, cells: new Array<string>(stored.length).fill("") };
  stored.forEach((cell, column) => {
    if (cell) put(row, column, show(cell));
  });
  return row;
}

function put(row: ShownRow, column: number, { text, day, stored }: Shown): void {
  while (row.cells.length < column) row.cells.push("");
  row.cells[column] = plainCell(text);
  if (day !== undefined) {
    row.days ??= {};
    row.days[column] = day;
  } else if (row.days) delete row.days[column];
  if (stored !== undefined) {
    row.stored ??= {};
    row.stored[column] = stored;
  } else if (row.stored) delete row.stored[column];
}

/** Copies the contents of merged cells from the first of their rows to the other rows. */
function fillMerged(rows: readonly ShownRow[], merged: readonly string[]): void {
  let filled = 0;
  const byNumber = new Map(merged.length === 0 ? [] : rows.map((row) => [row.number, row]));
  for (const ref of merged) {
    const [from = "", to = from] = ref.split(":");
    const [first, last] = [rowOf(from), Math.min(rowOf(to), rows.at(-1)?.number ?? 0)];
    const column = columnOf(from);
    const { cells, days, stored } = byNumber.get(first) ?? {};
    const text = cells?.[column];
    if (!text) continue;
    const shown: Shown = {
      text,
      ...(days?.[column] !== undefined && { day: days[column] }),
      ...(stored?.[column] !== undefined && { stored: stored[column] }),
    };
    for (let number = first + 1; number <= last; number++) {
      if (++filled > MAX_CELLS) throw new TooLargeArchiveError(`more than ${MAX_CELLS} cells are merged`);
      const row = byNumber.get(number);
      if (row) put(row, column, shown);
    }
  }
}

/** Returns the number of a row. Rows are in ascending order, and some programs omit their numbers. */
function rowNumber(storedCell: string | undefined, before: number): number {
  const number = storedCell === undefined ? before + 1 : Number(storedCell);
  if (Number.isInteger(number) && number > before && number <= MAX_ROW_NUMBER) return number;
  throw new DamagedArchiveError(`row number ${storedCell ?? number} is not allowed after row ${before}`);
}

function columnIn(reference: string, row: number): number {
  if (rowOf(reference) !== row) throw new DamagedArchiveError(`cell ${reference} is in row ${row}`);
  return columnOf(reference);
}

function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/i.exec(reference)?.[0].toUpperCase() ?? "") {
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  if (column === 0) throw new DamagedArchiveError(`${reference} is not a cell`);
  return column - 1;
}

function rowOf(reference: string): number {
  return Number(/\d+$/.exec(reference)?.[0] ?? 0);
}
