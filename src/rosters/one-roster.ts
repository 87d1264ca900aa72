import { invalid } from "../errors.js";
import { keyPartFrom } from "../learners/learning-context-key.js";
import type { PlainRecord } from "../learners/plain-record.js";
import { takesPart } from "../learners/takes-part.js";
import { decodeText } from "../text/tables/decode-text.js";
import type { Judged, PlacedRecord, Reject } from "./judged.js";
import {
  type KeptCategory,
  type KeptIds,
  type KeptLineItem,
  NOTHING_KEPT,
  type Told,
  type ToldIds,
} from "./kept-ids.js";
import { readArchive } from "./read-archive.js";
import { type Row, readTable } from "./read-table.js";

/** Files of OneRoster CSV that are read; others, such as demographics, are ignored. */
const FILES = [
  "academicSessions",
  "users",
  "classes",
  "enrollments",
  "categories",
  "lineItems",
  "results",
] as const;

type FileName = (typeof FILES)[number];

/** Columns without which a file means nothing. */
const needed: Readonly<Record<FileName, readonly string[]>> = {
  academicSessions: ["sourcedid", "enddate"],
  users: ["sourcedid", "username", "givenname", "familyname"],
  classes: ["sourcedid", "title"],
  enrollments: ["classsourcedid", "usersourcedid", "role"],
  categories: ["sourcedid", "title"],
  lineItems: ["sourcedid", "classsourcedid", "categorysourcedid", "resultvaluemin", "resultvaluemax"],
  results: ["lineitemsourcedid", "studentsourcedid", "score"],
};

/** Statuses of a result that count neither for nor against a learner. */
const NOT_COUNTED = new Set(["exempt"]);

/**
 * Reads an archive of OneRoster 1.1 or 1.2 CSV: students, classes, enrolments, and results. A class becomes a course, its
 * categories become assignment types. A line item without a result counts as 0 of its points in a bulk file.
 * @param organisation the first part of course keys
 * @param kept what earlier archives have told: a delta holds only what has changed
 * @returns what to keep, besides, once the records are written
 * @throws Problem `invalid` if the archive or one of its files can't be read
 */
