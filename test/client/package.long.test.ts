import { execFile } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findChromium, launchChromium } from "../edges/pages/chromium.js";
import { readDocuments } from "../main/documents.js";
import { unpackPackage } from "../main/packed.js";
import { givenProgram, ROOT } from "../main/program.js";
import { completed, enrolled } from "../support/records.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";

const run = promisify(execFile);

/** All packages that the client may need. A module that imports the client finds no others. */
const NEEDED = [
  "@bufbuild/protobuf",
  "@connectrpc/connect",
  "@connectrpc/connect-node",
  "@connectrpc/connect-web",
];

const COURSE = "course-v1:HarbourLight+AST101+2025";

const program = givenProgram();
let service: TestService;
/**
 * A server of foreign pages. Every response is `page`. `127.0.0.1` is same-site with the service, `localhost` is not.
 */
let others: Server;
let page = "";
/** A directory in which the package from `npm pack` is installed. */
let consumer: string;
/** The examples in README and `.docs/`. */
let examples: string[];

beforeAll(async () => {
  consumer = program.scratch("consumer");
  await install();
  const documents = (await readDocuments()).map(({ text }) => text).join("\n");
  examples = [...documents.matchAll(/```js\n([^`]*"learning-credentials\/client".*?)```/gs)].map(
    ([, code = ""]) => code,
  );
  others = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
  });
  await once(others.listen(0, "127.0.0.1"), "listening");
  service = await startTestService({
    settings: { CORS_ALLOWED_ORIGINS: `http://127.0.0.1:${portOf(others)}` },
  });
  await importContractData();
});

afterAll(async () => {
  others?.close();
  await service?.stop();
});

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function install(): Promise<void> {
  for (const name of ["package.json", "README.md", "proto"]) {
    await cp(join(ROOT, name), program.scratch(name), { recursive: true });
  }
  const installed = join(consumer, "node_modules");
  await mkdir(installed, { recursive: true });
  await unpackPackage(program.scratch("."), consumer, { runsScripts: false });
  await rename(join(consumer, "package"), join(installed, "learning-credentials"));
  for (const name of NEEDED) {
    await mkdir(dirname(join(installed, name)), { recursive: true });
    await symlink(join(ROOT, "node_modules", name), join(installed, name));
  }
  await writeFile(join(consumer, "package.json"), '{ "type": "module" }');
}

/** Creates the objects that the examples read. */
async function importContractData(): Promise<void> {
  const { createClient } = await import("#client/node.js");
  const token = await tokenOf({ username: "lms", service: "write" });
  const client = createClient({ baseUrl: `http://${service.grpcAddress}`, token });
  await client.learnerRecords.upsertRecords({
    records: [
      { kind: { case: "learner", value: { username: "ana.kovac", fullName: "Ana Kovač" } } },
      { kind: { case: "course", value: { courseKey: COURSE, displayName: "Reading the Night Sky" } } },
      { kind: enrolled("ana.kovac", COURSE) },
      { kind: completed("ana.kovac", COURSE, 1) },
    ],
  });
  const { id: credentialTypeId } = await client.configurations.createCredentialType({
    credentialType: {
      name: "Certificate of Completion",
      retrievalFunc: "learning_credentials.processors.retrieve_completions",
      generationFunc: "learning_credentials.generators.generate_pdf_credential",
    },
  });
  const { id: configurationId } = await client.configurations.createCredentialConfiguration({
    credentialConfiguration: { learningContextKey: COURSE, credentialTypeId },
  });
  await client.credentials.issueCredential({ configurationId, username: "ana.kovac" });
  client.close();
}

test("the documented example for Node runs where no part of the service is installed, and exits", async () => {
  const [example = ""] = examples;
  expect(example).toContain("http://127.0.0.1:50051");
  await writeFile(join(consumer, "list.mjs"), example.replace("127.0.0.1:50051", service.grpcAddress));
  const SERVICE = await tokenOf({ username: "lms", service: "read" });
  const { stdout, stderr } = await run(process.execPath, ["list.mjs"], {
    cwd: consumer,
    env: { PATH: process.env.PATH, SERVICE },
    timeout: 60_000,
  });
  expect({ stdout, stderr }).toEqual({ stdout: "[ 'Certificate of Completion: Ana Kovač' ]\n", stderr: "" });
});

