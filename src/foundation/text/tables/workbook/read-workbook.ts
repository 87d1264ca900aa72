import { parseDay } from "../../../calendar/day.js";
import { isFilled, type Row, type Table, type TableFault, tableOf } from "../table.js";
import { type CellFormat, createFormat } from "./number-format.js";
import { MAX_FORMAT } from "./parse-format.js";
import { MAX_CHARACTERS, readSheet, type ShownRow, type StoredCell } from "./read-sheet.js";
import { localName, readXml } from "./read-xml.js";
import type { Shown } from "./shown.js";
import { DamagedArchiveError, openZip, TooLargeArchiveError, type ZipParts } from "./zip-parts.js";

interface WorkbookSheet extends Table {
  /** Names of the visible sheets, in the order of the workbook. */
  readonly sheets: readonly string[];
  /** Name of the sheet that was read. */
  readonly sheet: string;
}

export type WorkbookFault = "workbook" | "damagedWorkbook" | "tooManyCells" | "noSheet";

interface UnreadWorkbook extends Omit<TableFault, "fault"> {
  readonly fault: TableFault["fault"] | WorkbookFault;
  readonly sheets?: readonly string[];
  readonly sheet?: string;
}

/** Maximum number of sheets, because browsers list all of them. */
const MAX_SHEETS = 1000;

/** Maximum number of styles in Excel. */
const MAX_STYLES = 65_490;

interface Sheet {
  readonly name: string;
  readonly part: string;
  readonly isHidden: boolean;
}

/**
 * Reads a sheet of an .xlsx workbook (ECMA-376) with its displayed contents. Formulas have their stored values. A cell
 * that is merged over several rows appears in each row.
 * @param options.sheet Default: the first visible sheet
 * @param options.most maximum number of rows below the headings
 * @param options.maxBytes maximum unpacked size of the workbook
 */
export function readWorkbook(
  bytes: Uint8Array,
  options: { readonly sheet?: string | undefined; readonly most: number; readonly maxBytes: number },
): WorkbookSheet | UnreadWorkbook {
  try {
    const parts = openZip(bytes, options.maxBytes);
    const main = parts.has("_rels/.rels") ? mainPart(parts) : undefined;
    if (main === undefined) return { fault: "workbook" };
    const book = readBook(parts, main);
    const sheets = book.sheets.filter(({ isHidden }) => !isHidden).map(({ name }) => name);
    const chosen = book.sheets.find(({ name }) => name === (options.sheet ?? sheets[0]));
    if (!chosen) return { fault: "noSheet", sheets };

    const texts = book.texts === undefined ? [] : readTexts(parts, book.texts);
    const formatOf = book.styles === undefined ? generalFormat : readFormats(parts, book.styles, book.is1904);
    const show = (cell: StoredCell) => shown(cell, texts, formatOf);
    const read = readSheet(parts, chosen.part, { most: options.most, show });
    if ("fault" in read) return { ...read, sheets, sheet: chosen.name };
    const rows = read.rows.map((row) => new WorkbookRow(row)).filter(isFilled);
    const table = tableOf(rows, read.count - (read.rows.length - rows.length));
    return "fault" in table
      ? { ...table, sheets, sheet: chosen.name }
      : { ...table, sheets, sheet: chosen.name };
  } catch (error) {
    if (error instanceof TooLargeArchiveError) return { fault: "tooManyCells" };
    if (error instanceof DamagedArchiveError) return { fault: "damagedWorkbook" };
    throw error;
  }
}

/**
 * A row whose `text` is created only when it is read, because the text takes as much memory as the row. It is a class
 * because a getter in an object literal would take a kilobyte per row.
 */
class WorkbookRow implements Row {
  readonly number: number;
  readonly line: number;
  readonly cells: readonly string[];
  declare readonly days?: Readonly<Record<number, string>>;
  declare readonly stored?: Readonly<Record<number, string>>;

  constructor({ number, cells, days, stored }: ShownRow) {
    this.number = number;
    this.line = number;
    this.cells = cells;
    if (days) this.days = days;
    if (stored) this.stored = stored;
  }

  get text(): string {
    return inOneLine(this.cells);
  }
}

function shown(
  { type, style, value }: StoredCell,
  texts: readonly string[],
  formatOf: (style: number) => CellFormat,
): Shown {
  switch (type) {
    case "s": {
      const text = texts[Number(value)];
      if (text === undefined) throw new DamagedArchiveError(`its shared text ${value} is missing`);
      return { text: formatOf(style).text(text) };
    }
    case "str":
    case "inlineStr":
      return { text: formatOf(style).text(unescaped(value)) };
    case "b":
      return { text: value === "1" || value === "true" ? "TRUE" : "FALSE" };
    case "e":
      return { text: value };
    case "d": {
      const [, day = "", time] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::\d\d)?)?/.exec(value) ?? [];
      if (!parseDay(day)) throw new DamagedArchiveError(`${value} is not a date`);
      return { text: time !== undefined && time !== "00:00" ? `${day} ${time}` : day, day };
    }
    default: {
      const number = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:E[+-]?\d+)?\s*$/i.test(value)
        ? Number(value)
        : Number.NaN;
      if (!Number.isFinite(number)) throw new DamagedArchiveError(`${value} is not a number`);
      return formatOf(style).number(number);
    }
  }
}