export async function readOneRoster(
  bytes: Buffer,
  organisation: string,
  kept: KeptIds = NOTHING_KEPT,
): Promise<Judged & { readonly told: Told }> {
  const wanted = new Set(["manifest.csv", ...FILES.map((name) => `${name}.csv`)]);
  const files = await readArchive(bytes, wanted);
  const modes = readManifest(files.get("manifest.csv"));
  const read = (name: FileName) => readFile(name, files.get(`${name}.csv`), modes.get(name) ?? "absent");
  const isWhole = (name: FileName) => modes.get(name) === "bulk";
  const users = read("users");
  const classes = read("classes");
  const enrollments = read("enrollments");
  const categories = read("categories");
  const lineItems = read("lineItems");
  const results = read("results");
  const ends = new Map(
    read("academicSessions").map(({ cells }) => [cells.sourcedid ?? "", cells.enddate ?? ""]),
  );

  const records: PlacedRecord[] = [];
  const rejects: Reject[] = [];
  const reject = (file: FileName, { line, text }: Pick<Row, "line" | "text">, reason: string) =>
    void rejects.push({ file: `${file}.csv`, line, text, reason });
  const put = (file: FileName, { line, text }: Row, record: PlainRecord) =>
    void records.push({ file: `${file}.csv`, line, text, record });

  const studentIds = new Set(
    enrollments.filter(({ cells }) => cells.role === "student").map(({ cells }) => cells.usersourcedid ?? ""),
  );
  const isStudent = (id: string) => studentIds.has(id) || kept.users.get(id)?.isStudent === true;
  const told = {
    users: toldBy(users, isWhole("users"), ({ sourcedid = "", username = "" }) =>
      username === "" ? undefined : { username, isStudent: isStudent(sourcedid) },
    ),
    classes: toldBy(
      classes,
      isWhole("classes"),
      ({ sourcedid = "", title = "", classcode, termsourcedids }, row) =>
        isGone(row)
          ? undefined
          : {
              courseKey:
                kept.classes.get(sourcedid)?.courseKey ??
                `course-v1:${[organisation, classcode || title, sourcedid].map(keyPartFrom).join("+")}`,
              title,
              endsOn: lastEnd(termsourcedids ?? "", ends) || (kept.classes.get(sourcedid)?.endsOn ?? ""),
            },
    ),
    categories: toldBy(categories, isWhole("categories"), ({ title = "", weight }, row) =>
      isGone(row) ? undefined : { title, weight: Number(weight || 0) },
    ),
    lineItems: toldBy(lineItems, isWhole("lineItems"), (cells, row) =>
      isGone(row) ? undefined : itemOf(cells),
    ),
  };
  const known = {
    users: merged(kept.users, told.users),
    classes: merged(kept.classes, told.classes),
    categories: merged(kept.categories, told.categories),
    lineItems: merged(kept.lineItems, told.lineItems),
  };
  const usernameOf = (id: string) => known.users.get(id)?.username;

  for (const row of users) {
    const { sourcedid = "", username, email, identifier } = row.cells;
    if (!username) {
      reject("users", row, "username is empty.");
      continue;
    }
    if (!isStudent(sourcedid)) continue;
    put("users", row, {
      kind: "learner",
      username,
      fullName: nameOf(row),
      learnerId: identifier ?? "",
      isActive: row.cells.enableduser !== "false" && !isGone(row),
      ...(email !== undefined && { email }),
    });
  }

  /** Courses whose name or policy may have changed, and the row that says so. */
  const touched = new Map<string, { readonly file: FileName; readonly row: Row }>();
  for (const row of lineItems) touched.set(row.cells.classsourcedid ?? "", { file: "lineItems", row });
  const changed = new Map(categories.map((row) => [row.cells.sourcedid ?? "", row]));
  for (const { classId, categoryId } of known.lineItems.values()) {
    const row = changed.get(categoryId);
    if (row && !touched.has(classId)) touched.set(classId, { file: "categories", row });
  }
  for (const row of classes) touched.set(row.cells.sourcedid ?? "", { file: "classes", row });
  const itemsByClass = groupBy([...known.lineItems], ([, { classId }]) => classId);
  for (const [id, { file, row }] of touched) {
    const one = known.classes.get(id);
    if (!one) continue;
    const used = [...new Set((itemsByClass.get(id) ?? []).map(([, { categoryId }]) => categoryId))];
    put(file, row, {
      kind: "course",
      courseKey: one.courseKey,
      displayName: one.title,
      gradingPolicy: policyOf(used.flatMap((categoryId) => known.categories.get(categoryId) ?? [])),
    });
  }

  const active = new Map<string, string[]>();
  for (const row of enrollments) {
    const { classsourcedid = "", usersourcedid = "", role, begindate, enddate } = row.cells;
    if (role !== "student") continue;
    const one = known.classes.get(classsourcedid);
    const username = usernameOf(usersourcedid);
    if (!one) reject("enrollments", row, "its class is not in classes.csv, nor in an earlier file.");
    else if (username === undefined)
      reject("enrollments", row, "its user is not in users.csv, nor in an earlier file, or has no username.");
    else if (!told.users.rows.has(usersourcedid) && kept.users.get(usersourcedid)?.isStudent !== true)
      reject("enrollments", row, "its user was no student before: their row in users.csv is needed, too.");
    else {
      const days = { beginDate: (begindate ?? "").slice(0, 10), endDate: (enddate ?? "").slice(0, 10) };
      const isActive = !isGone(row) && takesPart(days, one.endsOn || undefined);
      const learningContextKey = one.courseKey;
      put("enrollments", row, { kind: "enrollment", username, learningContextKey, isActive });
      if (!isActive) continue;
      const students = active.get(classsourcedid) ?? [];
      students.push(usersourcedid);
      active.set(classsourcedid, students);
    }
  }

  for (const row of lineItems.filter((one) => !isGone(one))) {
    const item = known.lineItems.get(row.cells.sourcedid ?? "");
    if (!item || !known.classes.has(item.classId) || !known.categories.has(item.categoryId))
      reject(
        "lineItems",
        row,
        "its class or category is unknown, or resultValueMin and resultValueMax are no range.",
      );
  }
  const rowsByItem = new Map(lineItems.map((row) => [row.cells.sourcedid ?? "", row]));
  const resultsByItem = groupBy(
    results.filter((row) => !isGone(row)),
    ({ cells }) => cells.lineitemsourcedid ?? "",
  );
  for (const [id, rows] of resultsByItem)
    if (!known.lineItems.has(id) && !rowsByItem.has(id))
      for (const row of rows)
        reject("results", row, "its line item is not in lineItems.csv, nor in an earlier file.");
  for (const [id, { classId, categoryId, least, most }] of known.lineItems) {
    const course = known.classes.get(classId);
    const category = known.categories.get(categoryId);
    if (!course || !category) continue;
    const own = new Map((resultsByItem.get(id) ?? []).map((row) => [row.cells.studentsourcedid ?? "", row]));
    const students = isWhole("results")
      ? new Set([...(active.get(classId) ?? []), ...own.keys()])
      : own.keys();
    for (const student of students) {
      const result = own.get(student);
      const { score = "", scorestatus = "" } = result?.cells ?? {};
      if (NOT_COUNTED.has(scorestatus)) continue;
      const username = usernameOf(student);
      if (username === undefined || (score !== "" && Number.isNaN(Number(score)))) {
        reject(
          "results",
          result ?? { line: 0, text: "" },
          username === undefined
            ? "its student is not in users.csv, nor in an earlier file."
            : "score is no number.",
        );
        continue;
      }
      const row = result ?? rowsByItem.get(id);
      if (!row) continue;
      put(result ? "results" : "lineItems", row, {
        kind: "subsectionGrade",
        username,
        courseKey: course.courseKey,
        usageKey: id,
        assignmentType: category.title,
        earned: score === "" ? 0 : Math.max(0, Number(score) - least),
        possible: most - least,
      });
    }
  }
  return { records, rejects, told };
}

