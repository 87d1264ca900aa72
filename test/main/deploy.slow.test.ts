import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { get } from "node:https";
import { join } from "node:path";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { createTestDatabase } from "../support/database.js";
import { givenDirectory } from "../support/directory.js";
import { freePort } from "../support/free-port.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";
import { buildProgram, ROOT } from "./program.js";
import { SECRET_PATHS } from "./secret-paths.js";

vi.setConfig({ testTimeout: 120_000 });

const isCi = process.env.CI === "true";
const fixture = (name: string) => join(import.meta.dirname, "../edges/tls", name);

const directory = givenDirectory("deploy");

const whyNoSystemd = spawnSync("systemd-analyze", ["--version"]).error && "systemd-analyze is not here";

/** Returns what systemd reports about a unit. The paths of the example are replaced by paths of this machine. */
async function verifyUnit(unit: string) {
  const path = join(directory, "learning-credentials.service");
  await writeFile(
    path,
    unit.replace("/usr/bin/node", process.execPath).replace("/opt/learning-credentials/dist", ROOT),
  );
  const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", path], {
    encoding: "utf8",
  });
  const ours = `${stdout}${stderr}`
    .split("\n")
    .filter((line) => line.includes("learning-credentials.service"));
  return { status, ours };
}

const readDeployed = (name: string) => readFile(join(ROOT, ".deploy", name), "utf8");

test.skipIf(whyNoSystemd)("systemd accepts the unit", async () => {
  expect(await verifyUnit(await readDeployed("learning-credentials.service"))).toEqual({
    status: 0,
    ours: [],
  });
});

/** Runs the operators' command in a shell, but prints the words that systemd-run would receive. */
async function wordsOfCommand(...args: string[]): Promise<string[]> {
  const script = (await readDeployed("learning-credentials")).replace(
    "exec systemd-run ",
    "exec printf '%s\\n' ",
  );
  return execFileSync("sh", ["-c", script, "learning-credentials", ...args], { encoding: "utf8" })
    .trim()
    .split("\n");
}

test("the operators' command has the user and all the settings of the unit", async () => {
  const unit = (await readDeployed("learning-credentials.service")).split("\n");
  const words = await wordsOfCommand("erase", "two words");
  expect(words.slice(-2)).toEqual(["erase", "two words"]);
  const given = words.filter((_, index) => words[index - 1] === "-p");
  const names = ["User", "Group", "WorkingDirectory", "Environment", "EnvironmentFile", "UMask"];
  expect(given.map((each) => each.split("=")[0]).sort()).toEqual(names.sort());
  for (const property of given) expect(unit).toContain(property);
  const start = unit.find((line) => line.startsWith("ExecStart="));
  expect(`ExecStart=${words.slice(-4, -2).join(" ")} serve`).toBe(start);
  if (whyNoSystemd) return console.warn(`skipped: the operators' command; ${whyNoSystemd}`);
  const transient = ["[Service]", ...given, start, ""].join("\n");
  expect(await verifyUnit(transient)).toEqual({ status: 0, ours: [] });
});

test("doctor finds a database that only the environment file names", async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const database = {
    DATABASE_URL: url,
    PUBLIC_URL: "https://credentials.example.org",
    URL_SIGNING_SECRET: "s".repeat(32),
    AUTH_JWT_SECRET: "s".repeat(32),
    AUTH_JWT_ISSUER: "any",
    AUTH_JWT_AUDIENCE: "any",
  };
  const words = await wordsOfCommand("doctor");
  const environment = words.find((word) => word.startsWith("Environment="))?.slice("Environment=".length);
  const settings = Object.fromEntries(environment?.split(" ").map((each) => each.split("=")) ?? []);
  const program = await buildProgram();
  onTestFinished(() => program.remove());
  const DATA_DIR = program.scratch("data");
  const { exitCode, stdout } = await program.run(["doctor"], { ...settings, ...database, DATA_DIR });
  expect({ exitCode, stdout }).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("no problems found"),
  });
});

