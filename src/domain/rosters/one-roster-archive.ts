import { invalid } from "#foundation/errors.js";
import { textOf } from "#foundation/text/no-file.js";
import type { Encoding } from "#foundation/text/tables/encodings.js";
import { readArchive } from "./read-archive.js";
import { type RosterRow, readHeadedTable } from "./read-table.js";

/** The files of OneRoster CSV that are read. Other files, for example demographics, are ignored. */
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

const requiredColumns: Readonly<Record<OneRosterFile, readonly string[]>> = {
  academicSessions: ["sourcedid", "enddate"],
  users: ["sourcedid", "username", "givenname", "familyname"],
  classes: ["sourcedid", "title"],
  enrollments: ["classsourcedid", "usersourcedid", "role"],
  categories: ["sourcedid", "title"],
  lineItems: ["sourcedid", "classsourcedid", "categorysourcedid", "resultvaluemin", "resultvaluemax"],
  results: ["lineitemsourcedid", "studentsourcedid", "score"],
};

export interface OneRosterArchive {
  /** Empty if the archive lacks the file. */
  readonly rows: Readonly<Record<OneRosterFile, readonly RosterRow[]>>;
  /** Returns whether a file contains all objects instead of only changes. */
  isComplete(name: OneRosterFile): boolean;
}

/**
 * Reads a OneRoster 1.1 or 1.2 CSV archive.
 * @param encoding of the files, if they are not in UTF-8 as OneRoster requires
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

/** Returns the mode of each file: `bulk`, `delta` or `absent`. */
function readManifest(bytes: Uint8Array | undefined): ReadonlyMap<string, string> {
  if (!bytes) throw invalid("The archive has no manifest.csv: it is not OneRoster CSV.");
  const { columns, rows } = readHeadedTable(textOf(bytes, "manifest.csv"), "manifest.csv");
  if (!columns.includes("propertyname") || !columns.includes("value")) {
    throw invalid("manifest.csv needs the columns propertyName and value.");
  }
  const properties = new Map(rows.map(({ cells }) => [cells.propertyname ?? "", cells.value ?? ""]));
  const version = properties.get("oneroster.version") ?? "";
  if (version !== "1.2" && version !== "1.1") {
    throw invalid(
      `manifest.csv says oneroster.version ${JSON.stringify(version)}; only 1.1 and 1.2 are supported.`,
    );
  }
  return new Map(FILES.map((name) => [name, (properties.get(`file.${name}`) ?? "absent").toLowerCase()]));
}

function readFile(
  name: OneRosterFile,
  { bytes, encoding }: { readonly bytes: Uint8Array | undefined; readonly encoding: Encoding | undefined },
  mode: string,
): readonly RosterRow[] {
  if (mode === "absent") return [];
  if (!bytes)
    throw invalid(`manifest.csv says that ${name}.csv is ${mode}, but the archive has no such file.`);
  const { columns, rows } = readHeadedTable(textOf(bytes, `${name}.csv`, encoding), `${name}.csv`);
  const missing = requiredColumns[name].filter((column) => !columns.includes(column));
  if (missing.length > 0) throw invalid(`${name}.csv lacks the columns ${missing.join(", ")}.`);
  return rows;
}
