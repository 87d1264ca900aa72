import { describe, expect, test } from "vitest";
import { readList } from "#console/issue-from-list/read-list.js";
import { readTableFile } from "#domain/rosters/read-table-file.js";
import { type Mapping, readSpreadsheet } from "#domain/rosters/spreadsheet.js";
import { madeWorkbook } from "../text/tables/made-workbook.js";

/*
 * Files like those of registrars. They are in a code page of Windows. They contain grades with hidden decimals, numbers
 * that a spreadsheet has shortened, titles above the headings, and averages below the rows.
 */

const COURSE = "course-v1:Uni+C1+2026";
const read = (file: string | Uint8Array, mapping: Mapping = {}, encoding?: "windows-1250") => {
  const bytes = typeof file === "string" ? new Uint8Array(Buffer.from(file)) : file;
  return readSpreadsheet(readTableFile(bytes, "grades.csv", { encoding }), "grades.csv", mapping);
};
const namesIn = (...given: Parameters<typeof read>) =>
  read(...given).records.flatMap(({ record }) => (record.kind === "learner" ? [record.fullName] : []));
const gradesIn = (...given: Parameters<typeof read>) =>
  read(...given).records.flatMap(({ record }) => (record.kind === "courseGrade" ? [record.percent] : []));

describe("a table in another encoding than UTF-8", () => {
  const file = Buffer.concat([
    Buffer.from(`learner;course;full_name;completion\r\nu0;${COURSE};`),
    Buffer.from("a3756b61737a20aff3b3e6", "hex"),
    Buffer.from(";95\r\n"),
  ]);

  test("is refused with the possible encodings, and read in the stated one", () => {
    expect(() => read(file)).toThrow(
      /not in UTF-8 or UTF-16.*--encoding windows-1252: £ukasz ¯ó³æ.*--encoding windows-1250: Łukasz Żółć.*big5/s,
    );
    expect(namesIn(file, {}, "windows-1250")).toEqual(["Łukasz Żółć"]);
  });

  test("is refused if it is not in the stated encoding", () => {
    expect(() => readTableFile(file, "a.csv", { encoding: "shift_jis" })).toThrow(
      /a.csv is not in shift_jis.*--encoding windows-1250/s,
    );
    expect(() => readTableFile(madeWorkbook({ sheets: { A: "" } }), "a.xlsx", { encoding: "gbk" })).toThrow(
      "remove --encoding",
    );
  });
});

