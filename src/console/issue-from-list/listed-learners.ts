import { MAX_LETTER } from "#foundation/limits.js";
import {
  type GradesAre,
  haveLostDigits,
  isErrorValue,
  isNoGrade,
  readIdentifier,
  readTotal,
  readVerdict,
  storedCell,
  unsortedName,
} from "#foundation/text/tables/cell-values.js";
import type { Row, Table } from "#foundation/text/tables/table.js";
import { type DayOrder, readDay } from "./days.js";
import {
  type ColumnUse,
  type GuessedColumns,
  isEmailAddress,
  readHours,
  rowsOfLearners,
} from "./guess-columns.js";

/** A learner in a list. Missing values are empty. */
export interface EnteredLearner {
  /** Number of the row in the file. */
  readonly row: number;
  readonly username: string;
  readonly email: string;
  readonly fullName: string;
  readonly facts: ListedFacts;
}

/** Values that override the learner's records on the credential. */
interface ListedFacts {
  readonly learnerId?: string;
  /** A percentage. */
  readonly grade?: number;
  /** The grade as written, for example `1,3` or `B+`. */
  readonly letterGrade?: string;
  readonly passed?: boolean;
  readonly hours?: number;
  /** For example `2026-06-30`. */
  readonly awardDate?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** An error in a row that can be found without the service. */
export type RowFault =
  | { readonly fault: "no-learner" }
  | { readonly fault: "no-username" }
  /** The learner has no record, and can't be added without a name. */
  | { readonly fault: "no-name" }
  | { readonly fault: "malformed-email"; readonly email: string }
  | { readonly fault: "malformed-grade" }
  | { readonly fault: "malformed-passed" }
  | { readonly fault: "malformed-hours" }
  | { readonly fault: "malformed-day" }
  | { readonly fault: "error-value" }
  | { readonly fault: "changed-id" }
  | { readonly fault: "sum" }
  | { readonly fault: "listed-twice"; readonly firstRow: number };

interface FaultyRow {
  readonly learner: EnteredLearner;
  readonly reason: RowFault;
}

export interface List {
  readonly learners: readonly EnteredLearner[];
  readonly faulty: readonly FaultyRow[];
}

/** The user's answers to questions about ambiguous columns. */
interface Readings {
  readonly gradesAre?: GradesAre | undefined;
  readonly dayOrder?: DayOrder | undefined;
}

/** Reads the learners of a table. If several rows are about the same learner, only the first is used. */
export function listLearners(table: Table, columns: GuessedColumns, readings: Readings = {}): List {
  const learners: EnteredLearner[] = [];
  const faulty: FaultyRow[] = [];
  const firstRows = new Map<string, number>();

  const { rows, sums } = rowsOfLearners(table, columns);
  const lossy = idColumns.filter((use) => {
    const column = columns.meanings.indexOf(use);
    return haveLostDigits(rows.map(({ cells }) => cells[column] ?? ""));
  });
  for (const row of rows) {
    const { learner, fault } = learnerOf(row, columns, readings);
    const hasLost = lossy.some((use) => (row.cells[columns.meanings.indexOf(use)] ?? "").length > 15);
    const reason = (hasLost ? { fault: "changed-id" as const } : fault) ?? faultOf(learner, firstRows);
    if (reason) {
      faulty.push({ learner, reason });
    } else {
      for (const key of keysOf(learner)) firstRows.set(key, row.number);
      learners.push(learner);
    }
  }
  for (const row of sums)
    faulty.push({ learner: learnerOf(row, columns, readings).learner, reason: { fault: "sum" } });
  return { learners, faulty };
}

const idColumns = ["username", "learnerId"] as const;

/** Returns whether learners can be identified only by their IDs, because no column contains usernames. */
export function hasOnlyIds({ meanings }: GuessedColumns): boolean {
  return !meanings.includes("username") && meanings.includes("learnerId");
}

interface ReadRow {
  readonly learner: EnteredLearner;
  readonly fault: RowFault | undefined;
}

function learnerOf(row: Row, columns: GuessedColumns, readings: Readings): ReadRow {
  const { meanings } = columns;
  const cell = (use: ColumnUse) => row.cells[meanings.indexOf(use)] ?? "";
  const parts = [cell("givenName"), cell("familyName")].filter((part) => part !== "");
  const { facts, fault } = factsOf(row, meanings, readings);
  const ids = idColumns.map((use) => readIdentifier(row, meanings.indexOf(use)));
  const [username, learnerId] = ids;
  const learner = {
    row: row.number,
    username: (hasOnlyIds(columns) ? learnerId : username) ?? "",
    email: cell("email").replace(/^mailto:/i, ""),
    fullName: oneLine(cell("fullName") || unsortedName(cell("sortedName")) || parts.join(" ")),
    facts,
  };
  const hasError = meanings.some((use, index) => use && isErrorValue(row.cells[index] ?? ""));
  if (hasError) return { learner, fault: { fault: "error-value" } };
  return { learner, fault: ids.includes(undefined) ? { fault: "changed-id" } : fault };
}

function factsOf(
  row: Row,
  meanings: GuessedColumns["meanings"],
  { gradesAre, dayOrder }: Readings,
): { facts: ListedFacts; fault: RowFault | undefined } {
  const cell = (use: ColumnUse) => row.cells[meanings.indexOf(use)] ?? "";
  const stored = (use: ColumnUse) => storedCell(row, meanings.indexOf(use));
  const [gradeText, time, day] = [stored("grade"), stored("hours"), cell("awardDate")];
  const learnerId = readIdentifier(row, meanings.indexOf("learnerId")) ?? "";
  const grade = isNoGrade(gradeText) ? undefined : readTotal(gradeText, gradesAre);
  const hours = readHours(time);
  const letterGrade = isNoGrade(cell("letterGrade")) ? "" : oneLine(cell("letterGrade"));
  const verdict = isNoGrade(cell("passed")) ? "" : cell("passed");
  const passed = verdict === "" ? undefined : readVerdict(verdict);
  const awardDate = readDay(row, meanings.indexOf("awardDate"), dayOrder);
  const attributes = meanings.flatMap((use, index) => {
    const text = oneLine(row.cells[index] ?? "");
    return use?.startsWith("attribute.") && text !== "" ? [[use.slice(10), text] as const] : [];
  });

  let fault: RowFault | undefined;
  if (!isNoGrade(gradeText) && grade === undefined) fault = { fault: "malformed-grade" };
  else if (letterGrade.length > MAX_LETTER) fault = { fault: "malformed-grade" };
  else if (verdict !== "" && passed === undefined) fault = { fault: "malformed-passed" };
  else if (time !== "" && hours === undefined) fault = { fault: "malformed-hours" };
  else if (day !== "" && awardDate === undefined) fault = { fault: "malformed-day" };
  const facts = {
    ...(learnerId !== "" && { learnerId }),
    ...(grade !== undefined && { grade }),
    ...(letterGrade !== "" && { letterGrade }),
    ...(passed !== undefined && { passed }),
    ...(hours !== undefined && { hours }),
    ...(awardDate !== undefined && day !== "" && { awardDate }),
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
  };
  return { facts, fault };
}

function faultOf(learner: EnteredLearner, firstRows: ReadonlyMap<string, number>): RowFault | undefined {
  const { username, email } = learner;
  if (username === "" && email === "") return { fault: "no-learner" };
  if (email !== "" && !isEmailAddress(email)) return { fault: "malformed-email", email };
  if (username === "") return { fault: "no-username" };
  const firstRow = keysOf(learner).flatMap((key) => firstRows.get(key) ?? [])[0];
  return firstRow === undefined ? undefined : { fault: "listed-twice", firstRow };
}

function keysOf({ username, email }: EnteredLearner): string[] {
  return [...(username ? [`u ${username}`] : []), ...(email ? [`e ${email.toLowerCase()}`] : [])];
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
