import { writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Academy, COURSE, openAcademy } from "../credentials/academy.js";
import { stopHealthy } from "../support/health.js";
import { type Ended, ended, startCommand } from "./run-command.js";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let academy: Academy;
beforeAll(async () => {
  academy = await openAcademy();
  await academy.enrol("ana", "bo");
  const { dataDir } = academy.service.app.config;
  const record = { learner: { username: "cleo", full_name: "Cleo" } };
  await writeFile(join(dataDir, "learners.ndjson"), `${JSON.stringify(record)}\n`);
  await writeFile(join(dataDir, "nothing.ndjson"), "");
  await writeFile(join(dataDir, "seal.svg"), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>');
});
afterAll(() => stopHealthy(academy.service));

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

test("each command that changes something, or tells about learners, is entered with who ran it", async () => {
  const commands: [args: string[], method: string, expected: object][] = [
    [["import", "learners.ndjson"], "import", { objects: ["file:learners.ndjson"] }],
    [["import-credentials", "nothing.ndjson"], "import-credentials", { objects: ["file:nothing.ndjson"] }],
    [["issue", "1", "ana"], "issue", { learners: ["ana"], objects: ["configuration:1"] }],
    [["issue", "1", "nobody"], "issue", { learners: ["nobody"], code: "NotFound" }],
    [
      ["credentials", "--username", "ana", "--context", COURSE],
      "credentials",
      { learners: ["ana"], objects: [`context:${COURSE}`] },
    ],
    [["run", "1", "--dry-run"], "run --dry-run", { objects: ["configuration:1"] }],
    [["run", "1", "--no-wait"], "run", { objects: ["configuration:1"] }],
    [["run", "cancel", "no-run"], "run cancel", { objects: ["run:no-run"], code: "NotFound" }],
    [["asset", "upload", "seal", "seal.svg"], "asset upload", { objects: ["asset:seal"] }],
    [["asset", "delete", "seal"], "asset delete", { objects: ["asset:seal"] }],
    [["erase", "bo", "--dry-run"], "erase --dry-run", { learners: ["bo"] }],
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

test("entries are found by caller, learner, object, method and time", async () => {
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
