import { invalid } from "#foundation/errors.js";
import type { Encoding } from "#foundation/text/tables/encodings.js";
import { textOf } from "./no-file.js";
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

export type OneRosterFile = (typeof FILES)[number];

/** Columns without which a file means nothing. */
const needed: Readonly<Record<OneRosterFile, readonly string[]>> = {
  academicSessions: ["sourcedid", "enddate"],
  users: ["sourcedid", "username", "givenname", "familyname"],
  classes: ["sourcedid", "title"],
  enrollments: ["classsourcedid", "usersourcedid", "role"],
  categories: ["sourcedid", "title"],
  lineItems: ["sourcedid", "classsourcedid", "categorysourcedid", "resultvaluemin", "resultvaluemax"],
  results: ["lineitemsourcedid", "studentsourcedid", "score"],
};

/** The files of an archive. */
export interface OneRosterArchive {
  /** Empty: the archive tells nothing of them. */
  readonly rows: Readonly<Record<OneRosterFile, readonly Row[]>>;
  /** Whether a file tells all that there is, and not only what has changed. */
  isComplete(name: OneRosterFile): boolean;
}

/**
 * Reads the files of an archive of OneRoster 1.1 or 1.2 CSV.
 * @param encoding of files that are not in UTF-8, which OneRoster demands
 * @throws Problem `invalid` if the archive or one of its files can't be read
 */
export function openOneRoster(bytes: Buffer, encoding?: Encoding): OneRosterArchive {
  const wanted = new Set(["manifest.csv", ...FILES.map((name) => `${name}.csv`)]);
  const files = readArchive(bytes, wanted);
  const modes = readManifest(files.get("manifest.csv"));
  const read = (name: OneRosterFile) =>
    readFile(name, { bytes: files.get(`${name}.csv`), encoding }, modes.get(name) ?? "absent");
  return {
    rows: Object.fromEntries(FILES.map((name) => [name, read(name)])) as OneRosterArchive["rows"],
    isComplete: (name) => modes.get(name) === "bulk",
  };
}

/** Returns for each file whether it is `bulk`, `delta` or `absent`. */
function readManifest(bytes: Uint8Array | undefined): ReadonlyMap<string, string> {
  if (!bytes) throw invalid("The archive has no manifest.csv: it is not OneRoster CSV.");
  const { columns, rows } = readTable(textOf(bytes, "manifest.csv"), "manifest.csv");
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

function readFile(
  name: OneRosterFile,
  { bytes, encoding }: { readonly bytes: Uint8Array | undefined; readonly encoding: Encoding | undefined },
  mode: string,
): readonly Row[] {
  if (mode === "absent") return [];
  if (!bytes)
    throw invalid(`manifest.csv says that ${name}.csv is ${mode}, but the archive has no such file.`);
  const { columns, rows } = readTable(textOf(bytes, `${name}.csv`, encoding), `${name}.csv`);
  const missing = needed[name].filter((column) => !columns.includes(column));
  if (missing.length > 0) throw invalid(`${name}.csv lacks the columns ${missing.join(", ")}.`);
  return rows;
}
