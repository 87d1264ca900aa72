import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { BUILT } from "../support/built-main.js";
import { freePort } from "../support/free-port.js";
import { type Block, readBlocks } from "./document-blocks.js";
import { commandsOf } from "./not-followed.js";
import { unpackPackage } from "./packed.js";
import { ROOT } from "./program.js";
import { openShell, type Shell } from "./shell.js";

const run = promisify(execFile);

/** A project of another team, in which nothing but the packed program and its packages is installed. */
let academy: string;
/** The code blocks of `.docs/plug-ins.md` in the packed program. */
let blocks: Block[];

beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), "learning-credentials-plug-ins-"));
  await chmod(directory, 0o755); // As root, Postgres runs as another user.
  academy = join(directory, "academy");
  const clone = join(directory, "clone");
  const installed = join(academy, "node_modules");
  for (const name of [clone, join(installed, ".bin")]) await mkdir(name, { recursive: true });
  for (const name of ["package.json", "README.md", ".docs", "proto"])
    await cp(join(ROOT, name), join(clone, name), { recursive: true });
  await cp(join(BUILT, "dist"), join(clone, "dist"), { recursive: true });
  await unpackPackage(clone, academy, { runsScripts: false });
  await rename(join(academy, "package"), join(installed, "learning-credentials"));
  // Instead of npm install: the packages are those of this tree.
  for (const name of await readdir(join(ROOT, "node_modules"))) {
    if (!name.startsWith(".")) await symlink(join(ROOT, "node_modules", name), join(installed, name));
  }
  const main = join(installed, "learning-credentials/dist/src/main.js");
  await chmod(main, 0o755);
  await symlink(main, join(installed, ".bin/learning-credentials"));
  await run("npm", ["init", "-y"], { cwd: academy });
  const page = await readFile(join(installed, "learning-credentials/.docs/plug-ins.md"), "utf8");
  blocks = readBlocks(page);
  // The last three examples name no file. Their files are named after the list that they export.
  for (const { language, text } of blocks) {
    const [, list] = /^export const (\w+) = /m.exec(text) ?? [];
    if (language === "js")
      await writeFile(join(academy, list === "processors" ? "half.mjs" : `${list}.mjs`), text);
  }
});
afterAll(() => rm(join(academy, ".."), { recursive: true, force: true, maxRetries: 5 }));

function open(settings: Record<string, string>): Shell {
  const { PATH = "" } = process.env;
  return openShell({ cwd: academy, env: { PATH, HOME: academy, npm_config_offline: "true", ...settings } });
}

async function paste(shell: Shell, commands: string): Promise<string> {
  shell.type(`{ ${commands}\n} </dev/null\necho "-- done: $? --"\n`);
  return shell.says(/-- done: \d+ --/);
}

test("the page can be followed, from an empty folder to a credential by a new criterion", async () => {
  const [port, grpcPort] = [await freePort(), await freePort()];
  const settings = { HTTP_PORT: String(port), GRPC_PORT: String(grpcPort) };
  const commands = blocks.filter(({ language }) => language === "console").map(({ text }) => text);
  const [, start = "", calls = ""] = commands;
  expect(commands).toHaveLength(3);
  expect(blocks.find(({ text }) => text.includes("academy.processors.half"))?.file).toBe("half.mjs");
  const service = open(settings);
  onTestFinished(() => service.end("SIGINT"));
  service.type(start);
  await service.says(/Press Ctrl-C to stop\.\n/);
  const other = open(settings);
  onTestFinished(() => other.end("SIGKILL"));
  const said = await paste(other, calls.replace("127.0.0.1:8080", `127.0.0.1:${port}`));
  expect(said).not.toContain('"code":');
  expect(said).toMatch(/-- done: 0 --/);
  expect(commandsOf(calls).at(-1)).toBe("npx learning-credentials issue 9 ana.kovac");
  const listed = await paste(other, "npx learning-credentials credentials --configuration 9");
  expect(listed).toContain('"ana.kovac"');
});

