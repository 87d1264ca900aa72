import { describe, expect, test } from "vitest";
import { readOneRoster } from "#domain/rosters/one-roster.js";
import { readTableFile } from "#domain/rosters/read-table-file.js";
import { columnNames, type Mapping, readSpreadsheet } from "#domain/rosters/spreadsheet.js";
import { madeWorkbook } from "../text/tables/made-workbook.js";
import { archiveOf, CHEMISTRY, manifestOf, WHOLE } from "./archive.js";

const COURSE = "course-v1:Uni+C1+2026";
const read = (text: string, mapping?: Mapping) =>
  readSpreadsheet(readTableFile(Buffer.from(text), "grades.csv"), "grades.csv", mapping);

describe("a table", () => {
  test("has columns in any order, and gives records of each row", () => {
    const { records, rejects } = read(
      `Grade,E-Mail,Course,Completion,Name,Learner\n"85.5 %",zoe@uni.test,${COURSE},100,"Müller, Zoë",zoe\n`,
    );
    expect(rejects).toEqual([]);
    const of = { username: "zoe", courseKey: COURSE };
    expect(records.map(({ record }) => record)).toEqual([
      { kind: "learner", username: "zoe", fullName: "Müller, Zoë", learnerId: "", email: "zoe@uni.test" },
      { kind: "enrollment", username: "zoe", learningContextKey: COURSE, isActive: true },
      {
        kind: "subsectionGrade",
        ...of,
        usageKey: "course-total",
        assignmentType: "course total",
        earned: 85.5,
        possible: 100,
      },
      { kind: "courseGrade", ...of, percent: 0.855 },
      { kind: "completion", ...of, percent: 1 },
    ]);
  });

  const table = `learner;course;full_name;grade\r\nzoe;${COURSE};Zoë Müller;85,5\r\n`;
  const utf16 = (text: string, swap: boolean) => {
    const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
    return swap ? bytes.swap16() : bytes;
  };
  test.each<[string, Uint8Array]>([
    ["UTF-8 with semicolons", Buffer.from(table)],
    ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${table}`)],
    ["UTF-16, as Excel's Unicode text with tabs", utf16(table.replaceAll(";", "\t"), false)],
    ["UTF-16 with the other byte order", utf16(table, true)],
    ["with Excel's line that names the separator", Buffer.from(`sep=;\r\n${table}`)],
    [
      "with empty lines and spaces around values",
      Buffer.from(`${table.replaceAll(";", " ; ")}\r\n;;;\r\n\r\n`),
    ],
    ["with spaces around quotation marks", Buffer.from(table.replace("Zoë Müller", ' "Zoë Müller" '))],
    [
      "with a name that a spreadsheet was to take for text",
      Buffer.from(table.replace("zoe;", '"=""zoe""";')),
    ],
  ])("is read in %s", (_, bytes) => {
    const { records, rejects } = readSpreadsheet(readTableFile(bytes, "grades.csv"), "grades.csv");
    expect(rejects).toEqual([]);
    expect(records.map(({ record }) => record)).toMatchObject([
      { kind: "learner", fullName: "Zoë Müller" },
      { kind: "enrollment" },
      { kind: "subsectionGrade", earned: 85.5 },
      { kind: "courseGrade", percent: 0.855 },
    ]);
  });

  test("rejects rows with reasons, by their line in the file", () => {
    const rows = [`a,${COURSE},85`, `b,${COURSE},201`, `c,${COURSE},good`, `a,${COURSE},70`];
    const { records, rejects } = read(`learner,course,grade\n${rows.join("\n")}\n`);
    expect(records).toHaveLength(3);
    expect(rejects).toEqual([
      {
        file: "",
        line: 3,
        text: rows[1],
        reason: expect.stringContaining('grade is "201"; it must be a percentage'),
      },
      { file: "", line: 4, text: rows[2], reason: expect.stringContaining('grade is "good"') },
      { file: "", line: 5, text: rows[3], reason: "line 2 already has the same learner and course." },
    ]);
  });

  const canvas = [
    "Student,ID,SIS User ID,SIS Login ID,Section,Essay (17),Current Score,Final Score",
    ",,,,,Manual Posting,,",
    "    Points Possible,,,,,10,(read only),(read only)",
    '"Kovač, Ana",4,S1,ana,A,9,90.00,88.10',
    '"Student, Test",5,,f0e1,A,,,',
  ].join("\n");
  const mapped = {
    columns: {
      learner: "SIS Login ID",
      learner_id: "SIS User ID",
      sorted_name: "Student",
      grade: "final score",
      "enrollment.section": "Section",
    },
    course: COURSE,
  };

  test("keeps a learner's record if a row has no name, and the address if a row has none", () => {
    const { records } = read(
      `learner,course,full_name,email\nana,${COURSE},Ana Kovač,\nana,${COURSE},,\nben,${COURSE}, ,ben@uni.test`,
    );
    const learners = records.map(({ record }) => record).filter(({ kind }) => kind === "learner");
    expect(learners).toEqual([{ kind: "learner", username: "ana", fullName: "Ana Kovač", learnerId: "" }]);
  });

  test("knows the names of all columns as headings", () => {
    expect(columnNames.length).toBeGreaterThan(10);
    for (const name of columnNames) {
      const headings = [...new Set([name, "learner", "course"])];
      const text = `${headings.join(",")}\n${headings.map(() => "x").join(",")}\n`;
      expect(() => read(text), name).not.toThrow();
    }
  });

  test("reports addresses, IDs and attributes of rows without a name", () => {
    const text = `learner,course,email,learner_id,Unit\nana,${COURSE},ana@uni.test,7,A\nben,${COURSE},ben@uni.test,,\n`;
    expect(read(text, { columns: { "learner.unit": "Unit" } }).notes).toEqual([
      "line 2: learner.unit was left out, because there is no name. Add a column full_name.",
      "line 2 and 1 more: email was left out, because there is no name. Add a column full_name.",
      "line 2: learner_id was left out, because there is no name. Add a column full_name.",
    ]);
  });

  test("keeps a learner whose username is a label of sums, if the row has a course", () => {
    const { records, notes } = read(`learner,course,grade\nana,${COURSE},85\nmax,${COURSE},70\nmax,,85\n`);
    expect(records.map(({ record }) => record)).toMatchObject([
      ...["enrollment", "subsectionGrade", "courseGrade"].map((kind) => ({ kind, username: "ana" })),
      ...["enrollment", "subsectionGrade", "courseGrade"].map((kind) => ({ kind, username: "max" })),
    ]);
    expect(notes).toEqual(["line 4 is a sum or an average, and was left out: max,,85"]);
  });

  test("may be a gradebook, of which columns are mapped and others ignored", () => {
    const { records, rejects } = read(canvas, { ...mapped, ignoresOthers: true });
    expect(rejects).toEqual([]);
    expect(records.map(({ record }) => record)).toMatchObject([
      { kind: "learner", username: "ana", fullName: "Ana Kovač", learnerId: "S1" },
      { kind: "enrollment", learningContextKey: COURSE, attributes: { section: "A" } },
      { kind: "subsectionGrade", earned: 88.1 },
      { kind: "courseGrade", percent: 0.881 },
    ]);
  });

  test.each<[string, Mapping, string]>([
    ["others are not ignored", mapped, "Specify what it contains (--column"],
    [
      "a column is not there",
      { columns: { grade: "Total" }, course: COURSE },
      'has no column "Total" for grade',
    ],
    [
      "a name is not known",
      { columns: { colour: "ID" }, course: COURSE },
      'the unknown column name "colour"',
    ],
    ["there is no course", { ignoresOthers: true }, "state one course for all rows with --course"],
  ])("is refused as a gradebook if %s", (_, mapping, reason) => {
    expect(() => read(canvas, mapping)).toThrow(reason);
  });

  test("is refused until it is stated whether 0.855 is 85.5 %", () => {
    const text = `learner,course,grade\na,${COURSE},0.855\n`;
    expect(() => read(text)).toThrow("Is 0.855 the same as 85.5 %? If so, add --grades-are fractions");
    const earned = (gradesAre: "fractions" | "percentages") =>
      read(text, { gradesAre }).records.flatMap(({ record }) =>
        record.kind === "subsectionGrade" ? record.earned : [],
      );
    expect(earned("fractions")).toEqual([85.5]);
    expect(earned("percentages")).toEqual([0.855]);
  });

  test("rejects a row with a spreadsheet error, and reads a dash as no grade", () => {
    const { records, rejects } = read(`learner,course,grade\n#N/A,${COURSE},85\nb,${COURSE},-\n`);
    expect(rejects).toMatchObject([{ line: 2, reason: "learner is #N/A, which is not a value." }]);
    expect(records.map(({ record }) => record.kind)).toEqual(["enrollment"]);
  });

  test("may be a workbook", () => {
    const cells = (row: number, ...texts: string[]) =>
      `<row r="${row}">${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join("")}</row>`;
    const sheets = { Notes: cells(1, "x"), Grades: cells(1, "learner", "course") + cells(3, "ana", COURSE) };
    const table = readTableFile(madeWorkbook({ sheets }), "a.xlsx", { sheet: "Grades" });
    expect(readSpreadsheet(table, "a.xlsx").records).toMatchObject([
      { line: 3, record: { kind: "enrollment" } },
    ]);
    expect(() => readTableFile(madeWorkbook({ sheets }), "a.xlsx", { sheet: "None" })).toThrow(
      'a.xlsx has no sheet "None"; it has "Notes", "Grades".',
    );
  });

  test.each<[string, string, string]>([
    ["no columns that it needs", "learner,grade\nx,1\n", "has no column with the course"],
    ["an unknown column", "learner,course,colour\nx,y,z\n", 'an unknown column "colour"'],
    ["a column twice", "learner,course,username\nx,y,z\n", "mean the same"],
    [
      "fractions instead of percentages",
      `learner,course,grade\na,${COURSE},0.85\nb,${COURSE},1\n`,
      "looks like fractions",
    ],
    ["a quotation mark that is not closed", `learner,course\n"a,${COURSE}\n`, "is not closed"],
    [
      "a quotation mark within a value",
      `learner,course\na "b" c,"${COURSE}"x\n`,
      "line 2: a quotation mark is not closed",
    ],
    [
      "completion that is only 0 or 1",
      `learner,course,completion\na,${COURSE},1\nb,${COURSE},0\n`,
      "If 1 means complete, write 100 % instead of 1",
    ],
    [
      "names instead of usernames",
      `student,course\nAda Lovelace,${COURSE}\nBo Li,${COURSE}\n`,
      "contains names, such as Ada Lovelace",
    ],
    ["more values than columns", `learner,course\na,${COURSE},3\n`, "line 2: it has 3 values"],
    ["nothing", "", "is empty"],
  ])("is refused with %s", (_, text, reason) => {
    expect(() => read(text)).toThrow(reason);
  });
});

