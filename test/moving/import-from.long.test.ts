import { spawnSync } from "node:child_process";
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, it, vi } from "vitest";
import { ended, startCommand } from "../commands/run-command.js";
import { issuedPdf } from "../credentials/issued-pdf.js";
import { COURSE, givenAcademy } from "../support/academy.js";
import { newDirectory } from "../support/directory.js";
import { stopHealthy } from "../support/health.js";

/** Each test starts several processes. */
vi.setConfig({ testTimeout: 300_000 });

const FIXTURES = join(import.meta.dirname, "fixtures");
const PATH = "path-v1:Open edX+101+2026+Group A";
const RETRIEVAL = "learning_credentials.processors.retrieve_subsection_grades";
const GENERATION = "learning_credentials.generators.generate_pdf_credential";

// `stopHealthy` expects that `doctor` finds no problems after all imports.
const academy = givenAcademy({}, stopHealthy);

/** Copies a fixture into a directory of its own. */
async function given(source: string): Promise<string> {
  const directory = newDirectory("import-from");
  await cp(join(FIXTURES, source), directory, { recursive: true });
  return directory;
}

const run = (directory: string, ...args: string[]) =>
  ended(startCommand(academy.service, ["import-from", ...args], directory));

/** Imports twice. The first import adds the expected number of credentials, the second adds none. */
async function importTwice(directory: string, args: string[], imported: number): Promise<string> {
  const before = await contents();
  const dry = await run(directory, ...args, "--dry-run");
  expect(dry).toMatchObject({ code: 0 });
  expect(dry.out).toContain(`${imported} would be imported, 0 unchanged, 0 rejected; nothing was changed`);
  expect(await contents()).toEqual(before);
  const first = await run(directory, ...args);
  expect(first).toMatchObject({ code: 0 });
  expect(first.out).toContain(`${imported} imported, 0 unchanged, 0 rejected`);
  const after = await contents();
  const second = await run(directory, ...args);
  expect(second).toMatchObject({ code: 0 });
  expect(second.out).toContain(`0 imported, ${imported} unchanged, 0 rejected`);
  expect(second.out).toContain("0 assets, 0 credential types, 0 configurations and 0 schedules created");
  expect(await contents()).toEqual(after);
  return dry.out;
}

/** Returns all data that an import can write, except the audit trail. */
async function contents(): Promise<unknown> {
  const { rows } = await academy.service.app.database.knex.raw(
    `select (select json_agg(c order by id) from (select id, uuid, verify_uuid, file_key, status from credentials) c) as credentials,
       (select json_agg(a order by alias) from credential_aliases a) as aliases,
       (select count(*) from assets) as assets, (select json_agg(t order by id) from credential_types t) as types,
       (select json_agg(c order by id) from credential_configurations c) as configurations,
       (select json_agg(s order by configuration_id) from credential_schedules s) as schedules,
       (select count(*) from jobs where task = 'send_mail') as emails`,
  );
  return rows[0];
}

/** Follows redirects itself, and expects that each leads to this service. */
async function visit(path: string, host = "old.example.org"): Promise<{ status: number; text: string }> {
  const { httpUrl } = academy.service;
  let url = `${httpUrl}${path}`;
  for (let time = 0; time < 4; time++) {
    const response = await fetch(url, { redirect: "manual", headers: { "x-forwarded-host": host } });
    if (response.status < 300 || response.status >= 400)
      return { status: response.status, text: await response.text() };
    const location = new URL(response.headers.get("location") ?? "", url);
    expect([new URL(httpUrl).host, "credentials.test"]).toContain(location.host);
    url = `${httpUrl}${location.pathname}${location.search}`;
  }
  throw new Error(`${path} redirects for ever`);
}

async function expectGenuine(name: string, ...paths: string[]): Promise<void> {
  for (const path of paths) {
    const { status, text } = await visit(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text).toContain(name);
  }
}

async function fileOf(username: string): Promise<Buffer> {
  const { credentials } = await academy.credentials.listCredentials({ username });
  const available = credentials.find(({ fileSha256, status }) => fileSha256 !== "" && status === 2);
  const { url } = await academy.credentials.getDownloadUrl({ uuid: available?.uuid ?? "" });
  const response = await fetch(url.replace("https://credentials.test", academy.service.httpUrl));
  return Buffer.from(await response.arrayBuffer());
}

