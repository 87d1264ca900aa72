import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { getPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { shortCodeOf } from "#domain/credentials/short-code.js";
import { attachToEmbeddedPostgres } from "#infrastructure/db/embedded/postgres.js";
import { verifiedByCore } from "../badges/verifier-core.js";
import { rowsOf } from "../support/database.js";
import { listen } from "../support/listen.js";
import { performCurl, readPasted } from "./pasted.js";
import { givenProgram, ROOT, type Running } from "./program.js";

const RUNNING = /HTTP +(http:\S+).*\n +gRPC +(\S+)[\s\S]*Press Ctrl-C to stop\.\n/;
const CREDENTIALS = "learning_credentials.v1.CredentialService";

vi.setConfig({ testTimeout: 240_000 });

const program = givenProgram();
let dataDir: string;
let settings: Record<string, string>;

beforeAll(() => {
  dataDir = program.scratch("data");
  settings = { DATA_DIR: dataDir, HTTP_PORT: "0", GRPC_PORT: "0" };
});

test("SIGUSR1 neither ends the process nor opens an inspector", async () => {
  const service = program.start(["serve"], { ...settings, DATA_DIR: program.scratch("signalled") });
  await service.says(RUNNING);
  service.process.kill("SIGUSR1");
  const { stderr } = await service.end("SIGTERM");
  expect(stderr).not.toContain("Debugger listening");
  expect(service.process.exitCode).toBe(0);
});

/** The tests of this block run in this order, and share one service and its data. */
describe("npm start, from the first start on", () => {
  let service: Running;
  let httpUrl: string;
  let counts: Record<string, number>;

  async function start(): Promise<void> {
    service = program.start(["serve", "--sample-data"], settings);
    [, httpUrl = ""] = await service.says(RUNNING);
  }

  /** Calls a method over Connect with the platform's token. */
  async function rpc(method: string, request: object): Promise<Record<string, unknown>> {
    const { SERVICE } = readPasted(service.stdout()).variables;
    const response = await fetch(`${httpUrl}/${CREDENTIALS}/${method}`, {
      method: "POST",
      headers: { authorization: `Bearer ${SERVICE}`, "content-type": "application/json" },
      body: JSON.stringify(request),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as Record<string, unknown>;
  }

  async function credentialOf(username: string): Promise<Record<string, unknown> | undefined> {
    const { credentials } = await rpc("ListCredentials", { username });
    return (credentials as Record<string, unknown>[] | undefined)?.[0];
  }

  beforeAll(start);

  test("prints its addresses, and tokens", () => {
    const { variables } = readPasted(service.stdout());
    expect(Object.keys(variables)).toEqual(["LEARNER", "STAFF", "SERVICE"]);
    expect(service.stdout()).toContain(`data      ${dataDir}`);
    expect(service.stdout()).toContain("Ana Kovač (ana.kovac)");
    expect(service.stdout()).toContain(`docs      ${httpUrl}/api/learning_credentials/v1/docs/`);
  });

  test("logs JSON lines, only on standard error", () => {
    const lines = service.stderr().trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).msg)).toContain("serving");
  });

  test("each printed call returns what the sentence before it promises", async () => {
    const { commands } = readPasted(service.stdout());
    const curls = commands.filter(({ words }) => words[0] === "curl");
    const answers = await Promise.all(
      curls.map(async ({ words }) => {
        const response = await performCurl(words);
        return { status: response.status, body: await response.json() };
      }),
    );
    expect(answers).toMatchObject([
      { status: 200, body: { user_full_name: "Ana Kovač", status: "available", invalidation_reason: "" } },
      {
        status: 200,
        body: {
          user_full_name: "Jean-Noël Le Guennec",
          status: "invalidated",
          invalidation_reason: "Printed with a misspelt name; a corrected certificate follows.",
        },
      },
      {
        status: 200,
        body: { is_configured: true, has_credentials: true, credential_count: 2 },
      },
      {
        status: 200,
        body: {
          credentials: [{ is_eligible: false, current_grades: { total: 69.8 } }, { is_eligible: true }],
        },
      },
      { status: 200, body: { url: expect.stringContaining(`${httpUrl}/files/`) } },
      { status: 200, body: { type: ["VerifiableCredential", "OpenBadgeCredential"] } },
    ]);
  });

  test("the printed credential's Open Badge verifies with only what the service publishes", async () => {
    const { commands } = readPasted(service.stdout());
    const badge = commands.find(({ text }) => text.endsWith("/badge.json"));
    const file = program.scratch("ana.kovac.json");
    await writeFile(file, await (await performCurl(badge?.words ?? [])).text());
    expect(await program.run(["verify", file])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(
        /^holder: {2}Ana Kovač\n[\s\S]*^verdict: valid: signed by its issuer, and not revoked\n$/m,
      ),
    });
  });

  test("the same JSON verifies with verifier-core, which Learner Credential Wallet runs", async () => {
    const { commands } = readPasted(service.stdout());
    const badge = commands.find(({ text }) => text.endsWith("/badge.json"));
    const json = (await (await performCurl(badge?.words ?? [])).json()) as object;
    const verdict = await verifiedByCore(json, (url) => (url.startsWith(`${httpUrl}/`) ? url : undefined));
    expect(verdict).toMatchObject({
      errors: [],
      checks: { valid_signature: true, expiration: true, revocation_status: true },
    });
  });

  test("the PDF with the badge verifies, too", async () => {
    const { commands } = readPasted(service.stdout());
    const download = commands.find(({ text }) => text.includes("GetDownloadUrl"));
    const { url } = (await (await performCurl(download?.words ?? [])).json()) as { url: string };
    const pdf = Buffer.from(await (await fetch(url)).arrayBuffer());
    const file = program.scratch("ana.kovac.pdf");
    await writeFile(file, pdf);
    expect(await program.run(["verify", file])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^holder: {2}Ana Kovač\n[\s\S]*^verdict: valid/m),
    });
  });

  test("the calls work when pasted into a shell unchanged", ({ skip }) => {
    const { variables, commands } = readPasted(service.stdout());
    const hasCurl = spawnSync("curl", ["--version"]).status === 0;
    const pasted = hasCurl ? commands : commands.filter(({ words }) => words[0] !== "curl");
    for (const { text } of pasted) {
      const assignments = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
      const { status, stdout, stderr } = spawnSync("sh", ["-c", `${assignments.join("")}${text}`], {
        cwd: ROOT,
        encoding: "utf8",
      });
      expect({ text, status, stderr: status === 0 ? "" : stderr }).toEqual({ text, status: 0, stderr: "" });
      const answer = JSON.parse(stdout);
      expect(answer.error ?? answer.detail, text).toBeUndefined();
      if (text.startsWith("npx buf curl"))
        expect(answer.credentials[0]).toMatchObject({ userFullName: "Ana Kovač" });
    }
    if (!hasCurl) skip("curl is not installed: its calls were made with fetch, by the test above");
  });

  test("the PDF behind the printed call is complete, and shows what is verified", async ({ skip }) => {
    const { url } = await rpc("GetDownloadUrl", { uuid: (await credentialOf("ana.kovac"))?.uuid });
    const response = await fetch(String(url));
    expect(response.headers.get("content-type")).toBe("application/pdf");
    const path = program.scratch("ana.kovac.pdf");
    await writeFile(path, Buffer.from(await response.arrayBuffer()));

    const missing = ["qpdf", "pdftotext"].filter((name) => spawnSync(name, ["--version"]).error);
    if (missing.length > 0 && process.env.CI !== "true") skip(`not installed: ${missing.join(", ")}`);
    const checked = spawnSync("qpdf", ["--check", path], { encoding: "utf8" });
    expect(`${checked.stdout}${checked.stderr}`).toContain("No syntax or stream encoding errors found");
    const text = spawnSync("pdftotext", ["-layout", path, "-"], { encoding: "utf8" }).stdout;
    const code = shortCodeOf(String((await credentialOf("ana.kovac"))?.verifyUuid));
    for (const words of ["Ana Kovač", "Reading the Night Sky", `/v/${code}`]) {
      expect(text.normalize("NFC")).toContain(words);
    }
  });

  test("import, issue, migrate and token work beside it", async () => {
    const course = "course-v1:HarbourLight+BKB120+2025";
    const records = [
      { learner: { username: "new.comer", fullName: "New Comer" } },
      { enrollment: { username: "new.comer", learning_context_key: course } },
      { completion: { username: "new.comer", course_key: course, percent: 1 } },
    ];
    const file = program.scratch("records.ndjson");
    await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    expect(await program.run(["import", file], settings)).toMatchObject({
      exitCode: 0,
      stdout: "3 written, 0 unchanged, 0 rejected\n",
    });
    const again = await program.run(["import", "-"], settings, await readFile(file, "utf8"));
    expect(again.exitCode).toBe(0);

    const { STAFF } = readPasted(service.stdout()).variables;
    const eligibility = await fetch(
      `${httpUrl}/api/learning_credentials/v1/eligibility/${course}/?username=new.comer`,
      { headers: { authorization: `JWT ${STAFF}` } },
    );
    const { credentials } = (await eligibility.json()) as { credentials: { is_eligible: boolean }[] };
    expect(credentials).toMatchObject([{ is_eligible: true }]);

    const configurationId = String((await credentialOf("kamonchanok.s"))?.configurationId);
    const issued = await program.run(["issue", configurationId, "new.comer"], settings);
    expect(JSON.parse(issued.stdout)).toMatchObject({ username: "new.comer", userFullName: "New Comer" });
    const status = async () => (await credentialOf("new.comer"))?.status;
    await expect.poll(status).toBe("CREDENTIAL_STATUS_AVAILABLE");

    const migrations = await program.run(["migrate", "status"], settings);
    expect(migrations.stdout).toMatch(/^(applied \S+\n)+$/);

    const token = await program.run(["token", "new.comer", "--expires", "60"], settings);
    const own = await fetch(`${httpUrl}/api/learning_credentials/v1/configured/${course}/`, {
      headers: { authorization: `Bearer ${token.stdout.trim()}` },
    });
    expect(await own.json()).toMatchObject({ credential_types: ["Certificate of Completion"] });
  });

  test("a preview shows the address of the running service, whatever its port", async ({ skip }) => {
    const hasReader = !spawnSync("pdftotext", ["-v"]).error;
    if (!hasReader && process.env.CI !== "true") return skip("pdftotext is not installed");
    const path = program.scratch("preview.pdf");
    const made = await program.run(["preview", "1", "-o", path], { ...settings, HTTP_PORT: "8080" });
    expect(made).toMatchObject({ exitCode: 0, stderr: "" });
    const { stdout } = spawnSync("pdftotext", ["-raw", path, "-"], { encoding: "utf8" });
    expect(stdout.replaceAll(/\s/g, "")).toContain(`${new URL(httpUrl).host}/v/`);
  });

  test("a separate worker attaches to it, and gives way to processes that serve callers", async () => {
    const worker = program.start(["worker"], { ...settings, PUBLIC_URL: httpUrl });
    await worker.says(/The worker is running jobs/);
    expect(getPriority(worker.process.pid)).toBe(Math.max(5, getPriority()));
    expect(await worker.end("SIGINT")).toMatchObject({ exitCode: 0 });
  });

  test("Ctrl-C ends an import that waits for its input, as a shell expects", async () => {
    const waiting = program.start(["import", "-"], settings);
    for (let number = 0; number < 1000; number++) {
      waiting.process.stdin?.write(`{"learner": {"username": "piped.${number}"}}\n`);
    }
    const url = await databaseUrl();
    const piped = () => rowsOf(url, "select count(*) from learners where username like 'piped.%'");
    await expect.poll(piped).toEqual([{ count: "1000" }]);
    expect(await waiting.end("SIGINT", "group")).toMatchObject({
      exitCode: 130,
      stderr: expect.stringMatching(/interrupted by SIGINT: run it again to continue\n$/),
    });
  });

  test("a second service on the same data directory is refused, with the remedy", async () => {
    const second = await program.run(["serve"], settings);
    expect(second.exitCode).toBe(1);
    expect(second.stderr).toMatch(
      /another service \(process \d+\) already uses the data directory .*set another DATA_DIR, or set DATABASE_URL/,
    );
    expect((await fetch(`${httpUrl}/api/learning_credentials/v1/nothing/`)).status).toBe(404);
  });

  test("after kill -9 the next start serves the same data, without duplicates", async () => {
    await expect.poll(generating).toBe(0);
    counts = await countRows();
    expect(counts).toMatchObject({ learners: expect.any(Number), credentials: expect.any(Number) });
    const before = await credentialOf("ana.kovac");
    await service.end("SIGKILL");
    await start();
    expect(await countRows()).toEqual(counts);
    expect(await credentialOf("ana.kovac")).toEqual(before);
  });

  test("doctor finds no faults after all that", async () => {
    const { exitCode, stdout } = await program.run(["doctor"], settings);
    expect(stdout).toMatch(
      /^Last event: \d+:[0-9a-f]{64}\. .*\nChecked the files of \d+ credentials, .*: no problems found\.\n$/,
    );
    expect(exitCode).toBe(0);
  });

  test("Ctrl-C stops it and Postgres, with exit code 0", async () => {
    const url = await databaseUrl();
    const outcome = await service.end("SIGINT", "group");
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stderr).toContain('"msg":"stopping"');
    await expect(rowsOf(url, "select 1")).rejects.toThrow("ECONNREFUSED");
  });

  test("a Ctrl-C that npm forwards a second time allows an orderly stop, and so does one during the start", async () => {
    const starting = program.start(["serve", "--sample-data"], { ...settings, npm_lifecycle_event: "start" });
    await expect.poll(() => starting.stderr()).toContain('"msg":"serving"');
    starting.process.kill("SIGINT");
    expect(await starting.end("SIGINT", "group")).toMatchObject({ exitCode: 0 });
    expect(await attachToEmbeddedPostgres(dataDir)).toBeUndefined();
  });

  test("a second Ctrl-C ends it immediately, even while it waits for its load balancer", async () => {
    const busy = program.start(["serve"], { ...settings, SHUTDOWN_DELAY: "300" });
    await busy.says(RUNNING);
    const postgres = await databaseUrl();
    busy.process.kill("SIGINT");
    await expect.poll(busy.stderr).toContain('"msg":"stopping"');
    await sleep(150); // npm did not forward the second signal if it came this long after the first.
    expect(await busy.end("SIGINT")).toMatchObject({ exitCode: 130 });
    await expect.poll(() => isGone(postgres)).toBe(true);
  });

  test("SIGTERM stops it and Postgres, with exit code 0; without sample data it prints only its addresses", async () => {
    const plain = program.start(["serve"], { ...settings, LOG_LEVEL: "silent" });
    const [, url = ""] = await plain.says(RUNNING);
    expect((await fetch(`${url}/api/learning_credentials/v1/nothing/`)).status).toBe(404);
    const postgres = await databaseUrl();
    expect(await countRows()).toEqual(counts);
    const { exitCode, stdout, stderr } = await plain.end("SIGTERM");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).not.toContain("sample");
    await expect(rowsOf(postgres, "select 1")).rejects.toThrow("ECONNREFUSED");
  });

  /** Returns the number of rows of each table. Leaves out the audit trail, which reads extend. */
  async function countRows(): Promise<Record<string, number>> {
    const url = await databaseUrl();
    const tables = await rowsOf<{ name: string }>(
      url,
      `select table_name as name from information_schema.tables
       where table_schema = 'public' and table_name not like 'audit_%'`,
    );
    const counted = tables.map(async ({ name }) => [
      name,
      Number((await rowsOf<{ count: string }>(url, `select count(*) from "${name}"`))[0]?.count),
    ]);
    return Object.fromEntries(await Promise.all(counted));
  }

  async function generating(): Promise<number> {
    const url = await databaseUrl();
    const [row] = await rowsOf<{ count: string }>(
      url,
      "select count(*) from credentials where status = 'generating'",
    );
    return Number(row?.count);
  }
});

