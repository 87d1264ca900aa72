import { invalid } from "../errors.js";
import type { PlainRecord } from "../learners/plain-record.js";
import { decodeText } from "../text/tables/decode-text.js";
import type { Judged, PlacedRecord, Reject } from "./judged.js";
import { readArchive } from "./read-archive.js";
import { type Row, readTable } from "./read-table.js";

/** Files of OneRoster 1.2 CSV that are read; others, such as demographics, are ignored. */
const FILES = ["users", "classes", "enrollments", "categories", "lineItems", "results"] as const;

type FileName = (typeof FILES)[number];

/** Columns without which a file means nothing. */
const needed: Readonly<Record<FileName, readonly string[]>> = {
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
 * Reads an archive of OneRoster 1.2 CSV: students, classes, enrolments, and results. A class becomes a course,
 * its categories become assignment types. A line item without a result counts as 0 of its points in a bulk file.
 * @param organisation the first part of course keys
 * @throws Problem `invalid` if the archive or one of its files can't be read
 */
export async function readOneRoster(bytes: Buffer, organisation: string): Promise<Judged> {
  const wanted = new Set(["manifest.csv", ...FILES.map((name) => `${name}.csv`)]);
  const files = await readArchive(bytes, wanted);
  const modes = readManifest(files.get("manifest.csv"));
  const read = (name: FileName) => readFile(name, files.get(`${name}.csv`), modes.get(name) ?? "absent");
  const users = new Map(read("users").map((row) => [row.cells.sourcedid ?? "", row]));
  const classes = read("classes");
  const enrollments = read("enrollments");
  const categories = new Map(read("categories").map((row) => [row.cells.sourcedid ?? "", row]));
  const lineItems = read("lineItems");
  const results = read("results");

  const records: PlacedRecord[] = [];
  const rejects: Reject[] = [];
  const reject = (file: FileName, { line, text }: Pick<Row, "line" | "text">, reason: string) =>
    void rejects.push({ file: `${file}.csv`, line, text, reason });
  const put = (file: FileName, { line, text }: Row, record: PlainRecord) =>
    void records.push({ file: `${file}.csv`, line, text, record });
  const courseKeys = new Map(
    classes.map(({ cells }) => [
      cells.sourcedid ?? "",
      `course-v1:${slug(organisation)}+${slug(cells.classcode || cells.title || "")}+${slug(cells.sourcedid ?? "")}`,
    ]),
  );
  const enrolled = new Set(
    enrollments.filter(({ cells }) => cells.role === "student").map(({ cells }) => cells.usersourcedid),
  );
  const usernameOf = (id: string | undefined) => users.get(id ?? "")?.cells.username || undefined;
  const itemsByClass = groupBy(
    lineItems.filter((row) => !isGone(row)),
    ({ cells }) => cells.classsourcedid ?? "",
  );

  for (const row of users.values()) {
    const { username, email, identifier } = row.cells;
    if (!username) {
      reject("users", row, "username is empty.");
      continue;
    }
    if (!enrolled.has(row.cells.sourcedid)) continue;
    put("users", row, {
      kind: "learner",
      username,
      fullName: nameOf(row),
      learnerId: identifier ?? "",
      isActive: row.cells.enableduser !== "false" && !isGone(row),
      ...(email !== undefined && { email }),
    });
  }
  for (const row of classes) {
    const { sourcedid = "", title = "" } = row.cells;
    if (isGone(row)) continue;
    const used = [
      ...new Set((itemsByClass.get(sourcedid) ?? []).map(({ cells }) => cells.categorysourcedid ?? "")),
    ];
    put("classes", row, {
      kind: "course",
      courseKey: courseKeys.get(sourcedid) ?? "",
      displayName: title,
      gradingPolicy: policyOf(used.flatMap((id) => categories.get(id) ?? [])),
    });
  }
  const active = new Map<string, string[]>();
  for (const row of enrollments) {
    const { classsourcedid = "", usersourcedid, role } = row.cells;
    if (role !== "student") continue;
    const courseKey = courseKeys.get(classsourcedid);
    const username = usernameOf(usersourcedid);
    if (courseKey === undefined) reject("enrollments", row, "its class is not in classes.csv.");
    else if (username === undefined)
      reject("enrollments", row, "its user is not in users.csv, or has no username.");
    else {
      const isActive = !isGone(row);
      put("enrollments", row, { kind: "enrollment", username, learningContextKey: courseKey, isActive });
      if (!isActive) continue;
      const students = active.get(classsourcedid) ?? [];
      students.push(usersourcedid ?? "");
      active.set(classsourcedid, students);
    }
  }
  const resultsByItem = groupBy(
    results.filter((row) => !isGone(row)),
    ({ cells }) => cells.lineitemsourcedid ?? "",
  );
  const isBulk = modes.get("results") === "bulk";
  for (const item of lineItems.filter((row) => !isGone(row))) {
    const { sourcedid = "", classsourcedid = "", categorysourcedid = "" } = item.cells;
    const courseKey = courseKeys.get(classsourcedid);
    const category = categories.get(categorysourcedid);
    const [least, most] = [
      Number(item.cells.resultvaluemin || 0),
      Number(item.cells.resultvaluemax || Number.NaN),
    ];
    if (courseKey === undefined || !category || !(most > least)) {
      reject(
        "lineItems",
        item,
        "its class or category is unknown, or resultValueMin and resultValueMax are no range.",
      );
      continue;
    }
    const own = new Map(
      (resultsByItem.get(sourcedid) ?? []).map((row) => [row.cells.studentsourcedid ?? "", row]),
    );
    const students = isBulk ? new Set([...(active.get(classsourcedid) ?? []), ...own.keys()]) : own.keys();
    for (const student of students) {
      const result = own.get(student);
      const { score = "", scorestatus = "" } = result?.cells ?? {};
      if (NOT_COUNTED.has(scorestatus)) continue;
      const username = usernameOf(student);
      if (username === undefined || (score !== "" && Number.isNaN(Number(score)))) {
        reject(
          "results",
          result ?? { line: 0, text: "" },
          username === undefined ? "its student is not in users.csv." : "score is no number.",
        );
        continue;
      }
      put(result ? "results" : "lineItems", result ?? item, {
        kind: "subsectionGrade",
        username,
        courseKey,
        usageKey: sourcedid,
        assignmentType: category.cells.title ?? "",
        earned: score === "" ? 0 : Math.max(0, Number(score) - least),
        possible: most - least,
      });
    }
  }
  return { records, rejects };
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
function policyOf(categories: readonly Row[]) {
  const weights = categories.map(({ cells }) => Number(cells.weight || 0));
  const sum = weights.reduce((all, each) => all + each, 0);
  return categories.map(({ cells }, index) => ({
    assignmentType: cells.title ?? "",
    weight: sum > 0 ? (weights[index] ?? 0) / sum : 1 / categories.length,
  }));
}

/** Turns a text into a part of a course key. */
function slug(text: string): string {
  const clean = text.normalize("NFC").replace(/[^\p{L}\p{N}_\-~.:]+/gu, "_");
  return [...clean].slice(0, 80).join("") || "_";
}

function groupBy(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
