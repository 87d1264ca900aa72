import { describe, expect, it } from "vitest";
import {
  findCircle,
  folderOf,
  grouped,
  groupOf,
  type ImportGraph,
  importedPath,
  importsOf,
  loadedWith,
  readSources,
  roomOf,
} from "./imports.js";

const sources = readSources();
const imports = importsOf(sources);
const rooms = grouped(imports, roomOf);

/** The groups of rooms that each group may import. Every group may also import the foundation. */
const GROUP_MAY_IMPORT: Record<string, readonly string[]> = {
  foundation: [],
  formats: [],
  infrastructure: [],
  domain: ["formats", "infrastructure"],
  runtime: ["domain", "formats", "infrastructure"],
  api: ["domain", "infrastructure", "runtime"],
  edges: ["api", "domain", "formats", "infrastructure", "runtime"],
  app: ["api", "domain", "edges", "formats", "infrastructure", "runtime"],
  "main.ts": ["app", "runtime"],
  client: [],
  console: [],
};

/** The foundation. Every room may import it, and it imports only itself. */
const FOUNDATION = [
  "errors.ts",
  "console-settings.ts",
  "credential-status.ts",
  "group-by.ts",
  "limits.ts",
  "requirement-parts.ts",
  "shorten.ts",
  "version.ts",
  "calendar",
  "color",
  "concurrency",
  "languages",
  "text",
];

/**
 * The other rooms that each room may import. Every room may also import the foundation. A room that is missing here may
 * import only the foundation.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  // The foundation imports only itself.
  "errors.ts": [],
  "console-settings.ts": [],
  "shorten.ts": [],
  "credential-status.ts": [],
  "group-by.ts": [],
  "limits.ts": [],
  "requirement-parts.ts": [],
  "version.ts": [],
  calendar: [],
  color: [],
  concurrency: [],
  languages: [],
  text: [],
  log: [],
  tracing: [],
  // Rooms that are independent of the domain.
  db: [],
  files: [],
  email: ["files", "outbound"],
  badges: [],
  identity: [],
  outbound: [],
  sealing: ["badges"],
  transparency: [],
  rendering: [],
  jobs: ["db", "tracing"],
  audit: ["db"],
  "stored-settings": ["db"],
  sessions: ["audit", "db", "identity"],
  // The domain.
  learners: ["db", "email", "identity"],
  assets: ["db", "files", "rendering"],
  brands: ["assets", "db"],
  configurations: ["assets", "brands", "db", "files", "identity", "learners", "email", "rendering"],
  eligibility: ["configurations", "db", "learners"],
  credentials: [
    "assets",
    "audit",
    "badges",
    "brands",
    "configurations",
    "db",
    "eligibility",
    "files",
    "identity",
    "jobs",
    "keys",
    "learners",
    "email",
    "rendering",
    "sealing",
    "sessions",
    "stored-settings",
    "transparency",
  ],
  keys: ["badges", "files", "sealing", "transparency"],
  webhooks: ["credentials", "db", "jobs", "email", "outbound", "tracing"],
  lti: ["credentials", "db", "identity", "learners", "outbound", "sessions", "stored-settings"],
  rosters: ["learners"],
  moving: ["assets", "configurations", "credentials", "db", "identity", "learners", "rendering", "rosters"],
  operations: ["db"],
  connectors: [
    "configurations",
    "credentials",
    "db",
    "eligibility",
    "identity",
    "learners",
    "operations",
    "outbound",
    "stored-settings",
  ],
  // The services, and the rooms through which calls reach them.
  pipeline: ["audit", "db", "identity", "tracing"],
  services: [
    "assets",
    "audit",
    "brands",
    "configurations",
    "connectors",
    "credentials",
    "db",
    "doctor",
    "eligibility",
    "files",
    "identity",
    "jobs",
    "keys",
    "learners",
    "lti",
    "email",
    "operations",
    "ops",
    "pipeline",
    "sessions",
    "settings",
    "stored-settings",
    "webhooks",
  ],
  edges: [
    "audit",
    "badges",
    "brands",
    "credentials",
    "files",
    "identity",
    "learners",
    "log",
    "lti",
    "ops",
    "pipeline",
    "sessions",
    "transparency",
  ],
  // Operation.
  settings: ["db", "files", "identity", "keys", "email", "outbound", "rendering", "stored-settings"],
  ops: ["connectors", "db", "files", "jobs", "email", "rendering", "webhooks"],
  processes: ["db"],
  doctor: [
    "badges",
    "credentials",
    "db",
    "files",
    "jobs",
    "keys",
    "operations",
    "rendering",
    "sealing",
    "transparency",
    "webhooks",
  ],
  "sample-data": ["configurations", "credentials", "db", "identity", "learners"],
};

/** These files and rooms assemble the others, and may import all of them. */
const ASSEMBLY = [
  "app.ts",
  "background.ts",
  "dependencies.ts",
  "http-routes.ts",
  "listen.ts",
  "main.ts",
  "open-doctor.ts",
  "plugin.ts",
  "plugins.ts",
  "serve.ts",
  "serve-ops.ts",
  "services.ts",
  "work.ts",
];