describe("ports", () => {
  test.each(["HTTP_PORT", "GRPC_PORT"])(
    "one in use is reported by its setting, %s, and no process or file is left behind",
    async (name) => {
      const taken = await takePort();
      try {
        const outcome = await program.run(["serve"], { ...settings, [name]: String(taken.port) });
        expect(outcome).toMatchObject({ exitCode: 1, stdout: "" });
        // The library grpc-js would report the error a second time.
        expect(outcome.stderr).not.toContain("grpc-js");
        expect(outcome.stderr).toContain(`can't listen on 127.0.0.1:${taken.port}: the port is in use`);
        expect(outcome.stderr.trimEnd()).toMatch(
          new RegExp(`Set ${name} to another port, or to 0 for any free one\\.$`),
        );
        expect(await attachToEmbeddedPostgres(dataDir)).toBeUndefined();
      } finally {
        await taken.close();
      }
    },
  );
});

async function databaseUrl(): Promise<string> {
  return (await attachToEmbeddedPostgres(dataDir))?.url ?? "";
}

/** Whether Postgres has ended. It ends automatically after its parent process was killed. */
function isGone(url: string): Promise<boolean> {
  return rowsOf(url, "select 1").then(
    () => false,
    () => true,
  );
}

async function takePort() {
  const server = createServer();
  return { port: await listen(server), close: () => new Promise((resolve) => server.close(resolve)) };
}
