import { invalid } from "#foundation/errors.js";
import { MAX_ROWS, noFile } from "#foundation/text/no-file.js";
import {
  type GradesAre,
  haveLostDigits,
  isErrorValue,
  isNoGrade,
  isWrittenGrade,
  readIdentifier,
  readPercentage,
  readTotal,
  readVerdict,
  storedCell,
  unclearGrades,
  unsortedName,
} from "#foundation/text/tables/cell-values.js";
import {
  type ColumnMeaning,
  mayHaveGrades,
  meaningsOfHeadings,
  personalMeanings,
  rowOfHeadings,
} from "#foundation/text/tables/column-headings.js";
import { countSums, withoutNotes } from "#foundation/text/tables/gradebook-notes.js";
import { from, type Row, type Table } from "#foundation/text/tables/table.js";
import { TOTAL_KEY, TOTAL_TYPE } from "#foundation/text/total-type.js";
import type { PlainRecord } from "../learners/plain-record.js";
import type { CheckedFile, RecordWithLine, Reject } from "./judged.js";

/** Column names in mappings. A table's headings may use them, too. */
export const columnNames = [
  "learner",
  "course",
  "full_name",
  "given_name",
  "family_name",
  "sorted_name",
  "email",
  "learner_id",
  "grade",
  "letter",
  "passed",
  "completion",
] as const;

type ColumnName = (typeof columnNames)[number];

/** Matches an attribute of the learner's or the enrolment's record. */
const attribute = /^(learner|enrollment)\.(.+)$/;

/** Headings that are recognised in addition to the headings common to all tables. */
const names: Readonly<Record<string, ColumnName>> = {
  ...Object.fromEntries(columnNames.map((name) => [name, name])),
  course_key: "course",
  "course key": "course",
  course_id: "course",
  "course id": "course",
  "learner name": "full_name",
  "completion %": "completion",
  "completion (%)": "completion",
  progress: "completion",
};

const nameOf: Readonly<Partial<Record<ColumnMeaning, ColumnName>>> = {
  username: "learner",
  fullName: "full_name",
  givenName: "given_name",
  familyName: "family_name",
  sortedName: "sorted_name",
  email: "email",
  learnerId: "learner_id",
  grade: "grade",
  letterGrade: "letter",
  passed: "passed",
};

/** How to read the columns of a table, if its headings don't say enough. */
export interface Mapping {
  /** Headings by column name; `learner.<key>` and `enrollment.<key>` are attributes. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether to ignore all columns except the columns in `columns` or, if `columns` is empty, the recognised columns.
   */
  readonly ignoresOthers?: boolean | undefined;
  /** Number of the heading row, if an earlier row could be mistaken for it. */
  readonly headingRow?: number | undefined;
  /** The course of all rows, if the table has no course column. */
  readonly course?: string | undefined;
  /** How to read grades that look like fractions; default: they are rejected. */
  readonly gradesAre?: GradesAre | undefined;
}

/**
 * Reads a table with one row per learner and course. Columns are recognised by their headings, in any order. Every row
 * is an enrolment. Grades and completion are percentages.
 * @throws Problem `invalid` if a column is missing or not recognised, or if percentages look like fractions
 */