/** Creates a configuration with this name for the academy's course. */
async function offer(name: string): Promise<void> {
  const { configurations } = academy;
  const { credentialTypes } = await configurations.listCredentialTypes({});
  const known = credentialTypes.find((each) => each.name === name);
  const type =
    known ??
    (await configurations.createCredentialType({
      credentialType: { name, retrievalFunc: RETRIEVAL, generationFunc: GENERATION },
    }));
  await configurations.createCredentialConfiguration({
    credentialConfiguration: {
      learningContextKey: COURSE,
      credentialTypeId: type.id,
      customOptions: { required_grades: { Total: 0.5 } },
    },
  });
}

/** Encrypts a file with AES-256 and an empty user password, as the Moodle plug-in does. */
async function encrypted(file: Buffer): Promise<Buffer> {
  const directory = newDirectory("encrypted");
  await writeFile(join(directory, "plain.pdf"), file);
  const options = ["--encrypt", "", "owner", "256", "--extract=n", "--modify=none", "--"];
  const { status } = spawnSync("qpdf", [...options, "plain.pdf", "encrypted.pdf"], { cwd: directory });
  expect([0, 3]).toContain(status); // 3 if there were warnings
  return readFile(join(directory, "encrypted.pdf"));
}

const map = (directory: string, value: object) =>
  writeFile(join(directory, "map.json"), JSON.stringify(value));

const contextOf = (name: string, type: string) => ({
  [name]: { learning_context_key: COURSE, learning_context_name: `Course ${name}`, credential_type: type },
});

