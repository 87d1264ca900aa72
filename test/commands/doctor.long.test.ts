import { readFile, rm, writeFile } from "node:fs/promises";
import { beforeAll, expect, test, vi } from "vitest";
import { givenAcademy } from "../support/academy.js";
import { type Ended, ended, startOn } from "./run-command.js";

const CLEAN = new RegExp(
  "^Last event: \\d+:[0-9a-f]{64}\\. Store it elsewhere, and compare it later with --expect\\.\n" +
    "Checked the files of 2 credentials, 2 files in the store and 0 assets: no problems found\\.\n$",
);

/** Each test starts several processes. */
vi.setConfig({ testTimeout: 240_000 });

const academy = givenAcademy();
let uuids: string[];

beforeAll(async () => {
  await academy.enrol("ana", "ben");
  uuids = await Promise.all(
    ["ana", "ben"].map(async (username) => {
      const { uuid } = await academy.made(username);
      return uuid;
    }),
  );
});

/** Runs `learning-credentials doctor` while the service is running. */
function doctor(args: readonly string[] = [], settings: Record<string, string> = {}): Promise<Ended> {
  const { config, database } = academy.service.app;
  const child = startOn({ DATABASE_URL: database.url, DATA_DIR: config.dataDir, ...settings }, [
    "doctor",
    ...args,
  ]);
  return ended(child);
}

async function pathOf(uuid = ""): Promise<string> {
  const [path = ""] = await academy.filesOf(uuid);
  return path;
}

test("reports each finding with its credential and remedy, and exits with 1 until all is repaired", async () => {
  const [flipped = "", missing = ""] = uuids;
  const path = await pathOf(flipped);
  const bytes = await readFile(path);
  bytes[500] = (bytes[500] ?? 0) ^ 1;
  await writeFile(path, bytes);
  await rm(await pathOf(missing));

  const [found, unread, json] = await Promise.all([doctor(), doctor(["--no-hash"]), doctor(["--json"])]);
  expect(found).toMatchObject({ code: 1, err: "" });
  expect(found.out).toMatch(
    new RegExp(
      [
        "^missing-file \\(1\\): available credential whose file is missing",
        `  credential ${missing}: learning_credentials/${missing}/\\w+\\.pdf is not in the store`,
        "  Remedy: `doctor --repair` generates the file again .*",
        "",
        "damaged-file \\(1\\): credential whose file is not the one that was generated",
        `  credential ${flipped}: \\S+ has the SHA-256 \\w{64} instead of \\w{64}`,
        "  Remedy: .*",
        "",
        "Last event: 4:[0-9a-f]{64}\\. Store it elsewhere, and compare it later with --expect\\.",
        "Checked the files of 2 credentials, 1 file in the store and 0 assets: 2 findings, 0 warnings\\.\n$",
      ].join("\n"),
    ),
  );

  expect(unread.out).toContain("1 finding, 0 warnings.");
  expect(json.code).toBe(1);
  const lines = json.out
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
    summary: {
      credential_files: 2,
      stored_files: 1,
      assets: 0,
      last_event: { position: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      findings: 2,
      warnings: 0,
      repaired: 0,
    },
  });

  const repair = await doctor(["--repair"]);
  expect(repair).toMatchObject({ code: 0, err: "" });
  expect(repair.out).toMatch(/is not in the store \(repaired\)\n/);
  expect(repair.out).toMatch(/: 2 findings, 0 warnings, 2 repaired\.\n$/);
  expect(await doctor()).toEqual({ code: 0, out: expect.stringMatching(CLEAN), err: "" });
});

test("reports what it could not repair, and exits with 1", async () => {
  const [uuid = ""] = uuids;
  const path = await pathOf(uuid);
  const bytes = await readFile(path);
  await rm(path);
  // The document contains the address, so a repair with a different address changes the file.
  const { code, out } = await doctor(["--repair"], { PUBLIC_URL: "https://elsewhere.test" });
  expect(code).toBe(1);
  expect(out).toContain("(not repaired: the file generated now is different)");
  await writeFile(path, bytes);
});

test("compares with an event that was saved elsewhere, and refuses an invalid one", async () => {
  const { hash, position } = await academy.service.app.database.knex("credential_events").first();
  const [same, other, malformed] = await Promise.all([
    doctor(["--expect", `${position}:${hash.toString("hex")}`]),
    doctor(["--expect", `${position}:${"0".repeat(64)}`]),
    doctor(["--expect", "yesterday"]),
  ]);
  expect(same.code).toBe(0);
  expect(other).toMatchObject({ code: 1, out: expect.stringContaining("other-history (1): ") });
  expect(malformed).toMatchObject({ code: 1, err: expect.stringContaining("<position>:<hash>") });
});

test("exits with 2 when it can't check", async () => {
  const nowhere = new URL(academy.service.app.database.url);
  nowhere.port = "1";
  const s3 = { S3_ENDPOINT: "http://127.0.0.1:9", S3_BUCKET: "credentials" };
  const [noDatabase, noStore] = await Promise.all([
    doctor([], { DATABASE_URL: nowhere.href }),
    doctor([], { ...s3, S3_ACCESS_KEY: "key", S3_SECRET_KEY: "secret" }),
  ]);
  expect(noDatabase).toMatchObject({ code: 2, out: "" });
  expect(noDatabase.err).toContain("nothing listens there");
  expect(noStore).toMatchObject({ code: 2, out: "" });
  expect(noStore.err).toContain("S3_ENDPOINT");
});