export function readSpreadsheet(table: Table, what: string, mapping: Mapping = {}): CheckedFile {
  const headed = headedTable(table, what, mapping);
  const [first, ...others] = headed.rows;
  const headings = first?.cells ?? [];
  const { columns, leftOut } = recognise(headings, others, what, mapping);
  const emptyInSums = [...personalMeanings.map((meaning) => nameOf[meaning] ?? ""), "course"];
  const sums = countSums(
    others,
    emptyInSums.flatMap((name) => columns.get(name) ?? []),
  );
  const rows = withoutNotes(headings, others.slice(0, others.length - sums));
  refuseUnclearGrades(rows, columns, { what, headings, mapping });
  refuseLostDigits(rows, columns, what);
  refuseNames(rows, columns, { what, headings, mapping });
  const records: RecordWithLine[] = [];
  const rejects: Reject[] = [];
  const seen = new Map<string, number>();
  for (const row of rows) {
    if (row.cells.slice(headings.length).some((cell) => cell !== "")) {
      throw invalid(
        `${what}, line ${row.line}: it has ${row.cells.length} values, but the header has ${headings.length} names.`,
      );
    }
    try {
      const own = recordsOf(row, columns, mapping);
      const key = JSON.stringify([identifier(row, columns, "learner"), courseOf(row, columns, mapping)]);
      const earlier = seen.get(key);
      if (earlier !== undefined) throw invalid(`line ${earlier} already has the same learner and course.`);
      seen.set(key, row.line);
      const { line, text } = row;
      for (const record of own) records.push({ line, file: "", text, record });
    } catch (error) {
      rejects.push({ line: row.line, file: "", text: row.text, reason: (error as Error).message });
    }
  }
  const notes = [
    ...(headed === table
      ? []
      : [`the headings are in line ${first?.line}; the lines above it were left out.`]),
    ...(leftOut.length > 0 ? [`columns left out: ${inQuotes(leftOut)}.`] : []),
    ...others
      .slice(others.length - sums)
      .map(({ line, text }) => `line ${line} is a sum or an average, and was left out: ${text}`),
    ...notesOfNameless(rows, columns),
  ];
  return { records, rejects, notes };
}

/** Returns notes on values that were left out because a learner's record requires a name. */
function notesOfNameless(rows: readonly Row[], columns: Columns): string[] {
  const ofLearner = [...columns].filter(
    ([name]) => name === "email" || name === "learner_id" || name.startsWith("learner."),
  );
  const nameless = rows.filter((row) => fullNameOf(row, columns) === "");
  return ofLearner.flatMap(([name, column]) => {
    const [first, ...more] = nameless.filter((row) => read(row, column) !== "");
    return first === undefined
      ? []
      : [
          `line ${first.line}${more.length > 0 ? ` and ${more.length} more` : ""}: ${name} was left out, because ` +
            "there is no name. Add a column full_name.",
        ];
  });
}

/** Returns the table, starting with its heading row. @throws Problem `invalid` if there is no such row */
function headedTable(table: Table, what: string, mapping: Mapping): Table {
  const index = headingIndex(table, what, mapping);
  const headed = from(table, index, { most: MAX_ROWS });
  if ("fault" in headed) throw noFile(what, headed);
  return headed;
}

function headingIndex({ rows }: Table, what: string, { columns = {}, headingRow }: Mapping): number {
  if (headingRow !== undefined) {
    const index = rows.findIndex(({ number }) => number === headingRow);
    if (index >= 0) return index;
    throw invalid(`${what}: row ${headingRow}, which should contain the headings, is empty or missing.`);
  }
  const mappedHeadings = new Set(Object.values(columns).map(wantedHeading));
  return rowOfHeadings(rows, (heading) =>
    mappedHeadings.has(wantedHeading(heading)) ? heading : meaningsOfEach([heading])[0],
  );
}

type Columns = ReadonlyMap<string, number>;

interface TableReading {
  readonly what: string;
  readonly headings: readonly string[];
  readonly mapping: Mapping;
}