describe("the plug-in's dump and media folder", () => {
  const [GRACE, OLD, JEAN, MARY] = [
    "6a1d2f0e-8b34-4c59-9d27-0f3e5a7b9c11",
    "0b2c4d6e-9f81-4a35-b7c2-d4e6f8a10b32",
    "1c3d5e7f-a092-4b46-98d3-e5f7091b2c43",
    "2d4e6f80-b1a3-4c57-a9e4-f60812c3d454",
  ] as const;
  const files = new Map<string, Buffer>();

  async function givenPlugin(): Promise<string> {
    const directory = await given("learning-credentials-plugin");
    const folders = ["learning_credentials", "learning_credentials_invalidated"];
    const assets = "learning_credentials_template_assets/3";
    for (const folder of [...folders, assets])
      await mkdir(join(directory, "media", folder), { recursive: true });
    for (const uuid of [GRACE, OLD, JEAN, MARY]) {
      files.set(uuid, files.get(uuid) ?? (await encrypted(issuedPdf(uuid))));
      const folder = folders[uuid === OLD ? 1 : 0] ?? "";
      await writeFile(join(directory, "media", folder, `${uuid}.pdf`), files.get(uuid) as Buffer);
    }
    await writeFile(join(directory, "media", assets, "page.pdf"), issuedPdf("page"));
    return directory;
  }
  const ARGS = ["learning-credentials-plugin", "dump.json", "--files", "media"];

  it("is imported completely, with options of the same meaning", async () => {
    const directory = await givenPlugin();
    const out = await importTwice(directory, ARGS, 4);
    for (const change of [
      'Asset "Gala_Page" is now named gala_page',
      'defaults.font is now "Source Sans": Helvetica can\'t be embedded',
      "defaults.size is now 12",
      'required_grades.Exam is "65", which nobody reaches: it is now 1',
      "text_elements.award.x is left out: the plug-in ignores it",
      "text_elements.broken is left out",
      'text_elements.award.text is now "\\"For {name} {{unknown}} {{\\""',
      'template is left out: there is no asset "\\"lost\\""',
      "the schedule every 6 hours is now at fixed hours: 0 */6 * * *",
      "the schedule is off until you enable it",
    ])
      expect(out).toContain(change);
    expect(out).toContain("left out: 1, as it has failed: issue it here instead");

    const { credentialTypes } = await academy.configurations.listCredentialTypes({});
    const type = credentialTypes.find(({ name }) => name === "Certificate of Achievement");
    expect(type?.customOptions).toEqual({
      template: "gala_page",
      required_grades: { Exam: 1, Total: 0.5 },
      defaults: { font: "Source Sans", color: "#333", size: 12, uppercase: false, char_space: 0 },
      text_elements: {
        name: { uppercase: true },
        date: false,
        award: { text: "For {name} {{unknown}} {{", y: 140 },
      },
    });
    const { credentialConfigurations } = await academy.configurations.listCredentialConfigurations({
      learningContextKey: PATH,
    });
    expect(credentialConfigurations[0]?.schedule).toMatchObject({
      enabled: false,
      recurrence: { case: "cron", value: "30 6 * * 1" },
      timeZone: "Europe/Madrid",
    });

    const { credentials } = await academy.credentials.listCredentials({ username: "jean" });
    expect(credentials.map(({ uuid }) => uuid).sort()).toEqual([OLD, JEAN].sort());
    expect(credentials.find(({ uuid }) => uuid === OLD)).toMatchObject({
      verifyUuid: "4f7a9c1e-3b5d-4e8f-a206-7c9b1d3e5f42",
      invalidationReason: "Wrong name.\nReissued",
    });
    expect((await fileOf("grace")).equals(files.get(GRACE) as Buffer)).toBe(true);
    expect((await fileOf("mary")).equals(files.get(MARY) as Buffer)).toBe(true);
    await expectGenuine(
      "Grace Hopper",
      "/verify/c5e8a1f3-2d46-4b70-8e9a-1f6b3d5c7a90/",
      `/verify/${GRACE}/`,
      `/media/learning_credentials/${GRACE}.pdf`,
      `/${JEAN}.pdf`,
      `/verify/?id=${encodeURIComponent(`https://lms.uni.test/media/learning_credentials/${MARY}.pdf`)}`,
    );
  });

  it("with a fault names its record, and changes nothing", async () => {
    const directory = await givenPlugin();
    const text = await readFile(join(directory, "dump.json"), "utf8");
    await writeFile(
      join(directory, "dump.json"),
      text.replaceAll("c5e8a1f3-2d46", "c5e8a1f3-9d46").replace('"user": 9', '"user": 99'),
    );
    const before = await contents();
    const { code, err } = await run(directory, ...ARGS);
    expect(code).toBe(1);
    expect(err).toContain("2 of the export can't be imported, and nothing was changed");
    expect(err).toContain(`record 14 (${GRACE})`);
    expect(err).toContain('record 17: user is "99", but the dump has no record of this user');
    expect(await contents()).toEqual(before);
  });

  it("names a wrong option of a type, and gives no advice about functions", async () => {
    const directory = await givenPlugin();
    const file = join(directory, "dump.json");
    const text = await readFile(file, "utf8");
    const changed = text.replace('\\"template\\": \\"lost\\"', '\\"steps\\": {\\"nowhere\\": {}}');
    await writeFile(file, changed.replace('"name": "Attendance"', '"name": "New attendance"'));
    const { code, err } = await run(directory, ...ARGS);
    expect(code).toBe(1);
    expect(err).toContain("nowhere");
    expect(err).not.toContain("Name one of these functions");
  });
});