/** Commands may import everything except these rooms, because commands serve no callers. */
const COMMANDS_MAY_NOT = ["edges"];

/** Modules that import no room. They are loaded before all others, or by other programs. */
const ALONE = ["check-node-version.ts", "client"];

/**
 * The console runs in browsers as a client of the API. It may import only itself, `gen/`, and the modules below, which
 * don't need Node.
 */
const CONSOLE = "console";
const ALSO_IN_BROWSERS =
  /^foundation\/(?:shorten|console-settings|group-by|limits|requirement-parts|calendar\/(?:day|expiry-warning-days)|color\/(?:badge-color|legible-accent)|concurrency\/bounded-cache|languages\/(?:list|message)|text\/(?:attribute-key|points|capitalized|is-object|key-parts|merge-options|only-part|read-json)|text\/tables\/(?:(?:file|workbook)\/)?[\w-]+)\.[jt]s$/;

describe("imports run one way", () => {
  it.each<[string, ImportGraph]>([
    ["files", imports],
    ["folders", grouped(imports, folderOf)],
    ["rooms", rooms],
  ])("between %s", (_, graph) => {
    expect(findCircle(graph)?.join(" -> ")).toBeUndefined();
  });

  it("a circle is found and named", () => {
    const graph = new Map(
      Object.entries({ a: ["b"], b: ["c", "d"], c: ["a"], d: ["b"] }).map(([from, to]) => [
        from,
        new Set(to),
      ]),
    );
    expect(findCircle(graph)?.join(" -> ")).toBe("b -> d -> b");
  });

  it("imports of every form are seen", () => {
    const texts = new Map([
      [
        "a/of.ts",
        'import type { X } from "../b/x.js";\nexport * from "./y.js";\nconst z = await import("./z.js");',
      ],
      ["a/y.ts", 'import "./z.js";'],
      ["a/z.ts", 'new Worker(new URL("../b/x.js", import.meta.url));\nimport "#b/y.js";'],
      ["b/y.ts", 'import type { Y } from "#gen/y_pb.js";'],
      ["b/x.ts", 'import { readFile } from "node:fs/promises";'],
    ]);
    expect(Object.fromEntries([...importsOf(texts)].map(([from, to]) => [from, [...to]]))).toEqual({
      "a/of.ts": ["b/x.ts", "a/y.ts", "a/z.ts"],
      "a/y.ts": ["a/z.ts"],
      "a/z.ts": ["b/x.ts", "b/y.ts"],
      "b/y.ts": [],
      "b/x.ts": [],
    });
  });
});

