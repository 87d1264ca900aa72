import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { newSigningKey } from "#formats/badges/signing-key.js";
import { givenProgram } from "./program.js";

const run = promisify(execFile);

const RUNNING = /HTTP +(http:\S+)[\s\S]*Press Ctrl-C to stop\.\n/;
const METADATA = /http:\S+(\/api\/learning_credentials\/v1\/metadata\/[\w-]{36}\/)/;

const program = givenProgram();

function settingsOf(dataDir: string) {
  return { DATA_DIR: program.scratch(dataDir), HTTP_PORT: "0", GRPC_PORT: "0" };
}

test("a copy of a stopped service's data directory is a backup, from which everything can be restored elsewhere", async () => {
  const first = program.start(["serve", "--sample-data"], settingsOf("first"));
  await first.says(RUNNING);
  const [, path = ""] = METADATA.exec(first.stdout()) ?? [];
  const token = (await program.run(["token", "registrar", "--staff"], settingsOf("first"))).stdout.trim();
  await first.end("SIGTERM");
  await run("cp", ["-a", program.scratch("first"), program.scratch("backup")]);
  await rm(program.scratch("first"), { recursive: true });

  await run("cp", ["-a", program.scratch("backup"), program.scratch("restored")]);
  const restored = program.start(["serve"], settingsOf("restored"));
  const [, url = ""] = await restored.says(RUNNING);
  const doctor = await program.run(["doctor"], settingsOf("restored"));
  expect(doctor.stdout).toMatch(/: no problems found\.\n$/);
  expect(doctor.exitCode).toBe(0);
  const metadata = await fetch(url + path);
  expect(await metadata.json()).toMatchObject({ user_full_name: "Ana Kovač", status: "available" });
  // The backup contains the secrets. Existing tokens and links therefore stay valid.
  const listed = await fetch(`${url}/learning_credentials.v1.CredentialService/ListCredentials`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: '{"username": "ana.kovac"}',
  });
  expect(await listed.json()).toMatchObject({ credentials: [{ userFullName: "Ana Kovač" }] });
  expect(await restored.end("SIGTERM")).toMatchObject({ exitCode: 0 });
});

test("after restoring yesterday's database under today's files, the log signs nothing until a new one is started", async () => {
  const keyFile = program.scratch("log.pem");
  await writeFile(keyFile, newSigningKey("Ed25519"));
  const settings = { ...settingsOf("today"), PUBLIC_URL: "https://credentials.test", LOG_KEY_FILE: keyFile };
  const log = (...args: string[]) => program.run(["log", ...args], settings);
  await run("cp", ["-a", program.scratch("backup"), program.scratch("today")]);
  const published = await log("publish");
  const [origin, size = ""] = published.stdout.split("\n");
  expect([origin, published.exitCode]).toEqual(["credentials.test/log", 0]);

  await rm(program.scratch("today/postgres"), { recursive: true });
  await run("cp", ["-a", program.scratch("backup/postgres"), program.scratch("today/postgres")]);
  const refused = await log("publish");
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toContain(`has published a checkpoint of ${size} events, but the database has none`);
  expect((await program.run(["doctor"], settings)).stdout).toContain(`of ${size} events`);
  const continued = await log("continue", "--yes");
  expect(continued.stdout).toMatch(/^credentials\.test\/log\/2\+[\da-f]{8}\+/);
  expect((await log("publish")).stdout).toMatch(new RegExp(`^credentials\\.test/log/2\n${size}\n`));
});
