import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { zipSync } from "fflate";
import { expect, it } from "vitest";
import { openExport } from "#app/commands/export-files.js";
import { readCustomcert } from "#domain/moving/sources/moodle-customcert.js";
import { newDirectory } from "../support/directory.js";

type Files = Record<string, Uint8Array>;

/** Returns the files of a fixture, with other paths. */
function filesOf(fixture: "tables" | "answers", pathOf: (name: string) => string): Files {
  const directory = join(import.meta.dirname, "fixtures/moodle-customcert", fixture);
  return Object.fromEntries(
    readdirSync(directory).map((name) => [pathOf(name), readFileSync(join(directory, name))]),
  );
}

/** Returns the attributes that macOS stores beside each of the files. */
function attributesOf(fixture: "tables" | "answers", pathOf: (name: string) => string): Files {
  const attributes = Buffer.from([0x00, 0x05, 0x16, 0x07, 0x00, 0x02, 0x00, 0x00]);
  return Object.fromEntries(Object.keys(filesOf(fixture, pathOf)).map((path) => [path, attributes]));
}

async function locationsIn(path: string): Promise<string[]> {
  const exported = await readCustomcert(await openExport(path, undefined));
  const locations: string[] = [];
  for await (const row of exported.rows()) {
    expect(row.read()).toMatchObject({ learner: { username: expect.any(String) } });
    locations.push(row.location);
  }
  return locations;
}

const ROWS = ["row 2", "row 3"];
const ISSUES = ["issue 1", "issue 2"];

it.each<[string, Files, string[]]>([
  ["files", filesOf("tables", (name) => name), ROWS],
  ["a folder of tables", filesOf("tables", (name) => `Export/${name}`), ROWS],
  ["a folder, with the separators of Windows", filesOf("tables", (name) => `Export\\${name}`), ROWS],
  [
    "a folder of tables on a Mac",
    {
      ...filesOf("tables", (name) => `Export/${name}`),
      ...attributesOf("tables", (name) => `__MACOSX/Export/._${name}`),
      "Export/.DS_Store": Buffer.from("\0\0\0\x01Bud1"),
    },
    ROWS,
  ],
  [
    "responses on a Mac",
    {
      ...filesOf("answers", (name) => name),
      ...attributesOf("answers", (name) => `__MACOSX/._${name}`),
    },
    ISSUES,
  ],
])("a ZIP of %s is read", async (_, files, locations) => {
  const path = join(newDirectory("archives"), "export.zip");
  await writeFile(path, zipSync(files));
  expect(await locationsIn(path)).toEqual(locations);
});

it("a folder with attributes from a Mac is read", async () => {
  const directory = newDirectory("archives");
  const files = {
    ...filesOf("answers", (name) => name),
    ...attributesOf("answers", (name) => `._${name}`),
  };
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(directory, name), bytes);
  expect(await locationsIn(directory)).toEqual(ISSUES);
});

it("a ZIP with a table in two folders is refused", async () => {
  const path = join(newDirectory("archives"), "export.zip");
  const files = { ...filesOf("tables", (name) => `a/${name}`), ...filesOf("tables", (name) => `b/${name}`) };
  await writeFile(path, zipSync(files));
  await expect(locationsIn(path)).rejects.toThrow(
    "2 files match customcert_issues.csv: a/mdl_customcert_issues.csv, b/mdl_customcert_issues.csv",
  );
});