function recognise(
  headings: readonly string[],
  rows: readonly Row[],
  what: string,
  mapping: Mapping,
): { readonly columns: Columns; readonly leftOut: readonly string[] } {
  const columns = new Map(Object.entries(mapping.columns ?? {}).map((each) => mapped(each, headings, what)));
  const taken = new Set(columns.values());
  const leftOut: string[] = [];
  const readsNamedAlone = mapping.ignoresOthers === true && columns.size > 0;
  const meanings = readsNamedAlone ? [] : meaningsBelow(headings, rows);
  for (const [index, heading] of headings.entries()) {
    if (taken.has(index)) continue;
    const name = meanings[index];
    const isMapped = name !== undefined && mapping.columns?.[name] !== undefined;
    if (
      (name === undefined && heading !== "" && !mapping.ignoresOthers) ||
      (isMapped && !mapping.ignoresOthers)
    ) {
      throw invalid(
        `${what} has an unknown column ${JSON.stringify(heading)}. The known columns are ${columnNames.join(", ")}. ` +
          `Specify what it contains (--column ${mayHaveGrades(heading) ? "letter" : "grade"}=${JSON.stringify(heading)}), remove it, or add --ignore-other-columns. ` +
          "If the headings are in another row, specify it: --heading-row 3.",
      );
    }
    if (name === undefined || isMapped) {
      if (heading !== "") leftOut.push(heading);
      continue;
    }
    const other = columns.get(name);
    if (other !== undefined) {
      throw invalid(
        `${what}: the columns ${JSON.stringify(headings[other])} and ${JSON.stringify(heading)} mean the same. ` +
          `Name the columns to read, and leave the others out: --column ${name}=${JSON.stringify(heading)} --ignore-other-columns.`,
      );
    }
    columns.set(name, index);
  }
  if (!columns.has("learner"))
    throw invalid(
      `${what} has no column with the learner; it has ${inQuotes(headings)}. ` +
        `Name the column: --column learner=${JSON.stringify(headings[0])}.`,
    );
  if (!columns.has("course") && mapping.course === undefined)
    throw invalid(
      `${what} has no column with the course; it has ${inQuotes(headings)}. ` +
        "Name the column with --column course=…, or state one course for all rows with --course.",
    );
  const course = columns.get("course");
  if (course !== undefined && mapping.course !== undefined) {
    throw invalid(
      `${what} has a column ${JSON.stringify(headings[course])} with the course, and --course is ${mapping.course}. ` +
        "Remove one of them, or name the columns to read by --column, and add --ignore-other-columns.",
    );
  }
  return { columns, leftOut };
}

function inQuotes(texts: readonly string[]): string {
  return texts.map((each) => JSON.stringify(each)).join(", ");
}

function wantedHeading(text: string): string {
  return text.trim().replace(/\s+/g, " ").toLowerCase();
}

/** @throws Problem `invalid` if there is no such column name or heading */
function mapped(
  [name, heading]: [string, string],
  headings: readonly string[],
  what: string,
): [string, number] {
  if (!(columnNames as readonly string[]).includes(name) && !attribute.test(name)) {
    throw invalid(
      `A mapping has the unknown column name ${JSON.stringify(name)}. The known names are ${columnNames.join(", ")}, learner.<key> and enrollment.<key>.`,
    );
  }
  const wanted = wantedHeading(heading);
  const exact = headings.indexOf(heading.trim());
  const index = exact >= 0 ? exact : headings.findIndex((each) => wantedHeading(each) === wanted);
  if (index >= 0) return [name, index];
  throw invalid(
    `${what} has no column ${JSON.stringify(heading)} for ${name}; it has ${inQuotes(headings)}.`,
  );
}

/** Returns the meaning of each column. The cells show whether grades are percentages or letters. */
function meaningsBelow(headings: readonly string[], rows: readonly Row[]): (string | undefined)[] {
  return meaningsOfEach(headings).map((meaning, index) => {
    if (!mayHaveGrades(headings[index] ?? "") || (meaning !== undefined && meaning !== "grade"))
      return meaning;
    const cells = rows.map((row) => read(row, index)).filter((cell) => !isNoGrade(cell));
    if (cells.length > 0 && cells.every(isWrittenGrade)) return "letter";
    return cells.length > 0 && cells.every((cell) => /[%٪％]/.test(cell)) ? "grade" : meaning;
  });
}

/** Returns the meaning of each heading. Several headings may have the same meaning. */
function meaningsOfEach(headings: readonly string[]): (string | undefined)[] {
  const together = meaningsOfHeadings(headings);
  return headings.map((heading, index) => {
    const own = names[heading.toLowerCase()];
    if (own !== undefined) return own;
    const meaning = together[index] ?? meaningsOfHeadings([heading])[0];
    return meaning && nameOf[meaning];
  });
}