describe("a group imports only permitted groups", () => {
  it.each([...grouped(imports, groupOf).keys()])("%s", (group) => {
    const allowed = [group, "foundation", ...(GROUP_MAY_IMPORT[group] ?? [])];
    const strange = [...imports].flatMap(([file, imported]) =>
      groupOf(file) === group
        ? [...imported]
            .filter((each) => !allowed.includes(groupOf(each)))
            .map((each) => `${roomOf(file)} -> ${roomOf(each)}`)
        : [],
    );
    expect(strange).toEqual([]);
  });
});

describe("a room imports only permitted rooms", () => {
  const ruled = [...rooms.keys()].filter((room) => ![...ASSEMBLY, "commands", CONSOLE].includes(room));

  it.each(ruled)("%s", (room) => {
    const allowed = [...FOUNDATION, ...(MAY_IMPORT[room] ?? [])];
    const isStrange = (file: string, imported: string) =>
      roomOf(file) === room && roomOf(imported) !== room && !allowed.includes(roomOf(imported));
    expect(importsWhere(isStrange)).toEqual([]);
  });

  it.each(Object.entries(MAY_IMPORT))("%s uses every permission that it has", (room, allowed) => {
    const imported = [...(rooms.get(room) ?? [])];
    expect(imported).toEqual(expect.arrayContaining([...allowed]));
  });

  it("the console imports `gen`, the list of languages, messages, days, colours, limits, some functions for texts and options, and the reader of tables, and nothing imports the console", () => {
    const isStrange = (file: string, imported: string) =>
      (roomOf(file) === CONSOLE) !== (roomOf(imported) === CONSOLE) && !ALSO_IN_BROWSERS.test(imported);
    expect(importsWhere(isStrange)).toEqual([]);
    const isForBrowsers = (file: string) => roomOf(file) === CONSOLE || ALSO_IN_BROWSERS.test(file);
    const outside = [...sources].flatMap(([file, text]) =>
      isForBrowsers(file) ? leavesConsole(file, text) : [],
    );
    expect(outside).toEqual([]);
    expect([...sources.keys()].filter((file) => roomOf(file) === CONSOLE).length).toBeGreaterThan(20);
  });

  it.each<[string, boolean]>([
    ['import { a } from "#gen/learning_credentials/v1/x_pb.js";', false],
    ['import { a } from "#foundation/languages/list.js";', false],
    ['import { a } from "#foundation/text/tables/read-table.js";', false],
    ['import { a } from "#foundation/text/fold.js";', true],
    ['import { a } from "#foundation/languages/languages.js";', true],
    ['import { a } from "../foundation/errors.js";', true],
    ['await import("../../test/support/service.js");', true],
    ['import fs from "node:fs";', true],
    ['import { useState } from "react";', false],
  ])("the console with %s", (text, isOutside) => {
    expect(leavesConsole("console/main.tsx", text).length > 0).toBe(isOutside);
  });

  it("commands use what edges use, but not edges", () => {
    const isStrange = (file: string, imported: string) =>
      roomOf(file) === "commands" && COMMANDS_MAY_NOT.includes(roomOf(imported));
    expect(importsWhere(isStrange)).toEqual([]);
  });

  it("only the assembly and the commands import the assembly", () => {
    const isStrange = (file: string, imported: string) =>
      ASSEMBLY.includes(roomOf(imported)) && roomOf(file) !== "commands" && !ASSEMBLY.includes(roomOf(file));
    expect(importsWhere(isStrange)).toEqual([]);
  });

  it("few files are outside a room", () => {
    const loose = [...new Set([...sources.keys()].map(roomOf))].filter((room) => room.endsWith(".ts"));
    const foundation = FOUNDATION.filter((each) => each.endsWith(".ts"));
    expect(loose.sort()).toEqual([...ASSEMBLY, ...foundation, ...ALONE.slice(0, 1)].sort());
  });
});