/** Returns a page that runs this module. */
function pageWith(module: string): string {
  return `<!DOCTYPE html><title>Course</title><body><script type="module">${module}</script>`;
}

test("the documented example for browsers runs in one, with a learner's cookies", async ({ skip }) => {
  const executable = findChromium() ?? skip("there is no browser");
  const browser = await launchChromium(executable);
  try {
    const tab = await browser.newPage();
    const example = (examples[1] ?? "").replace("location.origin", `"${service.httpUrl}"`);
    const body = pageWith(await bundled(example));
    const own = `${service.httpUrl}/course`;
    await tab.route(own, (route) => route.fulfill({ contentType: "text/html; charset=utf-8", body }));
    await tab.goto(own);
    await tab.getByText("Try again later.").waitFor();

    const token = await tokenOf({ username: "ana.kovac" });
    const dot = token.lastIndexOf(".");
    await tab.context().addCookies([
      { url: service.httpUrl, name: "edx-jwt-cookie-header-payload", value: token.slice(0, dot) },
      { url: service.httpUrl, name: "edx-jwt-cookie-signature", value: token.slice(dot + 1), httpOnly: true },
    ]);
    page = body;
    for (const address of [own, `http://127.0.0.1:${portOf(others)}`]) {
      await tab.goto(address);
      await tab.getByText("Certificate of Completion: earned.").waitFor();
    }

    // A page outside CORS_ALLOWED_ORIGINS may call public methods, with or without cookies.
    page = pageWith(
      await bundled(`
        import { createClient } from "learning-credentials/client";
        const { credentials } = createClient({ baseUrl: "${service.httpUrl}" });
        credentials.getCredentialMetadata({ verifyUuid: "unknown" }).catch((error) => document.body.append(error.message));
      `),
    );
    await tab.goto(`http://localhost:${portOf(others)}`);
    await tab.getByText("Credential not found.").waitFor();
  } finally {
    await browser.close();
  }
});

/** Maximum number of bytes that a page loads. `.docs/grpc-api.md` says about 66,000. */
const MAX_BYTES = 68_000;

/**
 * Bundles a module and its imports for a page. Expects that the bundle contains nothing of the service or of Node.js.
 */
async function bundled(code: string): Promise<string> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: consumer, loader: "js" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    minify: true,
    metafile: true,
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.filter((input) => /connect-node|grpc-js|src\/(?!client\/)/.test(input))).toEqual([]);
  const script = outputFiles[0]?.text ?? "";
  expect(gzipSync(script).length).toBeLessThan(MAX_BYTES);
  return script;
}

test("the installed package has all files that the client needs", async () => {
  const { dependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(NEEDED));
});

test("the package has the types of its client, for Node and for browsers", async () => {
  await writeFile(
    join(consumer, "typed.ts"),
    `import { createClient, type Credential, CredentialStatus } from "learning-credentials/client";
const client = createClient({ baseUrl: "http://127.0.0.1:50051", token: async () => "a token" });
const { credentials } = await client.credentials.listCredentials({ status: CredentialStatus.AVAILABLE });
export const first: Credential | undefined = credentials[0];
// @ts-expect-error: the field does not exist
await client.credentials.listCredentials({ user: "ana" });
`,
  );
  await writeFile(
    join(consumer, "close.ts"),
    'import { createClient } from "learning-credentials/client";\ncreateClient({ baseUrl: "" }).close();\n',
  );
  const strict = [
    "--noEmit",
    "--strict",
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--lib",
    "es2024,dom",
    "--types",
    "",
  ];
  const tsc = (...args: string[]) =>
    run(join(ROOT, "node_modules/.bin/tsc"), [...strict, ...args], { cwd: consumer }).then(
      () => "",
      ({ stdout }) => stdout,
    );
  expect(await tsc("typed.ts", "close.ts")).toBe("");
  const [wrong, ...more] = (await tsc("--customConditions", "browser", "typed.ts", "close.ts"))
    .trim()
    .split("\n");
  expect(wrong).toMatch(/^close\.ts.*'close' does not exist/);
  expect(more).toEqual([]);
});
