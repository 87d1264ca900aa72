import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Academy, openAcademy } from "../credentials/academy.js";
import { JWT_SECRET } from "../support/service.js";

const MAIN = resolve(import.meta.dirname, "../../src/main.ts");
const CLEAN = "Looked at the files of 2 credentials, 2 files in the store and 0 assets: nothing is wrong.\n";

/** Each starts processes of its own. */
vi.setConfig({ testTimeout: 90_000 });

let academy: Academy;
let uuids: string[];

beforeAll(async () => {
  academy = await openAcademy();
  await academy.enrol("ana", "ben");
  uuids = await Promise.all(
    ["ana", "ben"].map(async (username) => {
      const { configurationId, credentials } = academy;
      const { uuid } = await credentials.issueCredential({ configurationId, username });
      await academy.generate(await academy.idOf(uuid));
      return uuid;
    }),
  );
});
afterAll(() => academy.service.stop());

/** Runs `learning-credentials doctor` beside the service. */
async function doctor(args: readonly string[] = [], settings: Record<string, string> = {}) {
  const { config, database } = academy.service.app;
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), MAIN, "doctor", ...args], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      DATA_DIR: config.dataDir,
      PUBLIC_URL: "https://credentials.test",
      URL_SIGNING_SECRET: "another secret that only tests know",
      AUTH_JWT_SECRET: JWT_SECRET,
      LOG_LEVEL: "silent",
      ...settings,
    },
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { exitCode: child.exitCode, stdout, stderr };
}

async function pathOf(uuid = ""): Promise<string> {
  const [path = ""] = await academy.filesOf(uuid);
  return path;
}

test("tells each finding with its credential and remedy, and ends with 1 until all is repaired", async () => {
  const [flipped = "", missing = ""] = uuids;
  const path = await pathOf(flipped);
  const bytes = await readFile(path);
  bytes[500] = (bytes[500] ?? 0) ^ 1;
  await writeFile(path, bytes);
  await rm(await pathOf(missing));

  const [found, unread, json] = await Promise.all([doctor(), doctor(["--no-hash"]), doctor(["--json"])]);
  expect(found).toMatchObject({ exitCode: 1, stderr: "" });
  expect(found.stdout).toMatch(
    new RegExp(
      [
        "^missing-file \\(1\\): available, and its file is gone",
        `  credential ${missing}: learning_credentials/${missing}/\\w+\\.pdf is not in the store`,
        "  Remedy: `doctor --repair` makes the file again .*",
        "",
        "damaged-file \\(1\\): its file is not the one that was made",
        `  credential ${flipped}: \\S+ has the SHA-256 \\w{64}; \\w{64} was stored`,
        "  Remedy: .*",
        "",
        "Looked at the files of 2 credentials, 1 files in the store and 0 assets: 2 findings, 0 warnings\\.\n$",
      ].join("\n"),
    ),
  );

  expect(unread.stdout).toContain("1 findings, 0 warnings.");
  expect(json.exitCode).toBe(1);
  const lines = json.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.slice(0, -1)).toEqual(
    expect.arrayContaining(
      [
        { kind: "damaged-file", credential_uuid: flipped },
        { kind: "missing-file", credential_uuid: missing },
      ].map((finding) =>
        expect.objectContaining({ ...finding, is_warning: false, remedy: expect.any(String) }),
      ),
    ),
  );
  expect(lines.at(-1)).toEqual({
    summary: { credential_files: 2, stored_files: 1, assets: 0, findings: 2, warnings: 0, repaired: 0 },
  });

  const repair = await doctor(["--repair"]);
  expect(repair).toMatchObject({ exitCode: 0, stderr: "" });
  expect(repair.stdout).toMatch(/is not in the store \(repaired\)\n/);
  expect(repair.stdout).toMatch(/: 2 findings, 0 warnings, 2 repaired\.\n$/);
  expect(await doctor()).toEqual({ exitCode: 0, stdout: CLEAN, stderr: "" });
});

test("says what it could not repair, and ends with 1", async () => {
  const [uuid = ""] = uuids;
  const path = await pathOf(uuid);
  const bytes = await readFile(path);
  await rm(path);
  // The address is printed on the document.
  const { exitCode, stdout } = await doctor(["--repair"], { PUBLIC_URL: "https://elsewhere.test" });
  expect(exitCode).toBe(1);
  expect(stdout).toContain("(not repaired: made again, the file comes out different)");
  await writeFile(path, bytes);
});

test("ends with 2 when it can't look", async () => {
  const nowhere = new URL(academy.service.app.database.url);
  nowhere.port = "1";
  const s3 = { S3_ENDPOINT: "http://127.0.0.1:9", S3_BUCKET: "credentials" };
  const [noDatabase, noStore] = await Promise.all([
    doctor([], { DATABASE_URL: nowhere.href }),
    doctor([], { ...s3, S3_ACCESS_KEY: "key", S3_SECRET_KEY: "secret" }),
  ]);
  expect(noDatabase).toMatchObject({ exitCode: 2, stdout: "" });
  expect(noDatabase.stderr).toContain("nothing listens there");
  expect(noStore).toMatchObject({ exitCode: 2, stdout: "" });
  expect(noStore.stderr).toContain("S3_ENDPOINT");
});