describe("modules that most services don't need are loaded on demand", () => {
  const atStart = new Set(
    ["app", "serve", "work", "commands/serve"].flatMap((file) => [...loadedWith(`app/${file}.ts`, sources)]),
  );

  it.each([
    ["platforms", "domain/connectors/built-in-connectors.ts"],
    ["LTI", "domain/lti/open-lti.ts"],
    ["launches", "edges/lti/lti-routes.ts"],
    ["the doctor", "runtime/doctor/diagnose.ts"],
    ["the schema", "infrastructure/db/migrations/001-schema.ts"],
  ])("%s", (_, file) => {
    expect(sources.has(file)).toBe(true);
    expect([...atStart]).not.toContain(file);
  });

  it("and nothing else is missing", () => {
    const used = [
      "app/services.ts",
      "app/http-routes.ts",
      "app/background.ts",
      "infrastructure/db/functions/create-functions.ts",
    ];
    expect([...atStart]).toEqual(expect.arrayContaining(used));
    expect([...atStart].filter((file) => !sources.has(file) && !file.startsWith("../gen/"))).toEqual([]);
  });
});

describe("only these files know", () => {
  it.each<[string, RegExp, readonly string[]]>([
    [
      "the table of the queue",
      /\b(?:from|into|join|update|using) jobs\b/,
      ["enqueue", "queue-health", "queue-store"].map((name) => `infrastructure/jobs/${name}.ts`),
    ],
  ])("%s", (_, what, files) => {
    expect([...sources].flatMap(([file, text]) => (what.test(text) ? file : [])).sort()).toEqual(
      [...files].sort(),
    );
  });

  it("only `db` runs SQL whose rows have no type: other rooms name the type, as in `queryRows<Row>(…)`", () => {
    const users = [...sources].flatMap(([file, text]) => (runsUntyped.test(text) ? file : []));
    expect(users.filter((file) => roomOf(file) !== "db")).toEqual([]);
    expect(users).toContain("infrastructure/db/query.ts");
  });

  it("only `db` imports Knex: other rooms have its type from `db/query.ts`", () => {
    const users = [...sources].flatMap(([file, text]) => (/from "knex"/.test(text) ? file : []));
    expect(new Set(users.map(roomOf))).toEqual(new Set(["db"]));
  });

  it.each<[string, boolean]>([
    ["db.raw(sql)", true],
    ["transaction\n  .raw<Rows>(sql)", true],
    ["knex.raw.bind(knex)", true],
    ['database.knex("credentials").first("uuid")', true],
    ["String.raw`\\d`", false],
    ["String.raw({ raw: template })", false],
    ["query.whereRaw(sql)", false],
  ])("recognises %s", (text, expected) => {
    expect(runsUntyped.test(text)).toBe(expected);
  });
});

/**
 * Returns what a file of the console imports from other parts of this repository, or from Node. The build of the
 * console is left out, because it runs in Node.
 */
function leavesConsole(file: string, text: string): string[] {
  if (["console/vite.config.ts", "console/catalogue-plugin.ts"].includes(file)) return [];
  const named = [...text.matchAll(/(?:\bfrom\s+|\bimport\s+|\bimport\(\s*|\bnew URL\(\s*)"([^"]+)"/g)];
  return named.flatMap(([, path = ""]) => {
    const reached = /^[.#]/.test(path) ? importedPath(file, path) : path;
    const isOutside =
      reached === path
        ? path.startsWith("node:")
        : !/^(?:console\/|\.\.\/gen\/)/.test(reached) && !ALSO_IN_BROWSERS.test(reached);
    return isOutside ? [`${file} -> ${reached}`] : [];
  });
}

/** Matches Knex's `raw`, called or passed on, and Knex's query builder. Does not match `String.raw`. */
const runsUntyped = /(?<!\bString)\.raw\b|\b(?:db|knex|transaction)\("/;

/** Returns the imports that meet a condition, as `from -> to`. */
function importsWhere(holds: (file: string, imported: string) => boolean): string[] {
  return [...imports].flatMap(([file, imported]) =>
    [...imported].filter((each) => holds(file, each)).map((each) => `${file} -> ${each}`),
  );
}