/** What a file tells, by `sourcedId`; undefined for what is gone, or can't be taken. */
function toldBy<Kept>(
  rows: readonly Row[],
  isWhole: boolean,
  factsOf: (cells: Row["cells"], row: Row) => Kept | undefined,
): ToldIds<Kept> {
  return { isWhole, rows: new Map(rows.map((row) => [row.cells.sourcedid ?? "", factsOf(row.cells, row)])) };
}

/** What is known after an archive. */
function merged<Kept>(
  kept: ReadonlyMap<string, Kept>,
  { isWhole, rows }: ToldIds<Kept>,
): ReadonlyMap<string, Kept> {
  const all = new Map(isWhole ? [] : kept);
  for (const [id, facts] of rows)
    if (facts === undefined) all.delete(id);
    else all.set(id, facts);
  return all;
}

/** @returns undefined if its values are no range */
function itemOf(cells: Row["cells"]): KeptLineItem | undefined {
  const least = Number(cells.resultvaluemin || 0);
  const most = Number(cells.resultvaluemax || Number.NaN);
  if (!(most > least)) return undefined;
  return { classId: cells.classsourcedid ?? "", categoryId: cells.categorysourcedid ?? "", least, most };
}

/** The end of the last of some terms; empty if none is told. */
function lastEnd(termIds: string, ends: ReadonlyMap<string, string>): string {
  const all = termIds.split(",").map((id) => ends.get(id.trim()) ?? "");
  return all.sort().at(-1) ?? "";
}

/** Returns for each file whether it is `bulk`, `delta` or `absent`. */
function readManifest(bytes: Uint8Array | undefined): ReadonlyMap<string, string> {
  if (!bytes) throw invalid("The archive has no manifest.csv: it is not OneRoster CSV.");
  const { columns, rows } = readTable(decodeText(bytes), "manifest.csv");
  if (!columns.includes("propertyname") || !columns.includes("value")) {
    throw invalid("manifest.csv needs the columns propertyName and value.");
  }
  const properties = new Map(rows.map(({ cells }) => [cells.propertyname ?? "", cells.value ?? ""]));
  const version = properties.get("oneroster.version") ?? "";
  if (version !== "1.2" && version !== "1.1") {
    throw invalid(`manifest.csv says oneroster.version ${JSON.stringify(version)}; 1.1 and 1.2 are read.`);
  }
  return new Map(FILES.map((name) => [name, (properties.get(`file.${name}`) ?? "absent").toLowerCase()]));
}

function readFile(name: FileName, bytes: Uint8Array | undefined, mode: string): readonly Row[] {
  if (mode === "absent") return [];
  if (!bytes)
    throw invalid(`manifest.csv says that ${name}.csv is ${mode}, but the archive has no such file.`);
  const { columns, rows } = readTable(decodeText(bytes), `${name}.csv`);
  const missing = needed[name].filter((column) => !columns.includes(column));
  if (missing.length > 0) throw invalid(`${name}.csv lacks the columns ${missing.join(", ")}.`);
  return rows;
}

/** The name by which a student goes, where it is told (since 1.2), or else the legal one. */
function nameOf({ cells }: Row): string {
  const { givenname, familyname, preferredgivenname, preferredfamilyname } = cells;
  return [preferredgivenname || givenname, preferredfamilyname || familyname].filter(Boolean).join(" ");
}

function isGone({ cells }: Row): boolean {
  return cells.status === "tobedeleted";
}

/** Weights are relative to each other; where none is stated, all are equal. */
function policyOf(categories: readonly KeptCategory[]) {
  const sum = categories.reduce((all, { weight }) => all + weight, 0);
  return categories.map(({ title, weight }) => ({
    assignmentType: title,
    weight: sum > 0 ? weight / sum : 1 / categories.length,
  }));
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