describe("customcert", () => {
  it("as responses of the web service", async () => {
    await offer("Safety");
    const directory = await given("moodle-customcert/answers");
    const file = join(directory, "issues.json");
    const issues = JSON.parse(await readFile(file, "utf8"));
    for (const issue of issues) issue.pdf.content = issuedPdf(issue.issue.code).toString("base64");
    await writeFile(file, JSON.stringify(issues));
    // The responses don't contain the name of the course. It is in the service's records.
    const contexts = { 5: { learning_context_key: COURSE, credential_type: "Safety" } };
    await map(directory, { contexts });
    await importTwice(directory, ["moodle-customcert", "issues.json", "--map", "map.json"], 2);
    expect((await fileOf("ada")).equals(issuedPdf("aB3dE5fG7h"))).toBe(true);
    const { credentials } = await academy.credentials.listCredentials({ username: "ada" });
    expect(credentials).toMatchObject([{ learningContextName: "Course One" }]);
    await expectGenuine(
      "Ada King",
      "/verify/aB3dE5fG7h/",
      "/verify/?id=aB3dE5fG7h",
      "/mod/customcert/verify_certificate.php?code=aB3dE5fG7h&contextid=30",
      "/moodle/mod/customcert/verify_certificate.php?contextid=1&code=aB3dE5fG7h",
      `/verify/?id=${encodeURIComponent("https://moodle.uni.test/mod/customcert/verify_certificate.php?code=aB3dE5fG7h")}`,
    );
    await expectGenuine("Bea Ruiz", "/verify/Zx9Yw8Vu7T");
  });

  it("as tables, with files printed here", async () => {
    await offer("First aid");
    const directory = await given("moodle-customcert/tables");
    await map(directory, { contexts: contextOf("6", "First aid"), print_files: true });
    await importTwice(directory, ["moodle-customcert", ".", "--map", "map.json"], 2);
    await expectGenuine("Cleo Marín", "/verify/Q1w2E3r4T5/");
    await expectGenuine("Dov Levi", "/verify/4821-7730-9156/");
    expect((await PDFDocument.load(await fileOf("cleo"))).getPageCount()).toBe(1);
  });

  it("is unchanged when imported again after learners and the course were renamed here or there", async () => {
    const directory = await given("moodle-customcert/tables");
    const users = join(directory, "mdl_user.csv");
    const text = await readFile(users, "utf8");
    await writeFile(users, text.replace("cleo,Cleo", "cleo.new,Clea"));
    const renames = [{ username: "dov", newUsername: "dov.new" }];
    expect(await academy.records.renameLearners({ renames })).toMatchObject({ refused: [] });
    const contexts = { 6: { ...contextOf("6", "First aid")["6"], learning_context_name: "First aid today" } };
    await map(directory, { contexts, print_files: true });
    const { out, err } = await run(directory, "moodle-customcert", ".", "--map", "map.json");
    expect({ out, err }).toMatchObject({
      out: expect.stringContaining("0 imported, 2 unchanged, 0 rejected"),
    });
  });
});

it("badges of Badgr, with learners found by their address", async () => {
  await offer("Map reader");
  await academy.report({
    case: "learner",
    value: { username: "eva", fullName: "Eva Nováková", email: "eva@old.test" },
  });
  await academy.records.correctLearnerEmail({ username: "eva", email: "Eva@uni.test", reason: "Typo." });
  const directory = await given("badgr");
  await writeFile(join(directory, "aS5dF7gH9jK1lQ3wE5rT7y.pdf"), issuedPdf("eva"));
  const contexts = contextOf("bC3dE5fG7hI9jK1lM3nO5p", "Map reader");
  const args = ["badgr", "export.json", "--files", ".", "--map", "map.json"];
  await map(directory, { contexts });
  const { code, out } = await run(directory, ...args, "--dry-run");
  expect(code).toBe(1);
  expect(out).toContain(
    'assertion 2 (zX2cV4bN6mA8sD0fG2hJ4k): no learner has the email address "finn@uni.test"',
  );
  await map(directory, { contexts, learners: { "finn@uni.test": "finn" } });
  expect((await run(directory, ...args)).err).toContain(
    'add a time for all such credentials as "withdrawn_at"',
  );
  const withdrawn = { withdrawn_at: "2024-09-01T00:00:00Z" };
  await map(directory, { contexts, learners: { "finn@uni.test": "finn" }, ...withdrawn });
  await importTwice(directory, args, 2);
  expect((await fileOf("eva")).equals(issuedPdf("eva"))).toBe(true);
  await expectGenuine(
    "Eva Novák",
    "/verify/aS5dF7gH9jK1lQ3wE5rT7y/",
    "/public/assertions/aS5dF7gH9jK1lQ3wE5rT7y",
    "/public/assertions/aS5dF7gH9jK1lQ3wE5rT7y.json?v=2_0",
  );
  await expectGenuine("Awarded by mistake", "/public/assertions/zX2cV4bN6mA8sD0fG2hJ4k");

  // Imported credentials keep their learners, although nobody has these addresses any longer.
  await academy.report({ case: "learner", value: { username: "eva", fullName: "Eva", email: "e@uni.test" } });
  await map(directory, { contexts, ...withdrawn });
  expect((await run(directory, ...args)).out).toContain("0 imported, 2 unchanged, 0 rejected");
});

