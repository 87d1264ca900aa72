import type { Row, Table } from "../../text/tables/read-table.js";
import type { ColumnMeaning } from "./column-headings.js";
import { type Columns, isEmailAddress, rowsOfLearners } from "./guess-columns.js";

/** A learner as a row of the list tells; parts that it does not have are empty. */
export interface ListedLearner {
  /** Number of the row in the file. */
  readonly row: number;
  readonly username: string;
  readonly email: string;
  readonly fullName: string;
}

/** What is wrong with a row, before the service is asked about it. */
export type RowFault =
  | { readonly fault: "no-learner" }
  | { readonly fault: "no-username" }
  | { readonly fault: "malformed-email"; readonly email: string }
  | { readonly fault: "listed-twice"; readonly firstRow: number };

export interface FaultyRow {
  readonly learner: ListedLearner;
  readonly reason: RowFault;
}

export interface List {
  readonly learners: readonly ListedLearner[];
  readonly faulty: readonly FaultyRow[];
}

/** Reads the learners of a table. A learner in several rows counts once, in the first. */
export function listLearners(table: Table, columns: Columns): List {
  const learners: ListedLearner[] = [];
  const faulty: FaultyRow[] = [];
  const firstRows = new Map<string, number>();

  for (const row of rowsOfLearners(table, columns)) {
    const learner = learnerOf(row, columns);
    const reason = faultOf(learner, firstRows);
    if (reason) {
      faulty.push({ learner, reason });
    } else {
      for (const key of keysOf(learner)) firstRows.set(key, row.number);
      learners.push(learner);
    }
  }
  return { learners, faulty };
}

/** Whether learners can be found by these columns. */
export function identifiesLearners({ meanings }: Columns): boolean {
  return meanings.includes("username");
}

function learnerOf(row: Row, { meanings }: Columns): ListedLearner {
  const cell = (meaning: ColumnMeaning) => row.cells[meanings.indexOf(meaning)] ?? "";
  const parts = [cell("givenName"), cell("familyName")].filter((part) => part !== "");
  return {
    row: row.number,
    username: cell("username"),
    email: cell("email").replace(/^mailto:/i, ""),
    fullName: oneLine(cell("fullName") || parts.join(" ")),
  };
}

function faultOf(learner: ListedLearner, firstRows: ReadonlyMap<string, number>): RowFault | undefined {
  const { username, email } = learner;
  if (username === "" && email === "") return { fault: "no-learner" };
  if (email !== "" && !isEmailAddress(email)) return { fault: "malformed-email", email };
  if (username === "") return { fault: "no-username" };
  const firstRow = keysOf(learner).flatMap((key) => firstRows.get(key) ?? [])[0];
  return firstRow === undefined ? undefined : { fault: "listed-twice", firstRow };
}

function keysOf({ username, email }: ListedLearner): string[] {
  return [...(username ? [`u ${username}`] : []), ...(email ? [`e ${email.toLowerCase()}`] : [])];
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
