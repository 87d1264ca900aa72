import { gzipSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { readList } from "#console/issue-from-list/read-list.js";
import { encodingNamed } from "#foundation/text/tables/encodings.js";
import { readTableBytes } from "#foundation/text/tables/file/read-table-bytes.js";
import { processorMs } from "../../support/processor-time.js";
import { type MadeWorkbook, madeWorkbook } from "./made-workbook.js";

/*
 * Files that an attacker has made, so that they are read wrongly or take too long. Each is refused with a fault that
 * states the reason, or read correctly. None takes more than this processor time. `large-attacks` tests larger files.
 */
const MAX_MS = 3000;

const limits = { most: 5000, maxBytes: 100 * 1024 * 1024 };
const bytesOf = (text: string, encoding: BufferEncoding = "utf8") =>
  new Uint8Array(Buffer.from(text, encoding));
const hex = (text: string) => new Uint8Array(Buffer.from(text, "hex"));

/** Returns the fault of a file, or its cells with rows separated by slashes. */
function outcome(bytes: Uint8Array, encoding?: string): string {
  const since = process.cpuUsage();
  const named = encoding === undefined ? undefined : encodingNamed(encoding);
  const { table, fault } = readTableBytes(bytes, { ...limits, encoding: named });
  // the console also guesses columns, days and grades
  const list = readList({ source: { kind: "file", name: "list", bytes }, choices: {} }, "en");
  expect(processorMs(since)).toBeLessThan(MAX_MS);
  if (fault) {
    expect(list.fault ?? list.readings).toBeDefined();
    return fault.fault;
  }
  return (table?.rows ?? []).map(({ cells }) => cells.join("|")).join(" / ");
}

const b = "\ufeff";
const spaces = " ".repeat(32_000);
describe("text", () => {
  test.each<[string, string | Uint8Array, string, string?]>([
    ["nothing", "", "empty"],
    ["a byte order mark alone", b, "empty"],
    ["two byte order marks", `${b}${b}a,b`, "a|b"],
    ["a byte order mark within a cell", `a,${b}b${b}`, "a|b"],
    ["blanks alone", " \t \n\t\n", "empty"],
    ["line ends alone", "\r\n".repeat(100_000), "empty"],
    ["delimiters alone", ",".repeat(150), "empty"],
    ["201 columns", ",".repeat(200), "tooManyColumns"],
    ["a row of 90,000 delimiters", `a${",".repeat(90_000)}`, "tooManyColumns"],
    ["a row of a million delimiters", `a${",".repeat(1_000_000)}`, "tooManyColumns"],
    ["a cell of 32,768 characters", "a".repeat(32_768), "tooLongCell"],
    ["a cell of 32,767 characters", "a".repeat(32_767), "a".repeat(32_767)],
    ["a line of a million characters", "a".repeat(1_000_000), "tooLongCell"],
    ["a quotation mark alone", '"', "openQuote"],
    ["a quotation mark that opens a megabyte", `"${"a\n".repeat(500_000)}`, "openQuote"],
    ["a million quotation marks", '"'.repeat(1_000_000), "openQuote"],
    ["100,000 doubled quotation marks", `"${'""'.repeat(40_000)}"`, "tooLongCell"],
    ["a quotation mark at the end", 'a,b"', 'a|b"'],
    ["a quotation mark that closes too early", '"a"b,c', "openQuote"],
    ["a quoted delimiter", '"a,b";"c;d"\n"e,f";"g;h"', "a,b|c;d / e,f|g;h"],
    ["quotation marks of another kind", "“a,b”,c", "“a|b”|c"],
    ["all kinds of line ends", "a\r\nb\rc\nd", "a / b / c / d"],
    ["line ends in the other order", "a\n\rb", "a / b"],
    ["a line separator of Unicode", "a\u2028b,c", "a b|c"],
    ["a next line of Latin-1", "a\u0085b,c", "lostCharacters"],
    ["a null", "a\0b,c", "binary"],
    ["a null far behind", `${"a\n".repeat(4500)}\0`, "binary"],
    ["a null among letters of UTF-16", bytesOf(`${b}a\0b`, "utf16le"), "binary"],
    ["a line that names an unknown delimiter", "sep=x\na,b", "a|b"],
    ["a line that names no delimiter", "sep=\na,b", "sep= / a|b"],
    ["a second line that names the delimiter", "sep=;\nsep=,\na;b", "sep=, / a|b"],
    ["bidirectional controls", "ana,\u202eanA\u202c", "ana|\u202eanA\u202c"],
    ["a formula", "=cmd|' /C calc'!A0,b", "=cmd|' /C calc'!A0|b"],
    ["a formula that is kept as text", '"=""=1+1""",b', "=1+1|b"],
    ["a text of text", '"=""=""""a""""""",b', '="a"|b'],
    [
      "names of JavaScript",
      "__proto__,constructor\ntoString,valueOf",
      "__proto__|constructor / toString|valueOf",
    ],
    ["a run of 32,000 blanks in a cell", `a${spaces.slice(0, 30_000)}b,c`, `a${spaces.slice(0, 30_000)}b|c`],
    ["32,000 invisible marks", `${"\u200b".repeat(30_000)}a${"\u2060".repeat(2000)},b`, "a|b"],
    ["tabs and blanks around cells", " a \t b ", "a|b"],
    ["a lone surrogate in UTF-16", hex("fffe610000d80a00"), "wrongEncoding"],
    ["half a character of UTF-16", hex("fffe61000a"), "wrongEncoding"],
    ["UTF-16 without a mark, low byte first", bytesOf("a,b\nc,d", "utf16le"), "a|b / c|d"],
    ["UTF-32", hex("fffe000061000000"), "binary"],
    ["UTF-32, high byte first", hex("0000feff00000061"), "binary"],
    ["an overlong character of UTF-8", hex("61c0af2c62"), "unknownEncoding"],
    ["a surrogate in UTF-8", hex("61eda0802c62"), "unknownEncoding"],
    ["a character beyond Unicode", hex("61f4908080"), "unknownEncoding"],
    ["UTF-8 that is cut within a character", hex("612c4a6f73c3"), "unknownEncoding"],
    ["Windows-1252", hex("4a6f73e92c31"), "unknownEncoding"],
    ["Windows-1250, as it is", hex("a3756b61737a2c31"), "Łukasz|1", "windows-1250"],
    ["Windows-1250, as something else", hex("a3756b61737a2c9d"), "wrongEncoding", "windows-1252"],
    ["Shift_JIS with a bar in a character", hex("835c2c7c"), "ソ||", "shift_jis"],
    ["ISO-2022-JP, all of ASCII", hex("1b2442333e1b28422c31"), "unknownEncoding"],
    ["EBCDIC", hex("c1958140d2969381a8"), "unknownEncoding"],
    ["UTF-7", "J+AOk-,1", "J+AOk-|1"],
    ["UTF-8 that was saved twice", "JosÃ©,1", "decodedTwice"],
    ["UTF-8 that was saved three times", "JosÃƒÂ©,1", "decodedTwice"],
    ["Ukrainian that was saved twice", "Ð†Ñ€Ð¸Ð½Ð°,1".replace("\u0080", "€"), "decodedTwice"],
    ["letters that were lost", "Jos\ufffd,1", "lostCharacters"],
    ["a GZIP archive", new Uint8Array(gzipSync("a,b")), "binary"],
    ["a PDF", bytesOf("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1"), "unknownEncoding"],
    ["a picture", hex("89504e470d0a1a0a0000000d49484452"), "binary"],
    ["a workbook of before 2007", hex("d0cf11e0a1b11ae1"), "workbook"],
    [
      "more rows than a list may have",
      "a,b\n".repeat(5030),
      ["a|b"].concat(Array(5019).fill("a|b")).join(" / "),
    ],
  ])("%s", (_, given, expected, encoding) => {
    expect(outcome(typeof given === "string" ? bytesOf(given) : given, encoding)).toBe(expected);
  });
});

const cell = (xml: string) => `<row r="1">${xml}</row>`;
const inline = (text: string) => `<is><t>${text}</t></is>`;
const sheet = (xml: string, more: Omit<MadeWorkbook, "sheets"> = {}) =>
  madeWorkbook({ sheets: { A: xml }, ...more });
const part = (name: string, xml: string) => sheet(cell('<c r="A1"><v>1</v></c>'), { parts: { [name]: xml } });
const value = (text: string, attributes = "") => sheet(cell(`<c r="A1" ${attributes}><v>${text}</v></c>`));
const relations = (target: string) =>
  `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="${target}"/></Relationships>`;

describe("a workbook", () => {
  test.each<[string, Uint8Array, string]>([
    // numbers
    ["a number in base 16", value("0x10"), "damagedWorkbook"],
    ["a number in base 2", value("0b1"), "damagedWorkbook"],
    ["an infinite number", value("Infinity"), "damagedWorkbook"],
    ["a number beyond all", value("1e400"), "damagedWorkbook"],
    ["no number", value("NaN"), "damagedWorkbook"],
    ["a number with a comma", value("5,5"), "damagedWorkbook"],
    ["a number in digits of Arabic", value("٥"), "damagedWorkbook"],
    ["a number with separators", value("1_000"), "damagedWorkbook"],
    ["two numbers", value("1 2"), "damagedWorkbook"],
    ["blanks around a number", value(" 5 "), "5"],
    ["a number in parts", sheet(cell('<c r="A1"><v>5<!-- 6 -->5</v></c>')), "55"],
    ["a number as CDATA", sheet(cell('<c r="A1"><v><![CDATA[59.6]]></v></c>')), "59.6"],
    ["a text as CDATA", sheet(cell('<c r="A1" t="inlineStr"><is><t><![CDATA[a<b]]></t></is></c>')), "a<b"],
    ["a number smaller than all", value("1e-400"), "0"],
    ["minus nothing", value("-0"), "0"],
    // other values
    ["a shared text that is not there", value("7", 't="s"'), "damagedWorkbook"],
    ["a shared text of no number", value("__proto__", 't="s"'), "damagedWorkbook"],
    ["half a shared text", value("0.5", 't="s"'), "damagedWorkbook"],
    ["a type that there is not", value("x", 't="z"'), "damagedWorkbook"],
    ["a day that there is not", value("2026-02-30", 't="d"'), "damagedWorkbook"],
    ["a day that is none", value("soon", 't="d"'), "damagedWorkbook"],
    ["a style that there is not", value("5", 's="9999"'), "5"],
    ["a style of no number", value("5", 's="x"'), "5"],
    ["an escaped null", sheet(cell(`<c r="A1" t="inlineStr">${inline("a_x0000_b")}</c>`)), "a\0b"],
    [
      "an escaped escape",
      sheet(cell(`<c r="A1" t="inlineStr">${inline("a_x005F_x0041_b")}</c>`)),
      "a_x0041_b",
    ],
    [
      "a text of 32,768 characters",
      sheet(cell(`<c r="A1" t="inlineStr">${inline("a".repeat(32_768))}</c>`)),
      "tooLongCell",
    ],
    [
      "a text of two megabytes",
      sheet(cell(`<c r="A1" t="inlineStr">${inline("a".repeat(2_000_000))}</c>`)),
      "tooManyCells",
    ],
    [
      "a text with 32,000 blanks",
      sheet(cell(`<c r="A1" t="inlineStr">${inline(`a${spaces.slice(9)}b`)}</c>`)),
      `a${spaces.slice(9)}b`,
    ],
    // places
    ["a row of no number", sheet('<row r="x"><c><v>1</v></c></row>'), "damagedWorkbook"],
    ["row 0", sheet('<row r="0"><c><v>1</v></c></row>'), "damagedWorkbook"],
    ["a row below zero", sheet('<row r="-1"><c><v>1</v></c></row>'), "damagedWorkbook"],
    ["half a row", sheet('<row r="1.5"><c><v>1</v></c></row>'), "damagedWorkbook"],
    ["a row beyond all", sheet('<row r="1e9"><c><v>1</v></c></row>'), "damagedWorkbook"],
    [
      "a row twice",
      sheet('<row r="1"><c><v>1</v></c></row><row r="1"><c><v>2</v></c></row>'),
      "damagedWorkbook",
    ],
    [
      "rows in the other order",
      sheet('<row r="2"><c><v>1</v></c></row><row r="1"><c><v>2</v></c></row>'),
      "damagedWorkbook",
    ],
    ["a cell twice", sheet(cell('<c r="A1"><v>1</v></c><c r="A1"><v>2</v></c>')), "damagedWorkbook"],
    ["a cell of another row", sheet(cell('<c r="A2"><v>1</v></c>')), "damagedWorkbook"],
    ["a cell without a column", sheet(cell('<c r="1"><v>1</v></c>')), "damagedWorkbook"],
    ["a cell without a row", sheet(cell('<c r="A"><v>1</v></c>')), "damagedWorkbook"],
    ["a cell in column 201", sheet(cell('<c r="GS1"><v>1</v></c>')), "tooManyColumns"],
    ["a cell in the last column of all", sheet(cell('<c r="XFD1"><v>1</v></c>')), "tooManyColumns"],
    ["cells within each other", sheet(cell('<c r="A1"><c r="B1"><v>1</v></c></c>')), "damagedWorkbook"],
    [
      "a cell that is merged with no cell",
      sheet(cell('<c r="A1"><v>1</v></c>'), { after: '<mergeCell ref="zzz"/>' }),
      "1",
    ],
    [
      "a cell that is merged with all rows",
      sheet(cell('<c r="A1"><v>1</v></c>'), { after: '<mergeCell ref="A1:A9999999"/>' }),
      "1",
    ],
    ["a formula without a value", sheet(cell('<c r="A1"><f>WEBSERVICE("http://x")</f></c>')), "#N/A"],
    // XML
    [
      "an external entity",
      part(
        "xl/worksheets/sheet1.xml",
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><worksheet>&a;</worksheet>',
      ),
      "damagedWorkbook",
    ],
    ["a document type", part("xl/workbook.xml", "<!DOCTYPE workbook><workbook/>"), "damagedWorkbook"],
    ["an entity of its own", part("xl/sharedStrings.xml", "<sst>&a;</sst>"), "damagedWorkbook"],
    ["101 levels of elements", part("xl/worksheets/sheet1.xml", "<a>".repeat(101)), "damagedWorkbook"],
    ["XML that ends early", part("xl/worksheets/sheet1.xml", "<worksheet><row>"), "damagedWorkbook"],
    ["an element that is closed twice", part("xl/worksheets/sheet1.xml", "<a></a></a>"), "damagedWorkbook"],
    [
      "an attribute twice",
      part("xl/worksheets/sheet1.xml", '<worksheet><row r="1" r="2"/></worksheet>'),
      "damagedWorkbook",
    ],
    ["a null in XML", part("xl/worksheets/sheet1.xml", "<worksheet>\0</worksheet>"), "damagedWorkbook"],
    ["no XML", part("xl/worksheets/sheet1.xml", "a,b"), "damagedWorkbook"],
    ["nothing", part("xl/worksheets/sheet1.xml", ""), "damagedWorkbook"],
    ["another main part", part("xl/workbook.xml", "<document/>"), "damagedWorkbook"],
    ["no sheets", part("xl/workbook.xml", "<workbook><sheets/></workbook>"), "noSheet"],
    ["an address that is none", part("xl/_rels/workbook.xml.rels", relations("http://[")), "damagedWorkbook"],
    [
      "an address with broken escapes",
      part("xl/_rels/workbook.xml.rels", relations("%zz")),
      "damagedWorkbook",
    ],
    [
      "a file of the machine",
      part("xl/_rels/workbook.xml.rels", relations("file:///etc/passwd")),
      "damagedWorkbook",
    ],
    [
      "a file above the archive",
      part("xl/_rels/workbook.xml.rels", relations("../../../../etc/passwd")),
      "damagedWorkbook",
    ],
    [
      "a sheet that is elsewhere",
      part(
        "xl/_rels/workbook.xml.rels",
        '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="http://x.test/" TargetMode="External"/></Relationships>',
      ),
      "noSheet",
    ],
    ["a sheet that is the workbook", part("xl/_rels/workbook.xml.rels", relations("workbook.xml")), "empty"],
    ["a sheet called __proto__", madeWorkbook({ sheets: { __proto__x: cell("<c><v>1</v></c>") } }), "1"],
    // archives
    ["an archive of nothing", zipSync({}), "binary"],
    ["an archive of a table", zipSync({ "a.csv": strToU8("a,b") }), "workbook"],
    ["an archive of an archive", zipSync({ "a.xlsx": value("1") }), "workbook"],
    [
      "an OpenDocument table",
      zipSync({
        mimetype: strToU8("application/vnd.oasis.opendocument.spreadsheet"),
        "content.xml": strToU8("<a/>"),
      }),
      "workbook",
    ],
    ["an archive without its end", value("1").subarray(0, 300), "damagedWorkbook"],
    ["the signature of an archive alone", hex("504b0304"), "damagedWorkbook"],
    [
      "an archive behind other bytes",
      new Uint8Array(Buffer.concat([hex("504b0304"), Buffer.alloc(1000), value("1")])),
      "damagedWorkbook",
    ],
    ["an archive that counts more files than it has", counting(value("1"), 9), "damagedWorkbook"],
    ["an archive that is encrypted", flagged(value("1"), 8, 1), "damagedWorkbook"],
    ["an archive that is packed in another way", flagged(value("1"), 10, 12), "damagedWorkbook"],
  ])("%s", (_, bytes, expected) => {
    expect(outcome(bytes)).toBe(expected);
  });

  test.each<[string, string | number, number, string]>([
    ["an era of Japan", "[$-411]ge.m.d", 44259, "R3.3.4"],
    ["its two letters", '[$-411]gge"年"m"月"d"日"', 44259, "令3年3月4日"],
    ["its three letters, without a language", 'ggge"年"m"月"d"日"', 44259, "令和3年3月4日"],
    ["an era before", '[$-411]ggge"年"', 32874, "平成2年"],
    ["two digits of its year", "[$-ja-JP-x-gannen]gee", 44259, "R03"],
    ["a year of Taiwan", "[$-404]e/m/d", 44259, "110/3/4"],
    ["its era", '[$-404]ggge"年"', 44259, "中華民國110年"],
    ["a year of Buddha", "bbbb", 44259, "2564"],
    ["two digits of it", "d/m/bb", 44259, "4/3/64"],
    ["the calendar of Thailand", "[$-107041E]d mmmm yyyy", 44259, "4 มีนาคม 2564"],
    ["the same by its tag", "[$-th-TH,107]yyyy", 44259, "2564"],
    ["a Hijri calendar", "B2yyyy-mm-dd", 44259, "1442-07-20"],
    ["the Gregorian one, stated", "B1d mmmm yyyy", 44259, "4 March 2021"],
    ["an era of nowhere", "[$-409]e-m-d", 44259, "2021-3-4"],
    ["a month of Hungary", "[$-40E]mmmm", 44259, "március"],
    ["a month of Turkey", "[$-41F]d mmmm yyyy", 44259, "4 Mart 2021"],
    ["a month of Czechia", "[$-405]mmmm", 44259, "březen"],
    ["a month of Russia beside a day", "[$-FC19]d mmmm yyyy", 44259, "4 марта 2021"],
    ["a month of Germany by its tag", "[$-de-DE]d. mmmm yyyy", 44259, "4. März 2021"],
    ["the reader's long date", "[$-x-sysdate]dddd", 44259, "2021-03-04"],
    ["a language that there is not", "[$-qq-QQ]mmmm", 44259, "March"],
    ["a unit without quotation marks", "0 g", 5, "5 g"],
    ["a currency with a language", "[$€-407]0.00", 5, "€5.00"],
    ["nothing but colours", "[Red][Blue]", 5, ""],
    ["a hundred conditions", "[>1]".repeat(60), 5, ""],
    ["255 sections", ";".repeat(254), 5, ""],
    ["256 characters", "0".repeat(256), 5, "damagedWorkbook"],
    ["255 characters", "0".repeat(255), 5, `${"0".repeat(254)}5`],
    ["255 points", ".".repeat(255), 5, ".".repeat(255)],
    ["120 percent signs", `0${"%".repeat(120)}`, 5, `5e+240${"%".repeat(120)}`],
    ["100 commas", `0${",".repeat(100)}`, 5, "0"],
    ["an open bracket", "[$-", 44259, "[$-"],
    ["an open quotation mark", '"a', 5, "a"],
    ["all letters of dates", "yyyymmddhhssgggeebbbb", 44259, "202103040000令和032564"],
  ])("shows %s", (_, format, number, expected) => {
    const bytes = sheet(cell(`<c r="A1" s="1"><v>${number}</v></c><c r="B1"><v>7</v></c>`), {
      formats: [format],
    });
    const shown = outcome(bytes);
    expect(shown.replace(/\|7$/, "")).toBe(expected);
  });
});

/** Changes the number of files that the end of an archive states. */
function counting(zip: Uint8Array, more: number): Uint8Array {
  const changed = zip.slice();
  const view = new DataView(changed.buffer);
  view.setUint16(zip.length - 12, view.getUint16(zip.length - 12, true) + more, true);
  return changed;
}

/** Changes a number in the first entry of an archive's directory. */
function flagged(zip: Uint8Array, offset: number, number: number): Uint8Array {
  const changed = zip.slice();
  const view = new DataView(changed.buffer);
  view.setUint16(view.getUint32(zip.length - 6, true) + offset, number, true);
  return changed;
}