it("credentials of Accredible and Credly", async () => {
  await offer("Manager");
  await offer("Operator");
  const accredible = await given("accredible");
  await map(accredible, { unknown_learners: "email", print_files: true });
  const unmapped = await run(accredible, "accredible", "credentials.csv", "--map", "map.json", "--dry-run");
  expect(unmapped.out).toContain('"Project management": {\n      "learning_context_key": ""');
  expect(unmapped.out).toContain("row 2 (28e5cf3f-2121-4886-8ced-f9bb07f6bdb1)");
  await map(accredible, {
    contexts: contextOf("Project management", "Manager"),
    unknown_learners: "email",
    print_files: true,
  });
  const manager = await importTwice(accredible, ["accredible", "credentials.csv", "--map", "map.json"], 2);
  expect(manager).toContain("codes left out: 1, as they are too easy to guess");
  await expectGenuine(
    "Gil Antunes",
    "/28e5cf3f-2121-4886-8ced-f9bb07f6bdb1",
    "/r358j69n",
    "/verify/r358j69n/",
    "/verify/28E5CF3F-2121-4886-8CED-F9BB07F6BDB1/",
  );
  await expectGenuine("Ida Brandt", "/62c5c135-c902-4a7b-b67d-2bbe33f1087f");

  const credly = await given("credly");
  await map(credly, {
    contexts: contextOf("cfaf2910-ea5f-46f1-89a5-db525dad6e58", "Operator"),
    unknown_learners: "email",
    print_files: true,
    withdrawn_at: "2024-09-01T00:00:00Z",
  });
  const out = await importTwice(credly, ["credly", "analytics.csv", "--map", "map.json"], 2);
  expect(out).toContain("left out: 1, as its learner has rejected it");
  await expectGenuine(
    "Jan van Dijk",
    "/badges/b2375ca4-d464-41c6-b7e9-57f7834cb605/public_url",
    "/badges/b2375ca4-d464-41c6-b7e9-57f7834cb605",
  );
});

it("certificates of Open edX", async () => {
  await offer("Course certificate");
  const directory = await given("openedx-certificates");
  await map(directory, { credential_type: "Course certificate", print_files: true });
  const args = ["openedx-certificates", "certificates.json", "--map", "map.json"];
  const out = await importTwice(directory, args, 1);
  expect(out).toContain("left out: 1, as its status is notpassing");
  await expectGenuine(
    "Mia Costa",
    "/certificates/8f14e45fceea467f9b1d0c3a2b5e7d96",
    "/verify/8f14e45fceea467f9b1d0c3a2b5e7d96/",
  );
});

