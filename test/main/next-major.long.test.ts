import { cp } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { openAcademy } from "../support/academy.js";
import { rowsOf } from "../support/database.js";
import { startInstalledPostgres } from "../support/installed-postgres.js";
import { buildProgram, type Program } from "./program.js";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const installed = await startInstalledPostgres();
let program: Program | undefined;
afterAll(async () => {
  await program?.remove();
  await installed?.stop();
});

const RUNNING = /HTTP +(http:\S+)[\s\S]*Press Ctrl-C to stop/;

test.skipIf(installed === undefined)(
  "data of an older PostgreSQL can be moved into the embedded one, as .docs/upgrade-and-backup.md says",
  async () => {
    program = await buildProgram();
    const { run, start, scratch } = program;
    if (!installed) throw new Error("it is skipped then");
    const original = await installed.create();
    const before = {
      DATABASE_URL: original,
      DATA_DIR: scratch("old"),
      SETTINGS_SECRET: "a secret that is kept when data moves",
    };
    const academy = await openAcademy({ worker: true, settings: before });
    await academy.enrol("ana", "ben");
    const { configurationId, credentials } = academy;
    const { uuid, verifyUuid } = await academy.issue("ana");
    const status = async () => (await credentials.getCredential({ uuid })).status;
    await expect.poll(status, { timeout: 60_000 }).toBe(CredentialStatus.AVAILABLE);
    const metadata = `/api/learning_credentials/v1/metadata/${verifyUuid}/`;
    const answer = await (await fetch(academy.service.httpUrl + metadata)).text();
    await academy.service.stop();
    const dump = await installed.dump(original);

    const settings = {
      DATA_DIR: scratch("new"),
      SETTINGS_SECRET: before.SETTINGS_SECRET,
      HTTP_PORT: "0",
      GRPC_PORT: "0",
      HOST: "127.0.0.1",
      PUBLIC_URL: "https://credentials.test",
      LOG_LEVEL: "warn",
    };
    expect((await run(["database-url"], settings)).stderr).toContain("No service runs on ");
    const fresh = start(["serve", "--no-worker"], settings);
    await fresh.says(/Press Ctrl-C to stop/);
    const url = await run(["database-url"], settings);
    expect(url).toMatchObject({ exitCode: 0, stderr: "" });
    await rowsOf(url.stdout.trim(), "create table of_a_newer_release ()");
    await installed.replace(url.stdout.trim(), dump);
    expect((await fresh.end("SIGTERM")).exitCode).toBe(0);
    await cp(join(before.DATA_DIR, "files"), join(settings.DATA_DIR, "files"), { recursive: true });

    const moved = start(["serve"], { ...settings, PUBLIC_URL: "" });
    const [, httpUrl = ""] = await moved.says(RUNNING);
    const taken = await fetch(httpUrl + metadata);
    expect([taken.status, await taken.text()]).toEqual([200, answer]);
    const issued = await run(["issue", String(configurationId), "ben"], settings);
    expect(issued).toMatchObject({ exitCode: 0, stderr: "" });
    const uuids = async () =>
      (await run(["credentials", "--status", "available"], settings)).stdout.split("\n").length - 1;
    await expect.poll(uuids, { timeout: 60_000 }).toBe(2);
    expect(await run(["doctor"], settings)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/: no problems found\.\n$/),
    });
    const there = await rowsOf(
      (await run(["database-url"], settings)).stdout.trim(),
      "select to_regclass('of_a_newer_release') as newer, to_regclass('credentials') as kept",
    );
    expect(there).toEqual([{ newer: null, kept: "credentials" }]);
    await moved.end("SIGTERM");
  },
);
