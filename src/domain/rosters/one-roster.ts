import { groupBy } from "#foundation/group-by.js";
import type { Encoding } from "#foundation/text/tables/encodings.js";
import { keyPartFrom } from "../learners/learning-context-key.js";
import {
  type IdsOfKind,
  NOTHING_KEPT,
  type StatedIds,
  type StoredCategory,
  type StoredIds,
  type StoredLineItem,
} from "../learners/one-roster-ids.js";
import {
  FULLY_GRADED,
  pointsOf,
  SCORE_STATUSES,
  type ScoredResult,
  scoreRange,
} from "../learners/one-roster-points.js";
import { isDeletedStatus } from "../learners/one-roster-status.js";
import type { PlainRecord } from "../learners/plain-record.js";
import { takesPart } from "../learners/takes-part.js";
import type { CheckedFile, RecordWithLine, Reject } from "./judged.js";
import { type OneRosterArchive, type OneRosterFile, openOneRoster } from "./one-roster-archive.js";
import type { RosterRow } from "./read-table.js";

const NO_ROW = { line: 0, text: "" };

interface Reading extends OneRosterArchive {
  /** Data from earlier archives. */
  readonly stored: StoredIds;
  readonly stated: StatedIds;
  /** Data from earlier archives, updated with data from this archive. */
  readonly known: StoredIds;
  put(file: OneRosterFile, row: RosterRow, record: PlainRecord): void;
  reject(file: OneRosterFile, row: Pick<RosterRow, "line" | "text">, reason: string): void;
}