describe("an archive of OneRoster 1.2", () => {
  const files = {
    ...WHOLE,
    enrollments: WHOLE.enrollments.replace("e2,,", "e2,tobedeleted,"),
    manifest: manifestOf("bulk", WHOLE),
  };

  test("becomes learners, courses with weights, enrolments and grades; work not handed in has the grade 0", async () => {
    const { records, rejects } = await readOneRoster(archiveOf(files), "Uni");
    expect(rejects).toEqual([]);
    const { courseKey } = CHEMISTRY;
    expect(records.map(({ record }) => record)).toMatchObject([
      { kind: "learner", username: "ana", fullName: "Ana Kovač", email: "ana@uni.test", isActive: true },
      { kind: "learner", username: "ben" },
      CHEMISTRY,
      { kind: "enrollment", username: "ana", learningContextKey: courseKey, isActive: true },
      { kind: "enrollment", username: "ben", learningContextKey: courseKey, isActive: false },
      { kind: "subsectionGrade", username: "ana", usageKey: "l1", earned: 8, possible: 10 },
      { kind: "subsectionGrade", username: "ana", usageKey: "l2", earned: 0, possible: 50 },
    ]);
  });

  test.each<[string, (word: string) => string]>([
    ["lower case", (word) => word],
    ["upper case", (word) => word.toUpperCase()],
    ["capitals and spaces", (word) => ` ${word[0]?.toUpperCase()}${word.slice(1)} `],
  ])("can have its enumerated values in %s", async (_, as) => {
    const archive = archiveOf({
      ...files,
      users: `sourcedId,enabledUser,username,givenName,familyName\nu1,${as("true")},ana,A,A\nu2,${as("false")},ben,B,B\n`,
      enrollments: `sourcedId,status,classSourcedId,userSourcedId,role\ne1,${as("active")},k1,u1,${as("student")}\ne2,${as("tobedeleted")},k1,u2,${as("student")}\n`,
      results: `sourcedId,lineItemSourcedId,studentSourcedId,scoreStatus,score,inProgress,incomplete\nr1,l1,u1,${as("exempt")},9,,\nr2,l2,u1,${as("not submitted")},9,,\nr3,l1,u2,,9,${as("true")},\nr4,l2,u2,,9,,${as("true")}\n`,
    });
    const { records } = await readOneRoster(archive, "Uni");
    expect(records.map(({ record }) => record)).toMatchObject([
      { kind: "learner", username: "ana", isActive: true },
      { kind: "learner", username: "ben", isActive: false },
      CHEMISTRY,
      { kind: "enrollment", username: "ana", isActive: true },
      { kind: "enrollment", username: "ben", isActive: false },
      { kind: "subsectionGrade", username: "ana", earned: 0, possible: 0 },
      { kind: "subsectionGrade", username: "ben", earned: 0, possible: 10 },
      { kind: "subsectionGrade", username: "ana", earned: 0, possible: 50 },
      { kind: "subsectionGrade", username: "ben", earned: 0, possible: 50 },
    ]);
  });

  test("may be made from a folder, on Windows or a Mac", async () => {
    const inFolder = Object.entries(files).flatMap(([name, text]) => [
      [`Export\\${name}`, text],
      [`__MACOSX/Export/._${name}`, "attributes"],
    ]);
    const { records } = await readOneRoster(archiveOf(Object.fromEntries(inFolder)), "Uni");
    expect(records).toHaveLength(7);
  });

  test("uses the student's preferred name", async () => {
    const users =
      "sourcedId,username,givenName,familyName,preferredGivenName,preferredFamilyName\nu1,ana,Anastasia,Kovač,Ana,\nu2,ben,Ben,Bo,,Boe\n";
    const { records } = await readOneRoster(archiveOf({ ...files, users }), "Uni");
    const names = records.flatMap(({ record }) => (record.kind === "learner" ? record.fullName : []));
    expect(names).toEqual(["Ana Kovač", "Ben Boe"]);
  });

  test("names rows that refer to nothing", async () => {
    const enrollments = `${files.enrollments}e9,,k9,u1,student\n`;
    const { rejects } = await readOneRoster(archiveOf({ ...files, enrollments }), "Uni");
    expect(rejects).toEqual([
      {
        file: "enrollments.csv",
        line: 5,
        text: "e9,,k9,u1,student",
        reason: "its class is not in classes.csv or in an earlier file.",
      },
    ]);
  });

  test.each(["90,0", "30%", "-1", "Infinity"])(
    "with the weight %s leaves the course as it is",
    async (weight) => {
      const categories = `sourcedId,title,weight\nc1,Homework,10\nc2,Exam,"${weight}"\n`;
      const { records, rejects } = await readOneRoster(archiveOf({ ...files, categories }), "Uni");
      expect(records.filter(({ record }) => record.kind === "course")).toEqual([]);
      expect(rejects).toMatchObject([
        {
          file: "categories.csv",
          line: 3,
          reason: `weight is "${weight}"; it must be a number of at least 0.`,
        },
        {
          file: "classes.csv",
          line: 2,
          reason: "the weight of one of its categories is not a number of at least 0.",
        },
      ]);
    },
  );

  test("limits scores to the range of the line item, and rejects results that it doesn't understand", async () => {
    const results = `${WHOLE.results.split("\n")[0]}
r1,,l1,u1,fully graded,12
r2,,l2,u1,,-3
r3,,l1,u2,fully graded,Infinity
r4,,l2,u2,marked,40
`;
    const { records, rejects } = await readOneRoster(archiveOf({ ...files, results }), "Uni");
    expect(
      records.map(({ record }) => record).filter(({ kind }) => kind === "subsectionGrade"),
    ).toMatchObject([
      { username: "ana", earned: 10, possible: 10 },
      { username: "ana", earned: 0, possible: 50 },
    ]);
    expect(rejects.map(({ line, reason }) => [line, reason])).toEqual([
      [4, "score is not a number."],
      [5, 'scoreStatus is "marked", which OneRoster doesn\'t define.'],
    ]);
  });

  test.each<[string, Record<string, string>, string]>([
    ["no manifest", { users: "x" }, "has no manifest.csv"],
    ["two files of a name", { ...files, "copy/users": "x" }, "has two files named users.csv"],
    ["a file that is missing", { manifest: files.manifest }, "has no such file"],
    ["a column that is missing", { ...files, results: "sourcedId\n1\n" }, "results.csv lacks the columns"],
    ["another version", { manifest: manifestOf("bulk", WHOLE, "2.0") }, 'oneroster.version "2.0"'],
  ])("is refused with %s", async (_, content, reason) => {
    await expect(readOneRoster(archiveOf(content), "Uni")).rejects.toThrow(reason);
  });

  test("is refused if it is not an archive, or damaged", async () => {
    const cut = archiveOf(files).subarray(0, -30);
    for (const bytes of [Buffer.from("users"), cut])
      await expect(readOneRoster(bytes, "Uni")).rejects.toThrow("The file is not a ZIP archive");
  });
});