describe("attackers", () => {
  it("learn nothing from codes that lead nowhere, and are not redirected elsewhere", async () => {
    const unknown = await visit("/verify/nobody-has-this-code/");
    expect(unknown.status).toBe(404);
    // The pages of all unknown codes are the same, apart from the code and the time.
    const verdictIn = (text: string) => /<div class="verdict">[\s\S]*?<\/div>/.exec(text)?.[0];
    expect(verdictIn(unknown.text)).toBeDefined();
    for (const path of [
      "/mod/customcert/verify_certificate.php?code=aB3dE5fG7H",
      "/mod/customcert/verify_certificate.php",
      "/mod/customcert/verify_certificate.php?code=https://evil.example/",
      "/public/assertions/AAAAAAAAAAAAAAAAAAAAAA",
      "/certificates/00000000000000000000000000000000",
      "/media/learning_credentials/7c3d5e7f-a092-4b46-98d3-e5f7091b2c43.pdf",
      "/badges/00000000-0000-4000-8000-000000000000",
      "/r358j69m",
    ]) {
      const { status, text } = await visit(path, "evil.example");
      expect([path, status]).toEqual([path, 404]);
      expect(text).not.toContain('href="https://evil.example');
      expect(verdictIn(text)).toBe(verdictIn(unknown.text));
    }
  });

  it("can't reach an erased learner's credential by the old code, but its verification UUID stays", async () => {
    const { credentials } = await academy.credentials.listCredentials({ username: "bea" });
    await expectGenuine("Bea Ruiz", "/verify/Zx9Yw8Vu7T/");
    await academy.records.eraseLearner({ username: "bea" });
    expect((await visit("/verify/Zx9Yw8Vu7T/")).status).toBe(404);
    expect((await visit(`/verify/${credentials[0]?.verifyUuid}/`)).status).toBe(200);
    const { rows } = await academy.service.app.database.knex.raw(
      "select from credential_aliases where alias = 'Zx9Yw8Vu7T'",
    );
    expect(rows).toEqual([]);
  });

  it.each<[string, string, (directory: string) => Promise<unknown>]>([
    [
      "too deep",
      "has more than 32 levels in item 1",
      (directory) => writeFile(join(directory, "x.json"), `[${"[".repeat(100_000)}`),
    ],
    [
      "an item without end",
      "has more than 5242880 bytes in item 1",
      (directory) => writeFile(join(directory, "x.json"), `["${"a".repeat(6_000_000)}"]`),
    ],
    ["cut off", "ends in the middle", (directory) => writeFile(join(directory, "x.json"), '[{"issue": ')],
    [
      "no JSON",
      "is not a JSON array or object",
      (directory) => writeFile(join(directory, "x.json"), "%PDF-1.7"),
    ],
    [
      "an error in place of an answer",
      "contains an error from Moodle",
      (directory) => writeFile(join(directory, "x.json"), '{"exception": "x", "message": "No access"}'),
    ],
  ])("hostile file: %s", async (_, message, write) => {
    const directory = newDirectory("hostile");
    await write(directory);
    const { code, err } = await run(directory, "moodle-customcert", "x.json");
    expect(code).toBe(1);
    expect(err).toContain(message);
  });

  it("hostile archive: it decompresses to more than is allowed", async () => {
    const directory = newDirectory("hostile");
    const { zipSync } = await import("fflate");
    const zeros = new Uint8Array(600 * 1024 * 1024);
    await writeFile(join(directory, "x.zip"), zipSync({ "a.json": zeros }));
    const { code, err } = await run(directory, "badgr", "x.zip");
    expect(code).toBe(1);
    expect(err).toContain("unpacks to more than");
  });

  it("hostile paths: files stay below their directory, links and pipes included", async () => {
    const directory = await given("learning-credentials-plugin");
    await mkdir(join(directory, "media", "learning_credentials"), { recursive: true });
    await writeFile(join(directory, "secret.pdf"), issuedPdf("secret"));
    const grace = "6a1d2f0e-8b34-4c59-9d27-0f3e5a7b9c11";
    const link = join(directory, "media", "learning_credentials", `${grace}.pdf`);
    await symlink("../../secret.pdf", link);
    const file = join(directory, "dump.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("learning_credentials_template_assets/3/page.pdf", "../secret.pdf"));
    const args = ["learning-credentials-plugin", "dump.json", "--files", "media", "--dry-run"];
    const { code, out } = await run(directory, ...args);
    expect(code).toBe(1);
    expect(out).toContain(
      'Asset "Gala_Page" is left out: file is "../secret.pdf", which is not in the directory',
    );
    expect(out).toMatch(
      new RegExp(`record 14 \\(${grace}\\): file is "[^"]*", which is not in the directory`),
    );
    await rm(link);
    expect(spawnSync("mkfifo", [link]).status).toBe(0);
    expect((await run(directory, ...args)).out).toContain("it is not a regular file");
  });

  it("can't use a code that is easy to guess, or another credential's", async () => {
    const base = {
      username: "zed",
      user_full_name: "Zed",
      learning_context_key: COURSE,
      learning_context_name: "C",
      credential_type: "Certificate",
      create_time: "2020-01-01T00:00:00Z",
      file: issuedPdf("zed").toString("base64"),
      verify_uuid: "d1e2f3a4-b5c6-4d7e-8f90-a1b2c3d4e5f6",
    };
    const directory = newDirectory("guess");
    for (const [alias, message] of [
      ["10250012", "too easy to guess"],
      ["111111111111111", "too easy to guess"],
      ["a/../../b", "a code must have 8 to 255 characters"],
      ["aB3dE5fG7h", "leads to another credential"],
    ] as const) {
      await writeFile(join(directory, "one.ndjson"), JSON.stringify({ ...base, aliases: [alias] }));
      const { code, err } = await ended(
        startCommand(academy.service, ["import-credentials", "one.ndjson"], directory),
      );
      expect([alias, code]).toEqual([alias, 1]);
      expect(err).toContain(message);
    }
  });
});