export interface CheckedRoster extends CheckedFile {
  /** The data to store after the records are written. */
  readonly stated: StatedIds;
  /** Line items whose grades must be withdrawn, by course key. */
  readonly deletedItems: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads students, classes, enrolments and results from a OneRoster 1.1 or 1.2 CSV archive. A class becomes a course,
 * and its categories become assignment types. In a bulk file, a line item without a result has 0 points.
 * @param organisation the first part of course keys
 * @param stored data from earlier archives; the files of a delta archive refer to it
 * @throws Problem `invalid` if the archive or one of its files can't be read
 */
export async function readOneRoster(
  bytes: Buffer,
  organisation: string,
  stored: StoredIds = NOTHING_KEPT,
  encoding?: Encoding,
): Promise<CheckedRoster> {
  const archive = openOneRoster(bytes, encoding);
  const stated = idsStatedIn(archive, organisation, stored);
  const records: RecordWithLine[] = [];
  const rejects: Reject[] = [];
  const reading: Reading = {
    ...archive,
    stored,
    stated,
    known: {
      users: merged(stored.users, stated.users),
      classes: merged(stored.classes, stated.classes),
      categories: merged(stored.categories, stated.categories),
      lineItems: merged(stored.lineItems, stated.lineItems),
    },
    put: (file, { line, text }, record) => void records.push({ file: `${file}.csv`, line, text, record }),
    reject: (file, { line, text }, reason) => void rejects.push({ file: `${file}.csv`, line, text, reason }),
  };
  putLearners(reading);
  putCourses(reading);
  const active = putEnrollments(reading);
  putGrades(reading, active);
  return { records, rejects, stated, deletedItems: deletedItemsIn(reading) };
}

/** Returns the line items that were deleted themselves or with their category or class, by course key. */
function deletedItemsIn({ rows, stored, known }: Reading): ReadonlyMap<string, readonly string[]> {
  const deleted = {
    items: deletedIdsIn(rows.lineItems),
    categories: deletedIdsIn(rows.categories),
    classes: deletedIdsIn(rows.classes),
  };
  const items = new Map<string, Pick<StoredLineItem, "classId" | "categoryId">>([
    ...rows.lineItems.map(
      ({ cells }) =>
        [cells.sourcedid ?? "", { classId: cells.classsourcedid ?? "", categoryId: "" }] as const,
    ),
    ...stored.lineItems,
    ...known.lineItems,
  ]);
  const byCourse = new Map<string, string[]>();
  for (const [id, { classId, categoryId }] of items) {
    const isDeleted =
      deleted.items.has(id) || deleted.categories.has(categoryId) || deleted.classes.has(classId);
    const course = known.classes.get(classId) ?? stored.classes.get(classId);
    if (isDeleted && course) byCourse.set(course.courseKey, [...(byCourse.get(course.courseKey) ?? []), id]);
  }
  return byCourse;
}

function deletedIdsIn(rows: readonly RosterRow[]): ReadonlySet<string> {
  const last = new Map(rows.map((row) => [row.cells.sourcedid ?? "", row]));
  return new Set([...last].flatMap(([id, row]) => (isGone(row) ? id : [])));
}

/** Returns the data that must be stored in addition to the records, by `sourcedId`. */
function idsStatedIn(
  { rows, isComplete }: OneRosterArchive,
  organisation: string,
  stored: StoredIds,
): StatedIds {
  const students = new Set(
    rows.enrollments.flatMap(({ cells }) =>
      wordIn(cells, "role") === "student" ? [cells.usersourcedid] : [],
    ),
  );
  const ends = new Map(
    rows.academicSessions.map(({ cells }) => [cells.sourcedid ?? "", cells.enddate ?? ""]),
  );
  /** `factsOf` returns `undefined` for an object that was deleted or can't be used. */
  const each = <Stored>(
    name: keyof StatedIds & OneRosterFile,
    factsOf: (cells: RosterRow["cells"], row: RosterRow) => Stored | undefined,
  ): IdsOfKind<Stored> => ({
    isComplete: isComplete(name),
    rows: new Map(rows[name].map((row) => [row.cells.sourcedid ?? "", factsOf(row.cells, row)])),
  });
  return {
    users: each("users", ({ sourcedid = "", username = "" }) =>
      username === ""
        ? undefined
        : { username, isStudent: students.has(sourcedid) || stored.users.get(sourcedid)?.isStudent === true },
    ),
    classes: each("classes", ({ sourcedid = "", title = "", classcode, termsourcedids }, row) => {
      if (isGone(row)) return undefined;
      const before = stored.classes.get(sourcedid);
      const parts = [organisation, classcode || title, sourcedid].map(keyPartFrom);
      return {
        courseKey: before?.courseKey ?? `course-v1:${parts.join("+")}`,
        title,
        endsOn: lastEndDate(termsourcedids ?? "", ends) || (before?.endsOn ?? ""),
      };
    }),
    categories: each("categories", ({ title = "", weight }, row) =>
      isGone(row) ? undefined : { title, weight: weightIn(weight) },
    ),
    lineItems: each("lineItems", (cells, row) => (isGone(row) ? undefined : itemOf(cells))),
  };
}

function putLearners({ rows, known, put, reject }: Reading): void {
  for (const row of rows.users) {
    const { sourcedid = "", username, email, identifier } = row.cells;
    if (!username) reject("users", row, "username is empty.");
    else if (known.users.get(sourcedid)?.isStudent)
      put("users", row, {
        kind: "learner",
        username,
        fullName: nameOf(row),
        learnerId: identifier ?? "",
        isActive: wordIn(row.cells, "enableduser") !== "false" && !isGone(row),
        ...(email !== undefined && { email }),
      });
  }
}

/** Updates courses whose name or grading policy may have changed. */
function putCourses({ rows, known, put, reject }: Reading): void {
  for (const row of rows.categories)
    if (!isGone(row) && weightIn(row.cells.weight) === null)
      reject(
        "categories",
        row,
        `weight is ${JSON.stringify(row.cells.weight)}; it must be a number of at least 0.`,
      );
  /** A row that requires an update of the course, by class. */
  const touched = new Map<string, { readonly file: OneRosterFile; readonly row: RosterRow }>();
  for (const row of rows.lineItems) touched.set(row.cells.classsourcedid ?? "", { file: "lineItems", row });
  const changed = new Map(rows.categories.map((row) => [row.cells.sourcedid ?? "", row]));
  for (const { classId, categoryId } of known.lineItems.values()) {
    const row = changed.get(categoryId);
    if (row && !touched.has(classId)) touched.set(classId, { file: "categories", row });
  }
  for (const row of rows.classes) touched.set(row.cells.sourcedid ?? "", { file: "classes", row });
  const itemsByClass = groupBy([...known.lineItems.values()], ({ classId }) => classId);
  for (const [id, { file, row }] of touched) {
    const one = known.classes.get(id);
    if (!one) continue;
    const used = new Set(itemsByClass.get(id)?.map(({ categoryId }) => categoryId));
    const gradingPolicy = policyOf([...used].flatMap((categoryId) => known.categories.get(categoryId) ?? []));
    if (gradingPolicy)
      put(file, row, { kind: "course", courseKey: one.courseKey, displayName: one.title, gradingPolicy });
    else reject(file, row, "the weight of one of its categories is not a number of at least 0.");
  }
}

/** Adds enrolments. Returns the active students by class. */
function putEnrollments({
  rows,
  stored,
  stated,
  known,
  put,
  reject,
}: Reading): ReadonlyMap<string, readonly string[]> {
  const active: { readonly classId: string; readonly student: string }[] = [];
  for (const row of rows.enrollments) {
    const { classsourcedid: classId = "", usersourcedid: student = "", begindate, enddate } = row.cells;
    if (wordIn(row.cells, "role") !== "student") continue;
    const one = known.classes.get(classId);
    const username = known.users.get(student)?.username;
    if (!one) reject("enrollments", row, "its class is not in classes.csv or in an earlier file.");
    else if (username === undefined)
      reject("enrollments", row, "its user is not in users.csv or in an earlier file, or has no username.");
    else if (!stated.users.rows.has(student) && stored.users.get(student)?.isStudent !== true)
      reject("enrollments", row, "its user was not a student before: include their row in users.csv.");
    else {
      const days = { beginDate: (begindate ?? "").slice(0, 10), endDate: (enddate ?? "").slice(0, 10) };
      const isActive = !isGone(row) && takesPart(days, one.endsOn || undefined);
      const learningContextKey = one.courseKey;
      put("enrollments", row, { kind: "enrollment", username, learningContextKey, isActive });
      if (isActive) active.push({ classId, student });
    }
  }
  return new Map(
    [...groupBy(active, ({ classId }) => classId)].map(([classId, members]) => [
      classId,
      members.map(({ student }) => student),
    ]),
  );
}

/** @param active students by class */
function putGrades(
  { rows, isComplete, known, put, reject }: Reading,
  active: ReadonlyMap<string, readonly string[]>,
): void {
  for (const row of rows.lineItems.filter((one) => !isGone(one))) {
    const item = known.lineItems.get(row.cells.sourcedid ?? "");
    if (!item || !known.classes.has(item.classId) || !known.categories.has(item.categoryId))
      reject(
        "lineItems",
        row,
        "its class or category is unknown, or resultValueMin and resultValueMax are not a range.",
      );
  }
  const rowsByItem = new Map(rows.lineItems.map((row) => [row.cells.sourcedid ?? "", row]));
  // A deleted result replaces the earlier grade, unless the file has another result of the student.
  const results = [...rows.results.filter(isGone), ...rows.results.filter((row) => !isGone(row))];
  const resultsByItem = groupBy(results, ({ cells }) => cells.lineitemsourcedid ?? "");
  for (const [id, strays] of resultsByItem)
    if (!known.lineItems.has(id) && !rowsByItem.has(id))
      for (const row of strays.filter((one) => !isGone(one)))
        reject("results", row, "its line item is not in lineItems.csv or in an earlier file.");
  for (const [id, item] of known.lineItems) {
    const { classId, categoryId } = item;
    const course = known.classes.get(classId);
    const category = known.categories.get(categoryId);
    if (!course || !category) continue;
    const own = new Map(resultsByItem.get(id)?.map((row) => [row.cells.studentsourcedid ?? "", row]));
    const students = new Set([...(isComplete("results") ? (active.get(classId) ?? []) : []), ...own.keys()]);
    for (const student of students) {
      const result = own.get(student);
      const username = known.users.get(student)?.username;
      const row = result ?? rowsByItem.get(id);
      const scored = result && scoredIn(result);
      const { earned, possible } = pointsOf(scored, item);
      if (username === undefined) {
        if (!result || !isGone(result))
          reject("results", result ?? NO_ROW, "its student is not in users.csv or in an earlier file.");
      } else if (result && scored && !isGone(result) && !SCORE_STATUSES.includes(scored.scoreStatus))
        reject(
          "results",
          result,
          `scoreStatus is ${JSON.stringify(result.cells.scorestatus)}, which OneRoster doesn't define.`,
        );
      else if (Number.isNaN(earned)) reject("results", result ?? NO_ROW, "score is not a number.");
      else if (row)
        put(result ? "results" : "lineItems", row, {
          kind: "subsectionGrade",
          username,
          courseKey: course.courseKey,
          usageKey: id,
          assignmentType: category.title,
          earned,
          possible,
        });
    }
  }
}

/** Returns a result. Its score is `NaN` if it is not a number. A result without a status is graded. */
function scoredIn({ cells }: RosterRow): ScoredResult {
  const { status = "", score = "" } = cells;
  return {
    status,
    scoreStatus: wordIn(cells, "scorestatus") || FULLY_GRADED,
    score: score === "" ? undefined : finiteNumber(score),
    inProgress: wordIn(cells, "inprogress") === "true",
    incomplete: wordIn(cells, "incomplete") === "true",
  };
}

function merged<Stored>(
  stored: ReadonlyMap<string, Stored>,
  { isComplete, rows }: IdsOfKind<Stored>,
): ReadonlyMap<string, Stored> {
  const all = new Map(isComplete ? [] : stored);
  for (const [id, facts] of rows)
    if (facts === undefined) all.delete(id);
    else all.set(id, facts);
  return all;
}

/** Returns `undefined` if the values are not a valid range. */
function itemOf(cells: RosterRow["cells"]): StoredLineItem | undefined {
  const { resultvaluemin: least, resultvaluemax: most } = cells;
  const range = scoreRange(least ? finiteNumber(least) : undefined, most ? finiteNumber(most) : undefined);
  return (
    range && { classId: cells.classsourcedid ?? "", categoryId: cells.categorysourcedid ?? "", ...range }
  );
}

/** Returns `null` if the weight is not a number from 0. */
function weightIn(text = ""): number | null {
  const weight = finiteNumber(text || "0");
  return weight >= 0 ? weight : null;
}

/** Returns `NaN` if the text is not a finite number. */
function finiteNumber(text: string): number {
  const number = Number(text);
  return Number.isFinite(number) ? number : Number.NaN;
}

/** Returns the last end date of the terms, or an empty string if no end date is known. */
function lastEndDate(termIds: string, ends: ReadonlyMap<string, string>): string {
  const all = termIds.split(",").map((id) => ends.get(id.trim()) ?? "");
  return all.sort().at(-1) ?? "";
}

/** Returns the preferred name (since OneRoster 1.2), or else the legal name. */
function nameOf({ cells }: RosterRow): string {
  const { givenname, familyname, preferredgivenname, preferredfamilyname } = cells;
  return [preferredgivenname || givenname, preferredfamilyname || familyname].filter(Boolean).join(" ");
}

/** Returns an enumerated value in lower case. Some exports write, for example, `Student` or `TRUE`. */
function wordIn(cells: RosterRow["cells"], name: string): string {
  return (cells[name] ?? "").toLowerCase();
}

function isGone({ cells }: RosterRow): boolean {
  return isDeletedStatus(cells.status ?? "");
}

/**
 * Returns the grading policy. The weights of categories are relative to each other. Without weights, all categories are
 * equal.
 * @returns undefined if a weight is not valid
 */
function policyOf(categories: readonly StoredCategory[]) {
  const sum = categories.reduce((all, { weight }) => all + (weight ?? Number.NaN), 0);
  if (Number.isNaN(sum)) return undefined;
  return categories.map(({ title, weight }) => ({
    assignmentType: title,
    weight: sum > 0 ? (weight ?? 0) / sum : 1 / categories.length,
  }));
}
