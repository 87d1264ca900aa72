import { describe, expect, it } from "vitest";
import { sweepTables } from "#domain/connectors/sweep/storage.js";
import { actorColumns } from "#domain/credentials/erasure/personal-columns.js";
import { learnerTables } from "#domain/learners/record-tables.js";
import { grouped, importsOf, loadedWith, readSources, roomOf } from "./imports.js";

/** Rooms that write a table of another room, as `room > table`, with the reason. */
const ALSO_WRITE: Readonly<Record<string, string>> = {
  ...erasing("assets", "credential_schedules", "lti_invitations", "lti_registrations", "operations"),
  ...erasing("learners", "revisions", "staff_grants", "webhook_endpoints"),
};

/**
 * Exceptions: rooms whose SQL names another room's table although they don't import that room. As `room > table`, with
 * the reason.
 */
const NAME_UPWARDS: Readonly<Record<string, string>> = {
  "configurations > credentials": "whether a configuration is in use",
  "credentials > lti_invitations": "an erasure, as in `ALSO_WRITE`",
  "credentials > lti_registrations": "an erasure, as in `ALSO_WRITE`",
  "credentials > operations": "an erasure, as in `ALSO_WRITE`",
  "credentials > webhook_endpoints": "an erasure, as in `ALSO_WRITE`",
  "eligibility > credentials": "which credentials a learner holds",
  "learners > automatic_configurations": "results are noted only if anything is issued automatically",
  "learners > brands": "which organisations are known",
  "learners > connector_contexts": "how recent the records of a course are",
  "learners > connector_stages": "which records a platform withholds",
  "learners > connector_sweeps": "which records a platform withholds",
  "learners > credential_configurations":
    "how many configurations a course has; where credentials are issued automatically",
  "learners > credentials": "how many credentials a course has; searching for learners by them",
  "learners > lti_contexts": "which lists of members can't be read",
  "lti > connector_contexts": "the keys of a platform's courses, if a connector reads the platform, too",
};

function erasing(...names: readonly string[]): Record<string, string> {
  const why = "an erasure replaces the learner's name in every table in the same transaction";
  return Object.fromEntries(names.map((table) => [`credentials > ${table}`, why]));
}

const sources = readSources();
const rooms = grouped(importsOf(sources), roomOf);
const migrations = [...sources].filter(([file]) => file.startsWith("infrastructure/db/migrations/"));
const tables = new Set(
  migrations.flatMap(([, text]) => matches(/\bcreate table (?:if not exists )?(\w+)/g, text)),
);

const WRITTEN = /\b(?:insert into|update(?: only)?|delete from|merge into)\s+(\w+)/g;
const NAMED = /\b(?:from|join|using|into|update(?: only)?)\s+(\w+)/g;
/** Matches a statement into which the program inserts the name of the table to write. */
const COMPOSED = /\b(?:insert into|update(?: only)?|delete from|merge into)\s+(?:\?\?|\$\{)/;
/** Matches string literals. A composed statement takes its table from one of these in its file, or from `LISTS`. */
const LITERAL = /"(\w+)"/g;
const LISTS = {
  learnerTables: learnerTables.map(({ name }) => name),
  actorColumns: actorColumns.map(([table]) => table),
};

/** Rooms by table. Functions in the database are left out, and so is the console, which contains no SQL. */
const writers = roomsBy(WRITTEN);
const namers = roomsBy(NAMED);

describe("each table belongs to one room", () => {
  it("which is the only one that writes it", () => {
    const shared = [...writers].flatMap(([table, each]) => {
      const own = each.filter((room) => !(`${room} > ${table}` in ALSO_WRITE));
      return own.length > 1 ? [`${table}: ${own.join(", ")}`] : [];
    });
    expect(shared).toEqual([]);
  });

  it("and rooms above it are the only others that name it", () => {
    const upwards = [...namers].flatMap(([table, each]) => {
      const owner = ownerOf(table);
      return owner === undefined
        ? []
        : each.filter((room) => room !== owner && !reaches(room, owner)).map((room) => `${room} > ${table}`);
    });
    expect(upwards.sort()).toEqual([...Object.keys(NAME_UPWARDS)].sort());
  });

  it("exceptions are all in use", () => {
    const used = [...writers].flatMap(([table, each]) => each.map((room) => `${room} > ${table}`));
    expect(used).toEqual(expect.arrayContaining(Object.keys(ALSO_WRITE)));
  });

  it("the tables are found, also where their names are inserted", () => {
    expect(tables.size).toBeGreaterThan(60);
    const unseen = [...sources].filter(
      ([, text]) => COMPOSED.test(text) && insertedTables(text).length === 0,
    );
    const files = unseen.map(([file]) => file).filter((file) => !file.startsWith("infrastructure/db/"));
    expect(files).toEqual(["domain/connectors/sweep/storage.ts"]); // this file writes temporary tables
    expect(writers.get("webhook_endpoints")).toEqual(["credentials", "webhooks"]);
  });
});

/** Tables that a dry run doesn't write, or only in `Storage.write`, which rolls back its changes after each page. */
const NOT_WRITTEN = [
  ...learnerTables.map(({ name }) => name),
  "courses",
  "learning_paths",
  "account_subjects", // written when someone signs in
  "connector_streams", // written by the reader of a platform's events
  "result_hints", // written together with learner records
];

it("a dry run of a sweep writes temporary tables in place of all that keep the state of sweeps", () => {
  const files = [...loadedWith("domain/connectors/sweep/run-sweep.ts", sources)];
  const written = new Set(
    files
      .filter((file) => file.startsWith("domain/connectors/") || file.startsWith("domain/learners/"))
      .flatMap((file) => {
        const text = sources.get(file) ?? "";
        return [...matches(WRITTEN, text), ...insertedTables(text)].filter((table) => tables.has(table));
      }),
  );
  const missing = [...written].filter((table) => !(table in sweepTables) && !NOT_WRITTEN.includes(table));
  expect(missing.sort()).toEqual([]);
});

function roomsBy(what: RegExp): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const [file, text] of sources) {
    if (file.startsWith("infrastructure/db/") || file.startsWith("console/")) continue;
    for (const table of [...matches(what, text), ...insertedTables(text)]) {
      if (!tables.has(table)) continue;
      const known = found.get(table) ?? new Set();
      found.set(table, known.add(roomOf(file)));
    }
  }
  return new Map([...found].map(([table, each]) => [table, [...each].sort()]));
}

/** Returns the tables whose names a file inserts into statements that write them. */
function insertedTables(text: string): string[] {
  if (!COMPOSED.test(text)) return [];
  const listed = Object.entries(LISTS).flatMap(([list, names]) => (text.includes(list) ? names : []));
  return [...matches(LITERAL, text), ...listed].filter((name) => tables.has(name));
}

function ownerOf(table: string): string | undefined {
  return writers.get(table)?.find((room) => !(`${room} > ${table}` in ALSO_WRITE));
}

/** Whether a room imports another, directly or indirectly. */
function reaches(from: string, to: string, seen = new Set<string>()): boolean {
  if (seen.has(from)) return false;
  seen.add(from);
  const imported = [...(rooms.get(from) ?? [])];
  return imported.includes(to) || imported.some((room) => reaches(room, to, seen));
}

function matches(pattern: RegExp, text: string): string[] {
  return [...text.matchAll(pattern)].map(([, name = ""]) => name);
}
