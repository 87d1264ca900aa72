import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { COURSE, givenAcademy } from "../support/academy.js";
import { createTestDatabase } from "../support/database.js";
import { stopHealthy } from "../support/health.js";
import { type Ended, ended, startCommand, startOn } from "./run-command.js";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const SEAL = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';
const sealChange = {
  object: "asset:seal",
  path: "sha256",
  before: "",
  after: JSON.stringify(createHash("sha256").update(SEAL).digest("hex")),
};
const linkChange = { object: "link", path: "roles", before: "", after: '["viewer"]' };

const academy = givenAcademy({}, stopHealthy);
beforeAll(async () => {
  await academy.enrol("ana", "bo");
  const { dataDir } = academy.service.app.config;
  const record = { learner: { username: "cleo", full_name: "Cleo" } };
  await writeFile(join(dataDir, "learners.ndjson"), `${JSON.stringify(record)}\n`);
  await writeFile(join(dataDir, "nothing.ndjson"), "");
  await writeFile(join(dataDir, "seal.svg"), SEAL);
});

const run = (...args: string[]): Promise<Ended> => ended(startCommand(academy.service, args));

async function entries(...filter: string[]): Promise<Record<string, unknown>[]> {
  const { code, out } = await run("audit", ...filter);
  expect(code).toBe(0);
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

const account = { kind: "command line", name: userInfo().username };

test("commands that change something or reveal learners are recorded with the user who ran them", async () => {
  const commands: [args: string[], method: string, expected: object][] = [
    [["import", "learners.ndjson"], "import", { objects: ["file:learners.ndjson"] }],
    [["import-credentials", "nothing.ndjson"], "import-credentials", { objects: ["file:nothing.ndjson"] }],
    [["import-credentials", "nothing.ndjson", "--dry-run"], "import-credentials --dry-run", {}],
    [["issue", "1", "ana"], "issue", { learners: ["ana"], objects: ["configuration:1"] }],
    [["issue", "1", "nobody"], "issue", { learners: ["nobody"], code: "NotFound" }],
    [
      ["credentials", "--username", "ana", "--context", COURSE],
      "credentials",
      { learners: ["ana"], objects: [`context:${COURSE}`] },
    ],
    [["run", "1", "--dry-run"], "run --dry-run", { objects: ["configuration:1"] }],
    [["run", "1", "--no-wait"], "run", { objects: ["configuration:1"] }],
    [["run", "list"], "run list", {}],
    [["run", "cancel", "no-run"], "run cancel", { objects: ["run:no-run"], code: "NotFound" }],
    [
      ["asset", "upload", "seal", "seal.svg"],
      "asset upload",
      { objects: ["asset:seal"], changes: expect.arrayContaining([sealChange]) },
    ],
    [["asset", "delete", "seal"], "asset delete", { objects: ["asset:seal"] }],
    [
      ["console", "dora", "--role", "viewer"],
      "console",
      { learners: ["dora"], changes: expect.arrayContaining([linkChange]) },
    ],
    [["console", "dora", "--sign-out"], "console --sign-out", { learners: ["dora"] }],
    [["run", "retry", "no-run"], "run retry", { objects: ["run:no-run"], code: "NotFound" }],
    [["erase", "bo", "--dry-run"], "erase --dry-run", { learners: ["bo"] }],
    [["badge", "no-credential"], "badge", { objects: ["credential:no-credential"], code: "NotFound" }],
    [["doctor", "--repair"], "doctor --repair", {}],
  ];
  for (const [args] of commands) await run(...args);
  const entered = await entries("--caller", account.name);
  const calls = entered.filter(({ learners }) => !(learners as string[]).includes("cleo"));
  expect(calls).toMatchObject(
    [...commands, [[], "audit", { code: null }] as const].map(([, method, expected]) => ({
      caller: account,
      method,
      code: "Ok",
      ...expected,
    })),
  );
  expect(await entries("--username", "cleo", "--method", "import")).toMatchObject([{ code: "Ok" }]);
});

test("entries can be found by caller, learner, object, method and time", async () => {
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const found = await entries(
    "--caller",
    "lms",
    "--method",
    "UpsertRecords",
    "--username",
    "ana",
    "--since",
    since,
  );
  expect(found).toMatchObject([
    { caller: { kind: "service", name: "lms" }, learners: ["ana", "bo"], code: "Ok" },
  ]);
  expect(await entries("--object", "type:Certificate")).toHaveLength(1);
  expect(await entries("--since", "2999-01-01")).toEqual([]);
  const wrong = await run("audit", "--since", "yesterday");
  expect(wrong).toMatchObject({
    code: 1,
    err: expect.stringContaining("Write a date, or a time with its zone"),
  });
});

test("a minted token is recorded if the database can be reached, and is minted in any case", async () => {
  const mint = async (settings: Record<string, string>, ...args: string[]) => {
    const { dataDir } = academy.service.app.config;
    const DATABASE_URL = academy.service.app.database.url;
    return ended(startOn({ DATABASE_URL, DATA_DIR: dataDir, ...settings }, ["token", ...args]));
  };
  const minted = { code: 0, out: expect.stringMatching(/^\S+\.\S+\.\S+\n$/) };
  expect(await mint({}, "ana", "--staff")).toEqual({ ...minted, err: "" });
  expect(await mint({}, "lms", "--service", "write", "--expires", "60")).toEqual({ ...minted, err: "" });
  expect(await mint({}, "worker", "--service", "write")).toMatchObject({ code: 1, out: "" });
  const elsewhere: [settings: Record<string, string>, why: string][] = [
    [{ DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }, "nothing listens there"],
    [{ DATABASE_URL: "" }, "no service runs here, and DATABASE_URL is not set."],
  ];
  for (const [settings, why] of elsewhere) {
    const { code, out, err } = await mint(settings, "ana");
    expect({ code, out }).toEqual(minted);
    expect(err).toContain("This token is not recorded in the audit trail: ");
    expect(err).toContain(why);
  }
  expect(await entries("--method", "token")).toMatchObject([
    { caller: account, learners: ["ana"], objects: ["access:staff", "expires:3600"], code: "Ok" },
    { caller: account, learners: [], objects: ["service:lms", "access:write", "expires:60"], code: "Ok" },
  ]);
});

test("a migration up or down is recorded with its steps", async () => {
  const db = await createTestDatabase();
  onTestFinished(db.drop);
  await db.database.knex.raw("drop schema public cascade; create schema public");
  const { dataDir } = academy.service.app.config;
  const runOn = (...args: string[]) => ended(startOn({ DATABASE_URL: db.url, DATA_DIR: dataDir }, args));
  const reported = async () => {
    const { out } = await runOn("audit", "--caller", account.name);
    const lines = out.split("\n").filter((line) => line.includes('"migrate '));
    return lines
      .map((line) => JSON.parse(line))
      .map(({ method, objects, code }) => ({ method, objects, code }));
  };
  expect(await runOn("migrate", "up")).toMatchObject({ code: 0 });
  const [first] = await reported();
  expect(first).toMatchObject({ method: "migrate up", code: "Ok" });
  expect(first?.objects[0]).toBe("migration:001-schema");
  const last = first?.objects.at(-1);
  expect(await runOn("migrate", "status")).toMatchObject({ code: 0 });
  expect(await runOn("migrate", "down")).toMatchObject({ code: 0 });
  expect(await runOn("migrate", "up")).toMatchObject({ code: 0 });
  const step = (method: string) => [
    { method, objects: [], code: "Ok" },
    { method, objects: [last], code: "Ok" },
  ];
  // If there is only one migration, reverting it also removes the trail.
  const isOnly = first?.objects.length === 1;
  expect(await reported()).toEqual(
    isOnly ? [first] : [first, ...step("migrate down"), ...step("migrate up")],
  );
});