/**
 * Rejects columns whose values look like fractions, or like grades on another scale. Read as percentages, these values
 * would be so low that every learner could fail.
 */
function refuseUnclearGrades(
  rows: readonly Row[],
  columns: Columns,
  { what, headings, mapping }: TableReading,
): void {
  if (mapping.gradesAre !== undefined) return;
  for (const name of ["grade", "completion"]) {
    const column = columns.get(name);
    const unclear =
      column === undefined ? undefined : unclearGrades(rows.map((row) => storedCell(row, column)));
    if (column === undefined || !unclear) continue;
    const { may, example } = unclear;
    if (may === "fractions")
      throw invalid(
        `${what}: the column ${headings[column]} looks like fractions. Is ${example} the same as ` +
          `${readPercentage(example, "fractions")} %? If so, add --grades-are fractions; otherwise, --grades-are percentages.`,
      );
    if (name === "grade")
      throw invalid(
        `${what}: no value in the column ${headings[column]} is above 30 (for example ${example}). If these are percentages, ` +
          "add --grades-are percentages. If they are on another scale, import them unchanged as letter grades: " +
          `--column letter=${JSON.stringify(headings[column])}.`,
      );
    // Only 0 and 1 are unclear. Other low completion is normal in a course that has just begun.
    const cells = rows.map((row) => storedCell(row, column)).filter((cell) => !isNoGrade(cell));
    if (cells.every((cell) => /^[01](?:[.,]0+)?$/.test(cell)))
      throw invalid(
        `${what}: the column ${headings[column]} contains only 0 and 1. If 1 means complete, write 100 % instead of 1. ` +
          "If it means 1 %, add --grades-are percentages.",
      );
  }
}

/** @throws Problem `invalid` if the column that was taken for usernames contains names */
function refuseNames(
  rows: readonly Row[],
  columns: Columns,
  { what, headings, mapping }: TableReading,
): void {
  const column = columns.get("learner");
  if (column === undefined || mapping.columns?.learner !== undefined) return;
  const names = rows.map((row) => read(row, column)).filter((cell) => /\p{L}[,.]? +\p{L}/u.test(cell));
  const [example] = names;
  if (example === undefined || names.length * 2 <= rows.length) return;
  throw invalid(
    `${what}: the column ${headings[column]} contains names, such as ${example}, and no column contains usernames. ` +
      `Add a column with usernames, and name both: --column learner=… --column full_name=${JSON.stringify(headings[column])}.`,
  );
}

/** @throws Problem `invalid` if a spreadsheet program has replaced digits of identifiers with zeros */
function refuseLostDigits(rows: readonly Row[], columns: Columns, what: string): void {
  for (const name of ["learner", "learner_id"]) {
    const column = columns.get(name);
    if (column === undefined || !haveLostDigits(rows.map((row) => read(row, column)))) continue;
    const [example] = rows.flatMap((row) => (read(row, column).length > 15 ? [read(row, column)] : []));
    throw invalid(
      `${what}: the column of ${name} has numbers that end in zeros from the 16th digit on, such as ${example}. ` +
        "Spreadsheets keep 15 digits of a number: format the column as text, and export it again.",
    );
  }
}

/** @throws Problem `invalid` for an identifier that a spreadsheet program has turned into a number */
function identifier(row: Row, columns: Columns, name: string): string {
  const column = columns.get(name);
  const text = column === undefined ? "" : readIdentifier(row, column);
  if (text !== undefined) return text;
  throw invalid(
    `${name} is ${read(row, column)}: a spreadsheet has changed it. Format the column as text, and enter or export it again.`,
  );
}