test("the document's example prints a credential, whose badge the signer's example has signed", async () => {
  await mkdir(join(academy, "vault"));
  const { privateKey } = generateKeyPairSync("ed25519");
  await writeFile(join(academy, "vault/badges.pem"), privateKey.export({ type: "pkcs8", format: "pem" }));
  const [port, grpcPort] = [await freePort(), await freePort()];
  const shell = open({
    HTTP_PORT: String(port),
    GRPC_PORT: String(grpcPort),
    DATA_DIR: "signed",
    LOG_LEVEL: "silent",
    LEARNING_CREDENTIALS_PLUGINS: "./half.mjs,./generators.mjs,./signers.mjs",
    SIGNING_KEY_FILES: "academy.signers.folder:badges",
  });
  onTestFinished(() => shell.end("SIGTERM"));
  shell.type("npx learning-credentials serve --sample-data &\n");
  await shell.says(/Press Ctrl-C to stop\.\n/);
  const calls = (blocks.filter(({ language }) => language === "console")[2]?.text ?? "")
    .replace("127.0.0.1:8080", `127.0.0.1:${port}`)
    .replace(/^export .*$/m, "")
    .replace("learning_credentials.generators.generate_pdf_credential", "academy.generators.slip");
  await paste(shell, calls);
  expect(await paste(shell, "npx learning-credentials keys list")).toMatch(/^signs\tEd25519\t\S+\tz/);
  const listed = () => paste(shell, "npx learning-credentials credentials --configuration 9");
  await expect.poll(listed).toMatch(/"status":"(?:CREDENTIAL_STATUS_)?AVAILABLE"/i);
  const uuid = /"uuid":"([\da-f-]{36})"/.exec(await listed())?.[1];
  const files = await readdir(join(academy, "signed/files"), { recursive: true });
  const file = files.find((name) => name.includes(`/${uuid}/`) && name.endsWith(".pdf"));
  const verified = await paste(shell, `npx learning-credentials verify signed/files/${file}`);
  expect(verified).toContain("Ana Kovač");
  expect(verified).toMatch(/-- done: [02] --/);
});

test("the platform's example imports learners", async () => {
  const platform = createServer((request, response) => {
    const list = request.url === "/roster.json" ? [{ login: "grace", name: "Grace Hopper" }] : [];
    response.setHeader("content-type", "application/json").end(JSON.stringify(list));
  });
  await once(platform.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void platform.close());
  const base_url = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
  const connector = {
    id: "school",
    type: "academy.connectors.roster",
    base_url,
    allow_http: true,
    path: "/roster.json",
  };
  await writeFile(join(academy, "connectors.json"), JSON.stringify([connector]));
  const shell = open({
    HTTP_PORT: "0",
    GRPC_PORT: "0",
    DATA_DIR: "connected",
    LOG_LEVEL: "silent",
    LEARNING_CREDENTIALS_PLUGINS: "./connectors.mjs",
    CONNECTORS_FILE: "connectors.json",
  });
  onTestFinished(() => shell.end("SIGTERM"));
  shell.type("npx learning-credentials serve &\n");
  await shell.says(/Press Ctrl-C to stop\.\n/);
  expect(await paste(shell, "npx learning-credentials connector check")).toMatch(/1 learners[\s\S]*done: 0/);
  expect(await paste(shell, "npx learning-credentials connector sync")).toMatch(/done: 0/);
  expect(await paste(shell, "npx learning-credentials erase grace --dry-run")).toContain("learners: 1");
});

test("the types are those of the package, and a plug-in in TypeScript compiles strictly", async () => {
  const example = blocks.find(({ language }) => language === "ts")?.text ?? "";
  const others = `
import type { ConnectorDriver, Generator, Plugin, Signer } from "learning-credentials/plugin";
import { Problem, z } from "learning-credentials/plugin";
import * as half from "./half.js";
export const plugin: Plugin = half;
export const signer: Signer = {
  name: "a.b", summary: "", open: async (reference) => ({ publicKey: reference, sign: async (bytes) => bytes }),
};
export const generator: Generator = {
  name: "a.c", summary: "", options: z.strictObject({}),
  render: async ({ userFullName }) => {
    if (userFullName === "") throw new Problem("invalid", "There is no name.");
    return new Uint8Array();
  },
};
export const driver: ConnectorDriver = {
  name: "a.d", summary: "", settings: z.strictObject({}),
  open: (_, http) => ({
    stages: [{ name: "all", each: "sweep", page: async () => ({
      requestedAt: (await http.send({ path: "/", endpoint: "all" })).sentAt, records: [], next: null,
    }) }],
    async *check() {},
  }),
};
// @ts-expect-error criteria are not strings
export const wrong: Plugin = { processors: [{ name: "a.b", summary: "", options: z.strictObject({}), criteria: () => "" }] };
`;
  await mkdir(join(academy, "typed"));
  await writeFile(join(academy, "typed/package.json"), '{ "type": "module" }');
  await writeFile(join(academy, "typed/half.ts"), example);
  await writeFile(join(academy, "typed/others.ts"), others);
  const flags = [
    "--noEmit",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--module",
    "nodenext",
    "--target",
    "es2023",
  ];
  const { stdout } = await run(
    join(ROOT, "node_modules/.bin/tsc"),
    [...flags, "--types", "node", "half.ts", "others.ts"],
    {
      cwd: join(academy, "typed"),
    },
  ).catch((error) => error);
  expect(stdout).toBe("");
});