/** @returns undefined if the archive contains something else, for example an OpenDocument or binary workbook */
function mainPart(parts: ZipParts): string | undefined {
  const main = [...relations(parts, "").values()].find(({ type }) => type === "officeDocument")?.target;
  return main?.endsWith(".xml") ? main : undefined;
}

interface Book {
  readonly sheets: readonly Sheet[];
  readonly texts: string | undefined;
  readonly styles: string | undefined;
  readonly is1904: boolean;
}

function readBook(parts: ZipParts, main: string): Book {
  const related = relations(parts, main);
  const sheets: Sheet[] = [];
  let [is1904, isSpreadsheet] = [false, false];
  readXml(parts, main, {
    open(name, attributes) {
      if (name === "workbook") isSpreadsheet = true;
      if (name === "workbookPr") is1904 = isTrue(attributes.date1904);
      if (name !== "sheet") return;
      const id = Object.entries(attributes).find(
        ([key]) => key.includes(":") && localName(key) === "id",
      )?.[1];
      const relation = related.get(id ?? "");
      // Other sheets are charts.
      if (relation?.type !== "worksheet") return;
      const isHidden = (attributes.state ?? "visible") !== "visible";
      if (sheets.length === MAX_SHEETS) throw new TooLargeArchiveError(`more than ${MAX_SHEETS} sheets`);
      sheets.push({ name: unescaped(attributes.name ?? ""), part: relation.target, isHidden });
    },
  });
  if (!isSpreadsheet) throw new DamagedArchiveError(`${main} is not a workbook`);
  const targetOf = (wanted: string) => [...related.values()].find(({ type }) => type === wanted)?.target;
  return { sheets, texts: targetOf("sharedStrings"), styles: targetOf("styles"), is1904 };
}

interface Relation {
  readonly type: string;
  readonly target: string;
}

/**
 * Reads the relations of a part to other parts, by id.
 * @param part empty for the archive itself
 */
function relations(parts: ZipParts, part: string): ReadonlyMap<string, Relation> {
  const folder = part.slice(0, part.lastIndexOf("/") + 1);
  const own = `${folder}_rels/${part.slice(folder.length)}.rels`;
  const related = new Map<string, Relation>();
  if (!parts.has(own)) return related;
  readXml(parts, own, {
    open(name, { Id = "", Type = "", Target = "", TargetMode }) {
      if (name !== "Relationship" || TargetMode === "External") return;
      const target = partAt(Target, folder);
      related.set(Id, { type: Type.slice(Type.lastIndexOf("/") + 1), target });
    },
  });
  return related;
}

/** @throws DamagedArchiveError if the target is not a valid URL */
function partAt(target: string, folder: string): string {
  try {
    return decodeURIComponent(new URL(target, `part:///${folder}`).pathname).replace(/^\//, "");
  } catch (error) {
    throw new DamagedArchiveError(`${target} is not a part of the workbook`, { cause: error });
  }
}

/** Reads the shared texts of cells, without the pronunciation of East Asian texts. */
function readTexts(parts: ZipParts, part: string): string[] {
  const texts: string[] = [];
  let [text, isText, readings, characters] = ["", false, 0, 0];
  readXml(parts, part, {
    open(name) {
      if (name === "si") text = "";
      if (name === "rPh") readings++;
      isText = name === "t" && readings === 0;
    },
    close(name) {
      if (name === "rPh") readings--;
      if (name === "t") isText = false;
      if (name === "si") texts.push(unescaped(text));
    },
    text(piece) {
      if (!isText) return;
      characters += piece.length;
      if (characters > MAX_CHARACTERS)
        throw new TooLargeArchiveError(`${part} has more than ${MAX_CHARACTERS} characters`);
      text += piece;
    },
  });
  return texts;
}

const general = createFormat(0, undefined, false);
const generalFormat = () => general;

/** Reads the formats of cells, by index of the style. */
function readFormats(parts: ZipParts, part: string, is1904: boolean): (style: number) => CellFormat {
  const codes = new Map<number, string>();
  const used: number[] = [];
  let isCells = false;
  readXml(parts, part, {
    open(name, { numFmtId, formatCode }) {
      if (name === "numFmt" && formatCode !== undefined) codes.set(Number(numFmtId), formatCode);
      if (name === "cellXfs") isCells = true;
      if (name === "xf" && isCells) used.push(Number(numFmtId ?? 0));
      if (Math.max(codes.size, used.length) > MAX_STYLES)
        throw new TooLargeArchiveError(`${part} has more than ${MAX_STYLES} formats`);
    },
    close(name) {
      if (name === "cellXfs") isCells = false;
    },
  });
  const formats = new Map<number, CellFormat>();
  return (style) => {
    const id = used[style] ?? 0;
    const cached = formats.get(id);
    if (cached) return cached;
    const code = codes.get(id);
    if (code !== undefined && code.length > MAX_FORMAT)
      throw new DamagedArchiveError(`a format has more than ${MAX_FORMAT} characters`);
    const format = createFormat(id, code, is1904);
    formats.set(id, format);
    return format;
  };
}

/** Decodes characters that XML can't contain, which are written as `_x000D_` (22.9.2.19). */
function unescaped(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replace(/_x([\da-f]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function isTrue(text: string | undefined): boolean {
  return text === "1" || text === "true" || text === "on";
}

function inOneLine(cells: readonly string[]): string {
  return cells.map((cell) => cell.replace(/[\t\r\n]+/g, " ")).join("\t");
}