test("the optional fonts can be added to a production tree, without anything else", async ({ skip }) => {
  const tree = join(directory, "production");
  await mkdir(join(tree, "node_modules"), { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) await cp(join(ROOT, name), join(tree, name));
  const { peerDependencies } = JSON.parse(await readFile(join(tree, "package.json"), "utf8"));
  const before = await readFile(join(tree, "package-lock.json"), "utf8");
  const { status, stderr } = spawnSync("npm", ["run", "fonts", "--prefer-offline"], {
    cwd: tree,
    encoding: "utf8",
  });
  if (!isCi && /ENOTFOUND|ECONNREFUSED|EAI_AGAIN/.test(stderr)) {
    console.warn("skipped: the optional fonts; no registry answers");
    return skip();
  }
  expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
  const fonts = Object.keys(peerDependencies).filter((name) => name.startsWith("@expo-google-fonts/"));
  expect(await readdir(join(tree, "node_modules"))).toEqual(["@expo-google-fonts"]);
  const added = await readdir(join(tree, "node_modules/@expo-google-fonts"));
  expect(added.map((name) => `@expo-google-fonts/${name}`).sort()).toEqual(fonts.sort());
  expect(await readFile(join(tree, "package-lock.json"), "utf8")).toBe(before);
}, 300_000);

/** The path of nginx, if it is installed. The variable NGINX overrides it. */
const nginx = [process.env.NGINX, "/usr/sbin/nginx", "/usr/local/sbin/nginx", "/opt/homebrew/bin/nginx"].find(
  (path) => path !== undefined && existsSync(path),
);
if (nginx === undefined) console.warn("skipped: nginx in front of the service; it is not here");

describe.skipIf(nginx === undefined)("behind nginx, configured as in the example", () => {
  let service: TestService;
  let stop: () => Promise<void>;
  let stopService: () => Promise<void>;
  let httpsPort: number;
  let grpcPort: number;
  const lines: string[] = [];
  const ca = readFileSync(fixture("localhost.crt"));

  beforeAll(async () => {
    const { pino } = await import("pino");
    const log = pino({ level: "info" }, { write: (line) => void lines.push(line) });
    service = await startTestService({ log, settings: { TRUSTED_PROXIES: "1" } });
    let stopped: Promise<void> | undefined;
    stopService = () => {
      stopped ??= service.stop();
      return stopped;
    };
    [httpsPort, grpcPort] = [await freePort(), await freePort()];
    const example = await readFile(join(ROOT, ".deploy/nginx.conf"), "utf8");
    const site = example
      .replaceAll("credentials.example.org;", "localhost;")
      .replaceAll(/ssl_certificate \S+;/g, `ssl_certificate ${fixture("localhost.crt")};`)
      .replaceAll(/ssl_certificate_key \S+;/g, `ssl_certificate_key ${fixture("localhost.key")};`)
      .replace("127.0.0.1:8080", new URL(service.httpUrl).host)
      .replace("127.0.0.1:50051", service.grpcAddress)
      .replace("listen 443 ", `listen 127.0.0.1:${httpsPort} `)
      .replace("listen 50443 ", `listen 127.0.0.1:${grpcPort} `);
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${directory}/${name};`,
    );
    const whole = `daemon off; pid ${directory}/pid; error_log ${directory}/error.log; ${process.getuid?.() === 0 ? "user root;" : ""}
events {}
http { access_log ${directory}/access.log; ${paths.join(" ")}
${site}}`;
    await writeFile(join(directory, "nginx.conf"), whole);
    const args = ["-p", directory, "-c", join(directory, "nginx.conf")];
    execFileSync(nginx as string, [...args, "-t"], { stdio: "pipe" });
    const child = spawn(nginx as string, args, { stdio: "ignore" });
    stop = async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    };
    const isUp = async () => expect((await send("/livez")).status).toBe(200);
    await vi.waitFor(isUp, { timeout: 60_000, interval: 100 });
  });

  afterAll(async () => {
    await stop?.();
    await stopService?.();
  });

  function send(path: string, headers: Record<string, string> = {}) {
    return new Promise<{ status: number; text: string }>((resolve, reject) => {
      get({ host: "localhost", port: httpsPort, path, ca, headers, family: 4 }, async (response) => {
        let text = "";
        for await (const chunk of response.setEncoding("utf8")) text += chunk;
        resolve({ status: response.statusCode ?? 0, text });
      }).on("error", reject);
    });
  }

  test("REST and pages work", async () => {
    const unknown = "5a3c2f3e-8a75-4f0e-9d92-4a4de1a7f3a1";
    const metadata = await send(`/api/learning_credentials/v1/metadata/${unknown}/`);
    expect(metadata).toEqual({ status: 404, text: '{"error":"Credential not found."}' });
    const key = "course-v1:A+B+C";
    const authorization = `Bearer ${await tokenOf({ username: "staff", isStaff: true })}`;
    const configured = await send(`/api/learning_credentials/v1/configured/${key}/`, { authorization });
    expect([configured.status, JSON.parse(configured.text).is_configured]).toEqual([200, false]);
    const page = await send("/verify/");
    expect(page.status).toBe(200);
    expect(page.text).toContain("<form");
  });

  test("gRPC works: calls, streams, and their statuses", async () => {
    const token = await tokenOf({ username: "lms", service: "write" });
    const transport = createGrpcTransport({
      baseUrl: `https://localhost:${grpcPort}`,
      nodeOptions: { ca, family: 4 } as object,
      interceptors: [
        (next) => (request) => {
          request.header.set("authorization", `Bearer ${token}`);
          return next(request);
        },
      ],
    });
    const client = createClient(CredentialService, transport);
    expect((await client.listCredentials({})).credentials).toEqual([]);
    const missing = await client.getCredentialMetadata({ verifyUuid: "unknown" }).catch(ConnectError.from);
    expect((missing as ConnectError).code).toBe(Code.NotFound);
    const leaving = new AbortController();
    const events = client.watchCredentialEvents({}, { signal: leaving.signal })[Symbol.asyncIterator]();
    // The empty message shows that the stream is alive.
    expect(await events.next()).toMatchObject({ done: false, value: { events: [] } });
    leaving.abort();
    await expect(events.next()).rejects.toThrow();
  });

  test("the log has the client's address and not nginx's, and nginx's logs contain no secret address", async () => {
    for (const path of SECRET_PATHS) await send(path);
    await send("/api/learning_credentials/v1/metadata/x/", { "x-forwarded-for": "203.0.113.9" });
    const clients = () =>
      lines.map((line) => JSON.parse(line).client).filter((client) => client !== undefined);
    // The client's address is the one that nginx saw, even if the request claims another.
    await expect.poll(clients).toContain("127.0.0.1");
    expect(clients()).not.toContain("203.0.113.9");
    const access = await readFile(join(directory, "access.log"), "utf8");
    expect(access).toContain("/metadata/x/");
    expect(access).not.toContain("a-secret");

    await stopService();
    for (const path of SECRET_PATHS) expect((await send(path)).status).toBe(502);
    expect((await send("/livez")).status).toBe(502);
    const errors = () => readFile(join(directory, "error.log"), "utf8");
    await expect.poll(errors).toContain("/livez");
    expect(await errors()).not.toContain("a-secret");
  });
});