/** Creates a workbook with one row per cell. Each cell consists of its format and its XML. */
function workbookOf(heading: string, cells: readonly (readonly [format: string, xml: string])[]): Uint8Array {
  const text = (column: string, row: number, value: string) =>
    `<c r="${column}${row}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const rows = cells.map(
    ([, xml], index) =>
      `<row r="${index + 2}">${text("A", index + 2, `u${index}`)}${text("B", index + 2, COURSE)}<c r="C${index + 2}" s="${index + 1}">${xml}</c></row>`,
  );
  const headings = `<row r="1">${text("A", 1, "learner")}${text("B", 1, "course")}${text("C", 1, heading)}</row>`;
  return madeWorkbook({
    sheets: { A: headings + rows.join("") },
    formats: cells.map(([format]) => format),
  });
}

describe("grades of a workbook", () => {
  test("are the stored numbers, however its cells display them", () => {
    const cells = [
      ["0", "<v>59.6</v>"],
      ["0%", "<v>0.596</v>"],
      ["0.0", "<v>59.99</v>"],
      ["#,##0", "<v>59.6</v>"],
      ['0" %"', "<v>59.6</v>"],
      ["0.00", "<v>60</v>"],
      ["General", "<v>59.6</v>"],
      ['[>=60]"passed";"failed"', "<v>75</v>"],
      [";;;", "<v>40.5</v>"],
      ["0.0E+00", "<v>85</v>"],
      ["0%", "<v>0.29</v>"],
    ] as const;
    expect(gradesIn(workbookOf("grade", cells))).toEqual([
      0.596, 0.596, 0.5999, 0.596, 0.596, 0.6, 0.596, 0.75, 0.405, 0.85, 0.29,
    ]);
  });

  test("are refused if a format hides that they are negative", () => {
    expect(read(workbookOf("grade", [["0;0", "<v>-5</v>"]])).rejects[0]?.reason).toContain('grade is "-5"');
  });
});

describe("identifiers", () => {
  test("of a workbook have all their digits, and the displayed zeros", () => {
    const cells = [
      ["0.00E+00", "<v>123456789012</v>"],
      ["#,##0", "<v>1234567</v>"],
      ["000000", "<v>123</v>"],
      ['"M-"0000', "<v>42</v>"],
      ["0.00", "<v>77</v>"],
      ["General", "<v>123456789012345</v>"],
    ] as const;
    const { records } = read(workbookOf("learner_id", cells), {
      columns: { learner: "learner_id", course: "course" },
      ignoresOthers: true,
    });
    expect(records.map(({ record }) => "username" in record && record.username)).toEqual([
      "123456789012",
      "1234567",
      "000123",
      "M-0042",
      "77",
      "123456789012345",
    ]);
  });

  test.each<[string, string]>([
    ["a number that Excel has shortened", "1.23457E+11"],
    ["with the comma of German", '"4,56789E+15"'],
    ["of another program", "1e+21"],
  ])("that are %s are refused", (_, id) => {
    const [, ...values] = read(`learner,course\n${id},${COURSE}\nana,${COURSE}\n`).rejects;
    expect(values).toEqual([]);
    expect(read(`learner,course\n${id},${COURSE}\n`).rejects[0]?.reason).toMatch(
      /a spreadsheet has changed it\. Format the column as text/,
    );
    const byId = `learner,course,name,learner_id\nana,${COURSE},Ana,${id}\n`;
    expect(read(byId).rejects[0]?.reason).toContain("learner_id is ");
  });

  test.each(["1e5", "E+1", "12E+3x", "null", "00123", "1.5", "1E5"])("such as %s are kept", (id) => {
    expect(read(`learner,course\n${id},${COURSE}\n`).records[0]?.record).toMatchObject({ username: id });
  });

  test.each<[string, string]>([
    ["General", "<v>20261234567890123</v>"],
    ["0", "<v>20261234567890123</v>"],
    ["yyyy-mm-dd", "<v>46203</v>"],
  ])("of a workbook in the format %s that differ from what was entered are refused", (format, xml) => {
    const mapping = { columns: { learner: "id", course: "course" }, ignoresOthers: true };
    expect(read(workbookOf("id", [[format, xml]]), mapping).rejects[0]?.reason).toContain(
      "a spreadsheet has changed it",
    );
  });

  test("whose last digits Excel has replaced with zeros are refused, but not those that end in one zero", () => {
    const table = (...ids: string[]) =>
      `learner,course\n${ids.map((each) => `${each},${COURSE}`).join("\n")}\n`;
    expect(() => read(table("20261234567890100", "20261234567890200"))).toThrow(
      "end in zeros from the 16th digit on, such as 20261234567890100",
    );
    expect(read(table("2026123456789010", "ana")).rejects).toEqual([]);
    expect(read(table("20261234567890100", "20261234567890123")).rejects).toEqual([]);
  });
});

describe("a mapping", () => {
  const table = `ID,Name,Course,E-mail,Progress,Final\nada,Ada Example,${COURSE},ada@example.org,100,80\n`;
  const columns = { learner: "ID", full_name: "Name", grade: "Final" };

  test("leaves out all columns that it does not name, and lists them", () => {
    const judged = read(table, { columns, ignoresOthers: true, course: "course-v1:Uni+D1+2026" });
    expect(judged.records.map(({ record }) => record)).toEqual([
      { kind: "learner", username: "ada", fullName: "Ada Example", learnerId: "" },
      { kind: "enrollment", username: "ada", learningContextKey: "course-v1:Uni+D1+2026", isActive: true },
      expect.objectContaining({ kind: "subsectionGrade", earned: 80 }),
      expect.objectContaining({ kind: "courseGrade", percent: 0.8 }),
    ]);
    expect(judged.notes).toEqual(['columns left out: "Course", "E-mail", "Progress".']);
  });

  test("does not decide between a stated course and a column of courses", () => {
    expect(() => read(table, { columns, course: "course-v1:Uni+D1+2026" })).toThrow(
      'has a column "Course" with the course, and --course is course-v1:Uni+D1+2026. Remove one of them',
    );
  });

  test("distinguishes headings that differ in case", () => {
    const text = `learner,course,grade,Grade\na,${COURSE},70,80\n`;
    expect(() => read(text)).toThrow('the columns "grade" and "Grade" mean the same');
    const named = { learner: "learner", course: "course", grade: "Grade" };
    expect(gradesIn(text, { columns: named, ignoresOthers: true })).toEqual([0.8]);
  });

  test("finds a heading of two lines", () => {
    const text = `learner,course,"Final\n Score"\na,${COURSE},80\n`;
    expect(gradesIn(text, { columns: { grade: "final score" } })).toEqual([0.8]);
  });
});

test.each<[string, number | string]>([
  ["103.5", 1],
  ["115 %", 1],
  ["200", 1],
  ["200.1", "with extra credit, up to 200 is accepted as 100"],
  ["850", "it must be a percentage"],
  ["٨٥٫٥", 0.855],
  ["８５", 0.85],
  ["59.9999999", 0.59999999],
])("a grade of %s is %s", (cell, expected) => {
  const text = `learner,course,grade\na,${COURSE},"${cell}"\n`;
  if (typeof expected === "number") expect(gradesIn(text)).toEqual([expected]);
  else expect(read(text).rejects[0]?.reason).toContain(expected);
});

describe("grades on another scale", () => {
  test.each(["1,3", "18", "27.5", "4"])("such as %s are not percentages unless stated", (grade) => {
    const text = `learner;course;Note\na;${COURSE};${grade}\nb;${COURSE};1\n`;
    const columns = { grade: "Note" };
    expect(() => read(text, { columns })).toThrow(
      /no value in the column Note is above 30.*--column letter="Note"/,
    );
    expect(gradesIn(text, { columns, gradesAre: "percentages" })).toHaveLength(2);
  });

  test.each([
    ["learner;course;Note;Bestanden\na;C;B+;ja\nb;C;D;nein", ["B+", "D"], [true, false]],
    ["learner;course;Voto;Superato\na;C;28/30;sì\nb;C;30 e lode;no", ["28/30", "30 e lode"], [true, false]],
    ["learner,course,letter,passed\na,C,A,yes\nb,C,-,-", ["A"], [true]],
  ])("are letter grades if nothing else is possible: %j", (text, letters, verdicts) => {
    const { records, rejects } = read(text.replaceAll("C;", `${COURSE};`).replaceAll(",C,", `,${COURSE},`));
    expect(rejects).toEqual([]);
    const results = records.flatMap(({ record }) => (record.kind === "courseGrade" ? [record] : []));
    expect(results.map(({ letter }) => letter)).toEqual(letters);
    expect(results.map(({ passed }) => passed)).toEqual(verdicts);
    expect(read(`learner,course,passed\na,${COURSE},perhaps\n`).rejects[0]?.reason).toBe(
      'The column passed contains "perhaps"; it must be yes or no.',
    );
  });

  test("with a percent sign are percentages, and low completion is not a grade", () => {
    expect(gradesIn(`learner,course,grade\na,${COURSE},5 %\n`)).toEqual([0.05]);
    expect(read(`learner,course,completion\na,${COURSE},5\n`).rejects).toEqual([]);
  });
});

describe("titles above, and totals below", () => {
  const titled = `Results of the summer term 2026;;\n;;\nlearner;course;grade\nada;${COURSE};95\nbo;${COURSE};65\n;;\nAverage;;80\n`;

  test("are left out, and reported", () => {
    const judged = read(titled);
    expect(judged.records.filter(({ record }) => record.kind === "enrollment")).toHaveLength(2);
    expect(judged.rejects).toEqual([]);
    expect(judged.notes).toEqual([
      "the headings are in line 3; the lines above it were left out.",
      "line 7 is a sum or an average, and was left out: Average;;80",
    ]);
  });

  test("are found in a workbook, too", () => {
    const text = (ref: string, value: string) => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const sheet = `<row r="1">${text("A1", "Grade report")}</row><row r="4">${text("A4", "learner")}${text("B4", "course")}${text("C4", "grade")}</row><row r="5">${text("A5", "ada")}${text("B5", COURSE)}<c r="C5"><v>95</v></c></row><row r="6">${text("B6", "Durchschnitt")}<c r="C6"><v>95</v></c></row>`;
    const after = '<mergeCells><mergeCell ref="A1:C2"/></mergeCells>';
    expect(gradesIn(madeWorkbook({ sheets: { A: sheet }, after }))).toEqual([0.95]);
  });

  test("may be excluded by stating the heading row", () => {
    const text = `learner,course\nwho,where\nada,${COURSE}\n`;
    const columns = { learner: "who", course: "where" };
    expect(read(text, { columns, headingRow: 2 }).records[0]?.record).toMatchObject({ username: "ada" });
    expect(() => read(text, { headingRow: 9 })).toThrow(
      "row 9, which should contain the headings, is empty or missing",
    );
  });

  test("are not mistaken for learners, nor learners for totals", () => {
    const { records, rejects } = read(
      `learner,course,name\ntotal,${COURSE},To Tal\nsum,${COURSE},Sum Moss\naverage,${COURSE},Average Joe\n`,
    );
    expect(rejects).toEqual([]);
    expect(records).toHaveLength(6);
  });
});

describe("the same cells", () => {
  const table = (name: string, learner = "ana") =>
    `username,course,name,grade,learner id\n${learner},${COURSE},${name},85.5 %,7\nbo,${COURSE},Bo,90 %,8\n`;
  /** Returns the first row as the command line reads it, and as the console reads it. */
  const both = (text: string) => {
    const [byCommand] = read(text).records.flatMap(({ record }) =>
      record.kind === "learner" ? [record] : [],
    );
    const list = readList({ source: { kind: "text", text }, choices: {} }, "en").list;
    const [byConsole] = list?.learners ?? [];
    return [
      [byCommand?.username, byCommand?.fullName, byCommand?.learnerId],
      [byConsole?.username, byConsole?.fullName, byConsole?.facts.learnerId],
    ];
  };

  test.each<[string, string, string, string?, string?]>([
    ["a text that a spreadsheet was to keep", "Ana", "Ana", '="00123"', "00123"],
    ["the same, quoted", "Ana", "Ana", '"=""00123"""', "00123"],
    ["a name on two lines", '"Ana\nKovač"', "Ana Kovač"],
    ["a name on three lines of Windows", '"Ana\r\n Maria\r\n\r\nKovač"', "Ana Maria Kovač"],
    ["a nickname in quotation marks", 'Ana "Ani" Kovač', 'Ana "Ani" Kovač'],
    ["a nickname in doubled quotation marks", '"Ana ""Ani"" Kovač"', 'Ana "Ani" Kovač'],
    ["spaces around quotation marks", ' "Kovač Ana" ', "Kovač Ana"],
    ["marks that nobody sees", "\u200bAna\u2060\ufeff", "Ana"],
    ["an apostrophe that keeps zeros", "Ana", "Ana", "'007", "007"],
    ["a name that begins with one", "'t Hooft", "'t Hooft"],
  ])(
    "are read the same by command and in the console: %s",
    (_, name, fullName, learner, username = "ana") => {
      const expected = [username, fullName, "7"];
      expect(both(table(name, learner))).toEqual([expected, expected]);
    },
  );

  test.each<[string, string, string, object]>([
    [
      "a quotation mark that is not closed",
      'username,course,name\nana,x,"Ana\nbo,x,Bo\n',
      "grades.csv, line 3: a quotation mark is not closed",
      { fault: "openQuote", line: 3 },
    ],
    [
      "lost characters",
      "username,course,name\nana,x,Jos\ufffd\n",
      "grades.csv has lost characters",
      { fault: "lostCharacters" },
    ],
    [
      "201 columns",
      `username,course,name\nana${",".repeat(200)}x\n`,
      "grades.csv, line 2: it has 201 values; at most 200 are accepted.",
      { fault: "tooManyColumns", line: 2, count: 201 },
    ],
    [
      "a cell of 40,000 characters",
      `username,course,name\nana,x,${"x".repeat(40_000)}\n`,
      "grades.csv, line 2: a value has 40000 characters",
      { fault: "tooLongCell", line: 2, count: 40_000 },
    ],
    ["nothing", ",,\n", "grades.csv is empty", { fault: "empty" }],
  ])("are refused by both for the same reason: %s", (_, text, message, fault) => {
    expect(() => read(text)).toThrow(message);
    expect(readList({ source: { kind: "text", text }, choices: {} }, "en").fault).toMatchObject(fault);
  });
});
