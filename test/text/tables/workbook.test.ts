import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { strToU8, unzipSync, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { nonTextKindOf } from "#foundation/text/tables/decode-text.js";
import { createFormat } from "#foundation/text/tables/workbook/number-format.js";
import { readWorkbook } from "#foundation/text/tables/workbook/read-workbook.js";
import { heapGrowth } from "../../support/kept-on-heap.js";
import { type MadeWorkbook, madeWorkbook } from "./made-workbook.js";

const limits = { most: 5000, maxBytes: 5 * 1024 * 1024 };
const read = (bytes: Uint8Array, sheet?: string) => readWorkbook(bytes, { ...limits, sheet });

function rowsOf(made: MadeWorkbook, sheet?: string) {
  const book = read(madeWorkbook(made), sheet);
  if ("fault" in book) throw new Error(JSON.stringify(book));
  return book.rows;
}
const cellsOf = (sheetData: string, others: Omit<MadeWorkbook, "sheets"> = {}) =>
  rowsOf({ sheets: { Sheet1: sheetData }, ...others }).map(({ cells }) => cells);

/**
 * Debian's LibreOffice 7.4 created the files in `fixtures/` from `fixtures/results.fods`. The first lines of that file
 * describe how.
 */
const fixture = (name: string) => readFile(join(import.meta.dirname, "fixtures", name));

describe("a workbook that LibreOffice has written", () => {
  test("is read as its cells display it", async () => {
    const book = read(await fixture("results.xlsx"));
    expect(book).toMatchObject({ sheets: ["Results & more", "Second"], sheet: "Results & more", width: 6 });
    if ("fault" in book) throw new Error(book.fault);
    expect(book.rows.map(({ number, cells }) => [number, ...cells])).toEqual([
      [1, "Username", "Name", "Points", "Grade", "Awarded on", "Group"],
      [2, "ana", "Ana Kovač", "17.10", "85.5%", "30.06.2026", "Morning"],
      [3, "leo", "Leo “Ли” 李", "9.00", "45.0%", "01.07.2026", "Morning"],
      [6, "1234567890123", "Zoë <b>", "#N/A", "#DIV/0!"],
    ]);
    expect(book.rows.map(({ days }) => days?.[4])).toEqual([
      undefined,
      "2026-06-30",
      "2026-07-01",
      undefined,
    ]);
    expect(book.rows[1]?.text).toBe("ana\tAna Kovač\t17.10\t85.5%\t30.06.2026\tMorning");
  });

  test("is read by the name of a sheet", async () => {
    const book = read(await fixture("results.xlsx"), "Second");
    expect(book).toMatchObject({ sheet: "Second", rows: [{ cells: ["learner"] }, { cells: ["zoe"] }] });
  });

  test("that is not an .xlsx file is recognised", async () => {
    expect(read(await fixture("results.ods"))).toEqual({ fault: "workbook" });
    expect(nonTextKindOf(await fixture("results.xls"))).toBe("workbook");
  });
});

describe("a workbook written like Excel's", () => {
  test("may have shared, rich and inline texts, results of formulas, booleans and errors", () => {
    const texts = [
      "<t>Name</t>",
      '<r><rPr><b/></rPr><t xml:space="preserve">Ana </t></r><r><t>Kovač</t></r>',
      '<t>山田</t><rPh sb="0" eb="2"><t>ヤマダ</t></rPh><phoneticPr fontId="1"/>',
      "<t>two_x000D_\nlines</t>",
      "<t/>",
    ];
    const row = [
      '<c r="A1" t="s"><v>1</v></c><c r="B1" t="s"><v>2</v></c><c r="C1" t="s"><v>3</v></c>',
      '<c r="D1" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>',
      '<c r="E1" t="str"><f>A1&amp;"!"</f><v>Ana Kovač!</v></c><c r="F1" t="b"><v>1</v></c>',
      '<c r="G1" t="e"><f>NA()</f><v>#N/A</v></c><c r="H1"><f>B2*2</f><v>84.5</v></c>',
      '<c r="I1"><f>B2*3</f></c><c r="J1" t="str"><f>""</f><v></v></c><c r="K1" t="d"><v>2026-06-30T00:00:00Z</v></c>',
    ];
    expect(cellsOf(`<row r="1">${row.join("")}</row>`, { texts })).toEqual([
      [
        "Ana Kovač",
        "山田",
        "two lines",
        "inline",
        "Ana Kovač!",
        "TRUE",
        "#N/A",
        "84.5",
        "#N/A",
        "",
        "2026-06-30",
      ],
    ]);
  });

  test("keeps the numbers of rows; rows and cells may lack theirs", () => {
    const sheet =
      '<row r="2"><c r="C2"><v>1</v></c></row><row/><row><c><v>2</v></c><c><v>3</v></c></row><row r="9" hidden="1"><c r="AA9"><v>4</v></c></row>';
    expect(
      rowsOf({ sheets: { A: sheet } }).map(({ number, cells }) => [number, cells.length, cells.join("")]),
    ).toEqual([
      [2, 3, "1"],
      [4, 2, "23"],
      [9, 27, "4"],
    ]);
  });

  test("repeats a cell that is merged over rows, but not over columns", () => {
    const sheet =
      '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row><row r="2"><c r="A2" s="0"/><c r="C2"><v>3</v></c></row><row r="5"><c r="C5"><v>4</v></c></row>';
    const after = '<mergeCells count="2"><mergeCell ref="A1:A3"/><mergeCell ref="B1:C1"/></mergeCells>';
    expect(cellsOf(sheet, { after })).toEqual([
      ["1", "2"],
      ["1", "", "3"],
      ["", "", "4"],
    ]);
  });

  test("repeats a merged cell with its displayed date, also beyond the end of a row", () => {
    const sheet =
      '<row r="1"><c r="A1"><v>1</v></c><c r="D1" s="1"><v>46203</v></c></row><row r="2"><c r="A2" s="1"><v>61</v></c></row>';
    const after = '<mergeCells count="2"><mergeCell ref="A1:A2"/><mergeCell ref="D1:D2"/></mergeCells>';
    const rows = rowsOf({ sheets: { A: sheet }, formats: ["yyyy-mm-dd"], after });
    expect(rows.map(({ cells, days, text }) => ({ cells, days, text }))).toEqual([
      { cells: ["1", "", "", "2026-06-30"], days: { 3: "2026-06-30" }, text: "1\t\t\t2026-06-30" },
      { cells: ["1", "", "", "2026-06-30"], days: { 3: "2026-06-30" }, text: "1\t\t\t2026-06-30" },
    ]);
  });

  test("leaves no XML in memory", () => {
    const filler = (index: number) =>
      `<!--${Array.from({ length: 2000 }, (_, at) => (at * 7919 + index) % 9973)}-->`;
    const rows = Array.from({ length: 200 }, (_, index) => {
      const text = `<c t="inlineStr"><is><t>A name of some length ${index}</t></is></c>`;
      return `<row>${text}<c t="s"><v>${index}</v></c></row>${filler(index)}`;
    });
    const texts = rows.map((_, index) => `<t>A shared text ${index}</t>${filler(index)}`);
    const bytes = madeWorkbook({ sheets: { A: rows.join("") }, texts });
    const { made, size } = heapGrowth(() => readWorkbook(bytes, { ...limits, maxBytes: 10e6 }));
    expect(made).toMatchObject({ rows: { length: 200 } });
    expect(size).toBeLessThan(2e6);
  });

  test("is read from its first visible sheet, or from the named one", () => {
    const cell = (value: number) => `<row r="1"><c r="A1"><v>${value}</v></c></row>`;
    const made = { sheets: { Notes: cell(1), List: cell(2), More: cell(3) }, hidden: ["Notes"] };
    expect(rowsOf(made)[0]?.cells).toEqual(["2"]);
    expect(rowsOf(made, "Notes")[0]?.cells).toEqual(["1"]);
    expect(read(madeWorkbook(made), "None")).toEqual({ fault: "noSheet", sheets: ["List", "More"] });
  });

  test("counts days from 1900, including the day that never existed, or from 1904", () => {
    const sheet =
      '<row r="1"><c r="A1" s="1"><v>1</v></c><c r="B1" s="1"><v>61</v></c><c r="C1" s="1"><v>46203.75</v></c></row>';
    const formats = ["yyyy-mm-dd"];
    expect(cellsOf(sheet, { formats })).toEqual([["1900-01-01", "1900-03-01", "2026-06-30"]]);
    expect(cellsOf(sheet, { formats, is1904: true })).toEqual([["1904-01-02", "1904-03-02", "2030-07-01"]]);
  });

  test("may name its elements with a prefix, in the strict namespace, and its parts in another encoding", () => {
    const strict = "http://purl.oclc.org/ooxml/spreadsheetml/main";
    const sheet = `<x:worksheet xmlns:x="${strict}"><x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>é</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>`;
    const wide = Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${sheet}`, "utf16le");
    expect(cellsOf("", { parts: { "xl/worksheets/sheet1.xml": sheet } })).toEqual([["é"]]);
    expect(cellsOf("", { parts: { "xl/worksheets/sheet1.xml": wide } })).toEqual([["é"]]);
  });

  test("may have 64-bit sizes and uncompressed files", () => {
    const made = madeWorkbook({ sheets: { A: '<row r="1"><c r="A1"><v>7</v></c></row>' } });
    const stored = zipSync(unzipSync(made), { level: 0 });
    expect(read(stored)).toMatchObject({ rows: [{ cells: ["7"] }] });
    expect(read(withWideSizes(stored))).toMatchObject({ rows: [{ cells: ["7"] }] });
  });
});

test.each<[number, string | number, string]>([
  [0.855, "0.0%", "85.5%"],
  [0.855, 9, "86%"],
  [85.5, "0.00", "85.50"],
  [1234.5, 4, "1,234.50"],
  [46203, 14, "2026-06-30"],
  [46203.604166, "dd/mm/yyyy hh:mm", "30/06/2026 14:30"],
  [46203, "[$-407]d. mmmm yyyy", "30. Juni 2026"],
  [46203, "[$-F800]dddd\\, mmmm dd\\, yyyy", "2026-06-30"],
  [0.5, "h:mm AM/PM", "12:00 PM"],
  [1.5, "[h]:mm", "36:00"],
  [60, "yyyy-mm-dd", "60"],
  [123456789, "000-00-0000", "123-45-6789"],
  [42, "00000", "00042"],
  [-5, "#,##0;(#,##0)", "(5)"],
  [0, '0;-0;"none"', "none"],
  [1.005, "0.00", "1.01"],
  [12345.678, "0.00E+00", "1.23E+04"],
  [1234567890123, 0, "1234567890123"],
  [0.1 + 0.2, 0, "0.3"],
  [-0.04, "0.0", "0.0"],
  [1234567, "#,##0,", "1,235"],
  [3, '0" points"', "3 points"],
  [12.5, "[$€-407] #,##0.00", "€ 12.50"],
  [5, '[<10]"low";"high"', "low"],
  [7.25, "# ?/?", "7.25"],
  [7, "_-* #,##0_-", "7"],
  [85, "[Red][>=50]0;[Blue]0", "85"],
  [0, ";;;", ""],
])("shows %j in the format %j as %j", (value, format, text) => {
  const code = typeof format === "number" ? undefined : format;
  expect(createFormat(typeof format === "number" ? format : 164, code, false).number(value).text).toBe(text);
});

describe("is refused:", () => {
  const one = '<row r="1"><c r="A1"><v>1</v></c></row>';
  const sheet = (xml: string) =>
    madeWorkbook({ sheets: { A: one }, parts: { "xl/worksheets/sheet1.xml": xml } });
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><worksheet><sheetData/></worksheet>`;
  test.each<[string, Uint8Array, object]>([
    ["entities", sheet(bomb), { fault: "damagedWorkbook" }],
    ["an entity that is not defined", sheet("<worksheet>&a;</worksheet>"), { fault: "damagedWorkbook" }],
    ["XML that is cut off", sheet("<worksheet><sheetData>"), { fault: "damagedWorkbook" }],
    [
      "a text that is not there",
      sheet('<worksheet><row r="1"><c r="A1" t="s"><v>9</v></c></row></worksheet>'),
      { fault: "damagedWorkbook" },
    ],
    [
      "a number that is none",
      sheet('<worksheet><row r="1"><c r="A1"><v>x</v></c></row></worksheet>'),
      { fault: "damagedWorkbook" },
    ],
    [
      "an archive that is cut off",
      madeWorkbook({ sheets: { A: one } }).subarray(0, 400),
      { fault: "damagedWorkbook" },
    ],
    ["an archive of something else", zipSync({ "a.txt": strToU8("x") }), { fault: "workbook" }],
    [
      "what unpacks to too much",
      sheet(`<worksheet>${" ".repeat(6 * 1024 * 1024)}</worksheet>`),
      { fault: "tooManyCells" },
    ],
    [
      "too many columns",
      madeWorkbook({ sheets: { A: '<row r="3"><c r="GS3"><v>1</v></c></row>' } }),
      { fault: "tooManyColumns", row: 3, line: 3, count: 201 },
    ],
    [
      "nothing in it",
      madeWorkbook({ sheets: { A: '<row r="1"><c r="A1" s="0"/></row>' } }),
      { fault: "empty" },
    ],
  ])("%s", (_, bytes, fault) => {
    expect(read(bytes)).toMatchObject(fault);
  });

  test("any archive with changed bytes is refused, or read", () => {
    const made = madeWorkbook({ sheets: { A: one }, texts: ["<t>a</t>"] });
    for (let index = 0; index < made.length; index += 29) {
      const changed = made.slice();
      changed[index] = (changed[index] ?? 0) ^ 0xff;
      expect(() => read(changed)).not.toThrow();
    }
  });
});

/** Moves the sizes of each file to the extra field of a 64-bit directory, as streaming writers do. */
function withWideSizes(zip: Uint8Array): Uint8Array {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const end = zip.length - 22;
  let at = view.getUint32(end + 16, true);
  const pieces = [zip.slice(0, at)];
  let size = 0;
  for (let index = 0; index < view.getUint16(end + 10, true); index++) {
    const length = 46 + view.getUint16(at + 28, true);
    const entry = new Uint8Array(length + 20);
    entry.set(zip.subarray(at, at + length));
    const wide = new DataView(entry.buffer);
    wide.setUint16(30, 20, true);
    wide.setUint16(length, 1, true);
    wide.setUint16(length + 2, 16, true);
    wide.setBigUint64(length + 4, BigInt(view.getUint32(at + 24, true)), true);
    wide.setBigUint64(length + 12, BigInt(view.getUint32(at + 20, true)), true);
    wide.setUint32(20, 0xffffffff, true);
    wide.setUint32(24, 0xffffffff, true);
    pieces.push(entry);
    size += entry.length;
    at += length;
  }
  const last = zip.slice(end);
  new DataView(last.buffer).setUint32(12, size, true);
  return Buffer.concat([...pieces, last]);
}
