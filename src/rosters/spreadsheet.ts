import { invalid } from "../errors.js";
import type { PlainRecord } from "../learners/plain-record.js";
import {
  type GradesAre,
  isErrorValue,
  isNoGrade,
  likelyFraction,
  printedName,
  readPercentage,
} from "../text/tables/cell-values.js";
import { type ColumnMeaning, meaningsOfHeadings } from "../text/tables/column-headings.js";
import { withoutNotes } from "../text/tables/gradebook-notes.js";
import type { Row, Table } from "../text/tables/table.js";
import type { Judged, PlacedRecord, Reject } from "./judged.js";

/** Names by which a mapping calls columns, and a heading may. */
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
  "completion",
] as const;

type ColumnName = (typeof columnNames)[number];

/** An attribute of the learner's record, or of the enrolment's. */
const attribute = /^(learner|enrollment)\.(.+)$/;

/** Headings beside those that all tables know. */
const names: Readonly<Record<string, ColumnName>> = {
  course: "course",
  course_key: "course",
  "course key": "course",
  course_id: "course",
  "course id": "course",
  "learner name": "full_name",
  completion: "completion",
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
};

/** How the columns of a table are to be read, where its headings don't tell. */
export interface Mapping {
  /** Headings by names of columns; `learner.<key>` and `enrollment.<key>` are attributes. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  /** Whether columns of other headings are left out, rather than refused. */
  readonly ignoresOthers?: boolean | undefined;
  /** The course of all rows, if no column has it. */
  readonly course?: string | undefined;
  /** By default, grades that look like fractions are refused. */
  readonly gradesAre?: GradesAre | undefined;
}

/** The assignment type of a grade that a table states for a course as a whole. */
export const TOTAL_TYPE = "course total";

/**
 * Reads a table with a row for each learner and course. Columns are recognised by their headings, in any order.
 * Every row enrols; a grade and a completion are percentages.
 * @throws Problem `invalid` if a column is missing or can't be recognised, or percentages look like fractions
 */
export function readSpreadsheet(table: Table, what: string, mapping: Mapping = {}): Judged {
  const [first, ...others] = table.rows;
  const headings = first?.cells ?? [];
  const rows = withoutNotes(headings, others);
  const columns = recognise(headings, what, mapping);
  refuseFractions(rows, columns, { what, headings, mapping });
  const records: PlacedRecord[] = [];
  const rejects: Reject[] = [];
  const seen = new Map<string, number>();
  for (const row of rows) {
    if (row.cells.slice(headings.length).some((cell) => cell !== "")) {
      throw invalid(
        `${what}, line ${row.line}: it has ${row.cells.length} values, and the header ${headings.length} names.`,
      );
    }
    try {
      const own = recordsOf(row, columns, mapping);
      const key = JSON.stringify([read(row, columns.get("learner")), courseOf(row, columns, mapping)]);
      const earlier = seen.get(key);
      if (earlier !== undefined) throw invalid(`the same learner and course stand in line ${earlier}.`);
      seen.set(key, row.line);
      records.push(...own.map((record) => ({ line: row.line, file: "", text: row.text, record })));
    } catch (error) {
      rejects.push({ line: row.line, file: "", text: row.text, reason: (error as Error).message });
    }
  }
  return { records, rejects };
}

/** The place of each column that is used, by its name. */
type Columns = ReadonlyMap<string, number>;

function recognise(headings: readonly string[], what: string, mapping: Mapping): Columns {
  const columns = new Map(Object.entries(mapping.columns ?? {}).map((each) => mapped(each, headings, what)));
  const taken = new Set(columns.values());
  const meanings = meaningsOfEach(headings);
  for (const [index, heading] of headings.entries()) {
    if (taken.has(index)) continue;
    const name = meanings[index];
    const isMapped = name !== undefined && mapping.columns?.[name] !== undefined;
    if (
      (name === undefined && heading !== "" && !mapping.ignoresOthers) ||
      (isMapped && !mapping.ignoresOthers)
    ) {
      throw invalid(
        `${what} has a column ${JSON.stringify(heading)}, which is not known. Known are ${columnNames.join(", ")}. ` +
          `Say what it is (--column grade=${JSON.stringify(heading)}), remove it, or add --ignore-other-columns.`,
      );
    }
    if (name === undefined || isMapped) continue;
    const other = columns.get(name);
    if (other !== undefined) {
      throw invalid(
        `${what}: the columns ${JSON.stringify(headings[other])} and ${JSON.stringify(heading)} mean the same. ` +
          `Say which one counts: --column ${name}=${JSON.stringify(heading)} --ignore-other-columns.`,
      );
    }
    columns.set(name, index);
  }
  if (!columns.has("learner") || !(columns.has("course") || mapping.course !== undefined)) {
    throw invalid(
      `${what} needs the columns learner and course, or --course; it has ${headings.map((each) => JSON.stringify(each)).join(", ")}.`,
    );
  }
  return columns;
}

