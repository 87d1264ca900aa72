import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { BUILT } from "../../support/built-main.js";
import { givenDirectory } from "../../support/directory.js";
import { madeWorkbook } from "./made-workbook.js";

/*
 * Small files that unpack to a lot of data. The command line may use a gigabyte of memory and a minute of processor
 * time for each file, and the console may use half of both. Within these limits, each file must be read or refused.
 */
const COMMAND = { megabytes: 1024, seconds: 60, most: 1_000_000, maxBytes: 512 * 1024 * 1024 };
const CONSOLE = { megabytes: 512, seconds: 30, most: 5000, maxBytes: 100 * 1024 * 1024 };

const directory = givenDirectory("large-attacks");
const script = `
  import { readFileSync } from "node:fs";
  import { readTableBytes } from ${JSON.stringify(join(BUILT, "dist/src/foundation/text/tables/file/read-table-bytes.js"))};
  const [, file, most, maxBytes] = process.argv;
  const since = process.cpuUsage();
  const { table, fault } = readTableBytes(readFileSync(file), { most: Number(most), maxBytes: Number(maxBytes) });
  const { user, system } = process.cpuUsage(since);
  console.log(JSON.stringify({ outcome: fault?.fault ?? "read " + table.count + " rows", seconds: (user + system) / 1e6 }));
`;

const rows = (count: number, cell: string) =>
  Array.from(
    { length: count },
    (_, index) => `<row r="${index + 1}">${cell.replaceAll("#", String(index + 1))}</row>`,
  ).join("");
const sheet = (name: string, xml: string) => {
  const parts = { [`xl/${name}`]: xml };
  return madeWorkbook({ sheets: { A: "" }, parts });
};
const within = (open: string, inner: string, close: string) =>
  sheet("worksheets/sheet1.xml", `<worksheet>${open}${inner}${close}</worksheet>`);
const SHEET = "worksheets/sheet1.xml";
const million = 1_000_000;

test.each<[string, () => Uint8Array, string]>([
  [
    "100,000 cells that share a text of 30,000 characters",
    () =>
      madeWorkbook({
        sheets: { A: rows(5000, Array.from({ length: 20 }, () => '<c t="s"><v>0</v></c>').join("")) },
        texts: [`<t>${"ab".repeat(15_000)}</t>`],
      }),
    "tooManyCells",
  ],
  ["20 million levels of elements", () => sheet(SHEET, "<a>".repeat(20 * million)), "damagedWorkbook"],
  ["17 million empty cells", () => within("<row>", "<c/>".repeat(17 * million), "</row>"), "tooManyCells"],
  [
    "50,000 cells in a format of a megabyte",
    () =>
      madeWorkbook({
        sheets: { A: rows(5000, '<c s="1"><v>1</v></c>'.repeat(10)) },
        formats: ["0-".repeat(million / 2)],
      }),
    "damagedWorkbook",
  ],
  [
    "50,000 days in a format of 51 months",
    () =>
      madeWorkbook({
        sheets: { A: rows(5000, '<c s="1"><v>46203</v></c>'.repeat(10)) },
        formats: ["mmmm ".repeat(51)],
      }),
    "read 5000 rows",
  ],
  [
    "50,000 days of Japan",
    () =>
      madeWorkbook({
        sheets: { A: rows(5000, '<c s="1"><v>46203</v></c>'.repeat(10)) },
        formats: ["[$-411]ggge"],
      }),
    "read 5000 rows",
  ],
  [
    "five million merged cells",
    () =>
      madeWorkbook({
        sheets: { A: rows(2, '<c r="A#"><v>1</v></c>') },
        after: '<mergeCell ref="A1:A2"/>'.repeat(5 * million),
      }),
    "tooManyCells",
  ],
  [
    "a thousand merged cells over all rows",
    () =>
      madeWorkbook({
        sheets: { A: rows(5000, '<c r="A#"><v>1</v></c>') },
        after: '<mergeCell ref="A1:A1048576"/>'.repeat(1000),
      }),
    "tooManyCells",
  ],
  [
    "a text of 90 million characters",
    () => within("<row><c><v>", "1".repeat(90 * million), "</v></c></row>"),
    "tooManyCells",
  ],
  [
    "an attribute of 90 million characters",
    () => sheet(SHEET, `<worksheet a="${"1".repeat(90 * million)}"/>`),
    "tooManyCells",
  ],
  [
    "a tag of five million attributes",
    () =>
      sheet(
        SHEET,
        `<worksheet ${Array.from({ length: 5 * million }, (_, index) => `a${index.toString(36)}=""`).join(" ")}/>`,
      ),
    "tooManyCells",
  ],
  [
    "a comment of 90 million characters",
    () => within("<!--", "a".repeat(90 * million), "-->"),
    "tooManyCells",
  ],
  [
    "an instruction of 90 million characters",
    () => within("<?a ", "a".repeat(90 * million), "?>"),
    "tooManyCells",
  ],
  [
    "80,000 formats",
    () =>
      sheet(
        "styles.xml",
        `<styleSheet><cellXfs>${'<xf numFmtId="14"/>'.repeat(80_000)}</cellXfs></styleSheet>`,
      ),
    "tooManyCells",
  ],
  [
    "2,000 sheets",
    () =>
      madeWorkbook({
        sheets: Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`s${index}`, ""])),
      }),
    "tooManyCells",
  ],
  [
    "three million texts that no cell shows",
    () => sheet("sharedStrings.xml", `<sst>${"<si><t>aaaaaaaaaaaaa</t></si>".repeat(3 * million)}</sst>`),
    "empty",
  ],
  [
    "relations that are no addresses",
    () =>
      sheet(
        "_rels/workbook.xml.rels",
        `<Relationships>${'<Relationship Id="a" Target="%"/>'.repeat(million)}</Relationships>`,
      ),
    "damagedWorkbook",
  ],
  [
    "5,000 cells with 30,000 blanks within",
    () =>
      madeWorkbook({
        sheets: { A: rows(3000, '<c t="s"><v>0</v></c>') },
        texts: [`<t>a${" ".repeat(30_000)}b</t>`],
      }),
    "read 3000 rows",
  ],
  [
    "an archive of 64,000 files",
    () =>
      zipSync(Object.fromEntries(Array.from({ length: 64_000 }, (_, index) => [`${index}`, strToU8("")]))),
    "damagedWorkbook",
  ],
  [
    "five million delimiters in rows of 250",
    () => strToU8(`${",".repeat(250)}\n`.repeat(20_000)),
    "tooManyColumns",
  ],
  ["five million empty rows", () => strToU8("\n".repeat(5 * million)), "empty"],
  ["rows of 100 empty cells", () => strToU8(`${",".repeat(99)}\n`.repeat(50_000)), "empty"],
  [
    "a quotation mark at the start of five million characters",
    () => strToU8(`"${"a,b\n".repeat(million)}`),
    "openQuote",
  ],
])("%s", { timeout: 900_000 }, async (name, make, expected) => {
  const file = join(directory, `${name}.bin`);
  await writeFile(file, make());
  for (const { megabytes, seconds, most, maxBytes } of [COMMAND, CONSOLE]) {
    const flags = [`--max-old-space-size=${megabytes}`, "--input-type=module", "-e", script];
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...flags,
      file,
      String(most),
      String(maxBytes),
    ]);
    const read = JSON.parse(stdout) as { outcome: string; seconds: number };
    expect(read.outcome).toBe(expected);
    expect(read.seconds).toBeLessThan(seconds);
  }
});
