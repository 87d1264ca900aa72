import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { BUILT } from "../support/built-main.js";
import { givenDirectory } from "../support/directory.js";
import { madeWorkbook } from "../text/tables/made-workbook.js";

const ROWS = 50_000;
const COLUMNS = 20;
const COURSE = "course-v1:Uni+C1+2026";

const directory = givenDirectory("many-rows");

test(`a gradebook of ${ROWS} learners and ${COLUMNS} columns becomes records within 256 MiB`, async () => {
  const file = join(directory, "gradebook.xlsx");
  const letters = Array.from({ length: COLUMNS }, (_, index) => String.fromCharCode(65 + index));
  const texts = ["Login", "Name", "Grade", ...letters.slice(3).map((letter) => `Task ${letter}`)];
  const heading = letters.map((letter, index) => `<c r="${letter}1" t="s"><v>${index}</v></c>`).join("");
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const row = index + 2;
    const cells = letters
      .slice(2)
      .map((letter, task) => `<c r="${letter}${row}"><v>${(index * 7 + task) % 101}</v></c>`);
    return `<row r="${row}"><c r="A${row}" t="inlineStr"><is><t>learner${index}</t></is></c><c r="B${row}" t="inlineStr"><is><t>Learner Number ${index}</t></is></c>${cells.join("")}</row>`;
  });
  const sheet = `<row r="1">${heading}</row>${rows.join("")}`;
  await writeFile(
    file,
    madeWorkbook({ sheets: { Gradebook: sheet }, texts: texts.map((text) => `<t>${text}</t>`) }),
  );

  const built = (path: string) => JSON.stringify(join(BUILT, "dist/src", path));
  // A child's `maxRSS` starts with the size of its parent, because Linux keeps the value over `exec`. VmHWM covers this
  // program only.
  const script = `
    import { readFileSync } from "node:fs";
    import { readTableFile } from ${built("domain/rosters/read-table-file.js")};
    import { readSpreadsheet } from ${built("domain/rosters/spreadsheet.js")};
    const table = readTableFile(readFileSync(${JSON.stringify(file)}), "gradebook.xlsx");
    const mapping = { columns: { learner: "Login", full_name: "Name", grade: "Grade" }, course: ${JSON.stringify(COURSE)}, ignoresOthers: true };
    const { records, rejects } = readSpreadsheet(table, "gradebook.xlsx", mapping);
    const [, peak] = /VmHWM:\\s+(\\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"));
    console.log(JSON.stringify({ count: records.length, rejected: rejects.length, peak: Number(peak) }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  const { count, rejected, peak } = JSON.parse(stdout);
  console.log(`peak of ${Math.round(peak / 1024)} MiB`);
  expect({ count, rejected }).toEqual({ count: 4 * ROWS, rejected: 0 });
  expect(peak).toBeLessThan(256 * 1024);
});
