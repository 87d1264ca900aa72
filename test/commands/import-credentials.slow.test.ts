import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type Academy, COURSE, openAcademy } from "../credentials/academy.js";
import { ended, startCommand } from "./run-command.js";

/** Each starts processes of its own. */
vi.setConfig({ testTimeout: 90_000 });

const PDF = Buffer.from("%PDF-1.4 as it was printed");

let academy: Academy;
/** Where the command runs; a new one for each test. */
let directory: string;
beforeAll(async () => {
  academy = await openAcademy();
});
afterAll(() => academy.service.stop());
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "learning-credentials-import-"));
  return () => rm(directory, { recursive: true, force: true });
});

const start = (...args: string[]) =>
  startCommand(academy.service, ["import-credentials", "issued.ndjson", ...args], directory);

const writeLines = (lines: readonly object[]) =>
  writeFile(join(directory, "issued.ndjson"), lines.map((line) => `${JSON.stringify(line)}\n`).join("\n"));

function line(username: string, more: object = {}) {
  return {
    verify_uuid: randomUUID(),
    username,
    user_full_name: "Grace Hopper",
    learningContextKey: COURSE,
    learning_context_name: "Course One",
    credential_type: "Certificate",
    created: "2019-05-20T08:15:30.9Z",
    file: PDF.toString("base64"),
    ...more,
  };
}

/** How many credentials there are of learners whose names begin so, and how many of them have their file. */
async function countOf(prefix: string): Promise<{ rows: number; files: number }> {
  const { credentials } = await academy.credentials.listCredentials({ pageSize: 1000 });
  const ours = credentials.filter(({ username }) => username.startsWith(prefix));
  const files = await Promise.all(ours.map(({ uuid }) => academy.filesOf(uuid)));
  return { rows: ours.length, files: files.flat().length };
}

it.each(["SIGKILL", "SIGINT"] as const)(
  "that %s has ended is made good by running it again",
  async (signal) => {
    const count = 200;
    const prefix = `ended by ${signal} `;
    await writeLines(Array.from({ length: count }, (_, index) => line(`${prefix}${index}`)));
    const child = start();
    const first = ended(child);
    await expect
      .poll(async () => (await countOf(prefix)).rows, { timeout: 60_000, interval: 20 })
      .toBeGreaterThan(3);
    child.kill(signal);
    expect((await first).code).toBe(signal === "SIGINT" ? 130 : null);
    const before = await countOf(prefix);
    expect(before.rows).toBeLessThan(count);
    expect(before.files).toBe(before.rows);
    expect(await ended(start())).toMatchObject({
      code: 0,
      out: `${count - before.rows} imported, ${before.rows} unchanged, 0 rejected\n`,
    });
    expect(await countOf(prefix)).toEqual({ rows: count, files: count });
  },
);