/** @throws Problem `invalid` if there is no such column name or heading */
function mapped(
  [name, heading]: [string, string],
  headings: readonly string[],
  what: string,
): [string, number] {
  if (!(columnNames as readonly string[]).includes(name) && !attribute.test(name)) {
    throw invalid(
      `A mapping names the column ${JSON.stringify(name)}; it can name ${columnNames.join(", ")}, learner.<key> and enrollment.<key>.`,
    );
  }
  const wanted = heading.trim().toLowerCase();
  const index = headings.findIndex((each) => each.toLowerCase() === wanted);
  if (index >= 0) return [name, index];
  throw invalid(
    `${what} has no column ${JSON.stringify(heading)} for ${name}; it has ${headings.map((each) => JSON.stringify(each)).join(", ")}.`,
  );
}

/** What each heading says by itself; several may say the same. */
function meaningsOfEach(headings: readonly string[]): (string | undefined)[] {
  const together = meaningsOfHeadings(headings);
  return headings.map((heading, index) => {
    const own = names[heading.toLowerCase()];
    if (own !== undefined) return own;
    const meaning = together[index] ?? meaningsOfHeadings([heading])[0];
    return meaning && nameOf[meaning];
  });
}

/** A column in which nothing exceeds 1 is likely to hold fractions: everybody would fail. */
function refuseFractions(
  rows: readonly Row[],
  columns: Columns,
  {
    what,
    headings,
    mapping,
  }: { readonly what: string; readonly headings: readonly string[]; readonly mapping: Mapping },
): void {
  if (mapping.gradesAre !== undefined) return;
  for (const name of ["grade", "completion"]) {
    const column = columns.get(name);
    const example = column === undefined ? undefined : likelyFraction(rows.map((row) => read(row, column)));
    if (column === undefined || example === undefined) continue;
    throw invalid(
      `${what}: the column ${headings[column]} looks like fractions. Is ${example} the same as ` +
        `${readPercentage(example, "fractions")} %? Then add --grades-are fractions, else --grades-are percentages.`,
    );
  }
}

function recordsOf(row: Row, columns: Columns, mapping: Mapping): PlainRecord[] {
  const cell = (name: string) => read(row, columns.get(name));
  for (const name of columns.keys()) {
    if (isErrorValue(cell(name))) throw invalid(`${name} is ${cell(name)}, which is no value.`);
  }
  const username = cell("learner");
  const courseKey = courseOf(row, columns, mapping);
  const grade = percentOf(row, columns, "grade", mapping);
  const completion = percentOf(row, columns, "completion", mapping);
  const fullName =
    cell("full_name") ||
    printedName(cell("sorted_name")) ||
    [cell("given_name"), cell("family_name")].filter((part) => part !== "").join(" ");
  const hasName = ["full_name", "sorted_name", "given_name", "family_name"].some((name) => columns.has(name));
  const ofLearner = attributesOf(row, columns, "learner");
  const ofEnrollment = attributesOf(row, columns, "enrollment");
  return [
    ...(hasName
      ? [
          {
            kind: "learner" as const,
            username,
            fullName,
            learnerId: cell("learner_id"),
            ...(columns.has("email") && { email: cell("email") }),
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
            usageKey: "course-total",
            assignmentType: TOTAL_TYPE,
            earned: grade,
            possible: 100,
          },
          { kind: "courseGrade" as const, username, courseKey, percent: fractionOf(grade) },
        ]),
    ...(completion === undefined
      ? []
      : [{ kind: "completion" as const, username, courseKey, percent: fractionOf(completion) }]),
  ];
}

/** A division could come out slightly lower. */
function fractionOf(percentage: number): number {
  return Number(`${percentage}e-2`);
}

function attributesOf(row: Row, columns: Columns, of: string): Record<string, string> | undefined {
  const told = [...columns].flatMap(([name, column]) => {
    const [, owner, key = ""] = attribute.exec(name) ?? [];
    return owner === of ? [[key, read(row, column)] as const] : [];
  });
  return told.length === 0 ? undefined : Object.fromEntries(told);
}

function courseOf(row: Row, columns: Columns, { course = "" }: Mapping): string {
  return columns.has("course") ? read(row, columns.get("course")) : course;
}

function read({ cells }: Row, column: number | undefined): string {
  return column === undefined ? "" : (cells[column] ?? "");
}

/** @returns undefined if nothing is told */
function percentOf(row: Row, columns: Columns, name: string, { gradesAre }: Mapping): number | undefined {
  const text = read(row, columns.get(name));
  if (isNoGrade(text)) return undefined;
  const value = readPercentage(text, gradesAre);
  if (value !== undefined) return value;
  throw invalid(
    `${name} is ${JSON.stringify(text)}; it must be a percentage from 0 to 100, such as 85 or 85,5 %.`,
  );
}