function recordsOf(row: Row, columns: Columns, mapping: Mapping): PlainRecord[] {
  const cell = (name: string) => read(row, columns.get(name));
  for (const name of columns.keys()) {
    if (isErrorValue(cell(name))) throw invalid(`${name} is ${cell(name)}, which is not a value.`);
  }
  const username = identifier(row, columns, "learner");
  const courseKey = courseOf(row, columns, mapping);
  const grade = percentOf(row, columns, "grade", mapping);
  const letter = isNoGrade(cell("letter")) ? "" : cell("letter");
  const passed = verdictOf(cell("passed"));
  const completion = percentOf(row, columns, "completion", mapping);
  const fullName = fullNameOf(row, columns);
  const email = cell("email");
  const ofLearner = attributesOf(row, columns, "learner");
  const ofEnrollment = attributesOf(row, columns, "enrollment");
  return [
    ...(fullName !== ""
      ? [
          {
            kind: "learner" as const,
            username,
            fullName,
            learnerId: identifier(row, columns, "learner_id"),
            ...(email !== "" && { email }),
            ...(ofLearner && { attributes: ofLearner }),
          },
        ]
      : []),
    {
      kind: "enrollment",
      username,
      learningContextKey: courseKey,
      isActive: true,
      ...(ofEnrollment && { attributes: ofEnrollment }),
    },
    ...(grade === undefined
      ? []
      : [
          {
            kind: "subsectionGrade" as const,
            username,
            courseKey,
            usageKey: TOTAL_KEY,
            assignmentType: TOTAL_TYPE,
            earned: grade,
            possible: 100,
          },
        ]),
    ...(grade === undefined && letter === "" && passed === undefined
      ? []
      : [
          {
            kind: "courseGrade" as const,
            username,
            courseKey,
            ...(grade !== undefined && { percent: fractionOf(grade) }),
            ...(letter !== "" && { letter }),
            ...(passed !== undefined && { passed }),
          },
        ]),
    ...(completion === undefined
      ? []
      : [{ kind: "completion" as const, username, courseKey, percent: fractionOf(completion) }]),
  ];
}

function fullNameOf(row: Row, columns: Columns): string {
  const cell = (name: string) => read(row, columns.get(name));
  return (
    cell("full_name") ||
    unsortedName(cell("sorted_name")) ||
    [cell("given_name"), cell("family_name")].filter((part) => part !== "").join(" ")
  );
}

function verdictOf(cell: string): boolean | undefined {
  if (isNoGrade(cell)) return undefined;
  const passed = readVerdict(cell);
  if (passed !== undefined) return passed;
  throw invalid(`The column passed contains ${JSON.stringify(cell)}; it must be yes or no.`);
}

/**
 * Converts a percentage to a fraction in decimal notation, because a binary division could return a slightly lower
 * number.
 */
function fractionOf(percentage: number): number {
  return Number(`${percentage}e-2`);
}

function attributesOf(row: Row, columns: Columns, of: string): Record<string, string> | undefined {
  const stated = [...columns].flatMap(([name, column]) => {
    const [, owner, key = ""] = attribute.exec(name) ?? [];
    return owner === of ? [[key, read(row, column)] as const] : [];
  });
  return stated.length === 0 ? undefined : Object.fromEntries(stated);
}

function courseOf(row: Row, columns: Columns, { course = "" }: Mapping): string {
  return columns.has("course") ? read(row, columns.get("course")) : course;
}

function read({ cells }: Row, column: number | undefined): string {
  return column === undefined ? "" : (cells[column] ?? "");
}

function percentOf(row: Row, columns: Columns, name: string, { gradesAre }: Mapping): number | undefined {
  const column = columns.get(name);
  const text = column === undefined ? "" : storedCell(row, column);
  if (isNoGrade(text)) return undefined;
  const value = name === "grade" ? readTotal(text, gradesAre) : readPercentage(text, gradesAre);
  if (value !== undefined) return value;
  const most = name === "grade" ? "; with extra credit, up to 200 is accepted as 100" : "";
  throw invalid(
    `${name} is ${JSON.stringify(text)}; it must be a percentage from 0 to 100, such as 85 or 85,5 %${most}.`,
  );
}
