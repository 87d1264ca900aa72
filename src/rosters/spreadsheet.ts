import { invalid } from "../errors.js";
import type { PlainRecord } from "../learners/plain-record.js";
import type { Judged, PlacedRecord, Reject } from "./judged.js";
import { type Row, readTable, type Table } from "./read-table.js";

/** What each column may be called, in lower case. */
const names = {
  learner: ["learner", "username", "user", "user name", "login"],
  course: ["course", "course_key", "course key", "course id", "course_id"],
  fullName: ["full_name", "full name", "name", "learner name"],
  email: ["email", "e-mail", "mail", "email address"],
  learnerId: ["learner_id", "learner id", "student id", "matriculation number"],
  grade: ["grade", "total", "score", "grade %", "grade (%)"],
  completion: ["completion", "completion %", "completion (%)", "progress"],
} as const;

type ColumnName = keyof typeof names;

/** The assignment type of a grade that a table states for a course as a whole. */
export const TOTAL_TYPE = "course total";

/** A percentage: `85`, `85.5`, `85,5 %`. */
const percentage = /^(\d{1,3})(?:[.,](\d{1,6}))?\s*%?$/;

/**
 * Reads a table with a row for each learner and course. Columns are recognised by their header, in any order.
 * Every row enrols; a grade and a completion are percentages.
 * @throws Problem `invalid` if a column is missing or can't be recognised, or percentages look like fractions
 */
export function readSpreadsheet(text: string, what: string): Judged {
  const table = readTable(text, what);
  const columns = recognise(table, what);
  refuseFractions(table, columns, what);
  const records: PlacedRecord[] = [];
  const rejects: Reject[] = [];
  const seen = new Map<string, number>();
  for (const row of table.rows) {
    try {
      const own = recordsOf(row, columns);
      const key = JSON.stringify([read(row, columns.learner), read(row, columns.course)]);
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

type Columns = Partial<Record<ColumnName, string>> & { readonly learner: string; readonly course: string };

function recognise({ columns }: Table, what: string): Columns {
  const found: Partial<Record<ColumnName, string>> = {};
  for (const column of columns) {
    const name = (Object.keys(names) as ColumnName[]).find((each) =>
      (names[each] as readonly string[]).includes(column),
    );
    if (name === undefined) {
      const known = Object.values(names).map(([first]) => first);
      throw invalid(
        `${what} has a column ${JSON.stringify(column)}, which is not known. Known are ${known.join(", ")}; remove the others.`,
      );
    }
    if (found[name] !== undefined) {
      throw invalid(
        `${what}: the columns ${JSON.stringify(found[name])} and ${JSON.stringify(column)} mean the same.`,
      );
    }
    found[name] = column;
  }
  const { learner, course } = found;
  if (learner === undefined || course === undefined) {
    throw invalid(`${what} needs the columns learner and course; it has ${columns.join(", ")}.`);
  }
  return { ...found, learner, course };
}

/** A column in which nothing exceeds 1 is likely to hold fractions: everybody would fail. */
function refuseFractions({ rows }: Table, columns: Columns, what: string): void {
  for (const column of [columns.grade, columns.completion]) {
    if (column === undefined) continue;
    const values = rows
      .map((row) => read(row, column))
      .filter((text) => text !== "" && !text.includes("%"))
      .map((text) => Number(text.replace(",", ".")));
    const isFraction = values.some((value) => value > 0 && value < 1) && values.every((value) => value <= 1);
    if (isFraction)
      throw invalid(
        `${what}: the column ${column} looks like fractions. Write percentages, such as 85 or 85 %.`,
      );
  }
}

function recordsOf(row: Row, columns: Columns): PlainRecord[] {
  const username = read(row, columns.learner);
  const courseKey = read(row, columns.course);
  const grade = percentOf(row, columns.grade);
  const completion = percentOf(row, columns.completion);
  const email = columns.email === undefined ? undefined : read(row, columns.email);
  return [
    ...(columns.fullName === undefined
      ? []
      : [
          {
            kind: "learner" as const,
            username,
            fullName: read(row, columns.fullName),
            learnerId: read(row, columns.learnerId),
            ...(email !== undefined && { email }),
          },
        ]),
    { kind: "enrollment", username, learningContextKey: courseKey, isActive: true },
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
          { kind: "courseGrade" as const, username, courseKey, percent: grade / 100, passed: false },
        ]),
    ...(completion === undefined
      ? []
      : [{ kind: "completion" as const, username, courseKey, percent: completion / 100 }]),
  ];
}

function read({ cells }: Row, column: string | undefined): string {
  return column === undefined ? "" : (cells[column] ?? "");
}

/** @returns undefined if the cell is empty */
function percentOf(row: Row, column: string | undefined): number | undefined {
  const text = read(row, column);
  if (text === "") return undefined;
  const [, whole, decimals = "0"] = percentage.exec(text) ?? [];
  const value = Number(`${whole}.${decimals}`);
  if (whole !== undefined && value <= 100) return value;
  throw invalid(
    `${column} is ${JSON.stringify(text)}; it must be a percentage from 0 to 100, such as 85 or 85,5 %.`,
  );
}
