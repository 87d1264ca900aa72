import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { givenDirectory } from "../support/directory.js";
import { unpackPackage } from "./packed.js";
import { ROOT } from "./program.js";

/** The parts of a clone that `npm pack` needs. */
const SOURCES = ["package.json", "tsconfig.json", "README.md", ".docs", "src", "gen", "proto"];

const directory = givenDirectory("packed");

beforeAll(async () => {
  await chmod(directory, 0o755); // As root, Postgres runs as another user.
  for (const name of ["clone", "installed", "empty"]) await mkdir(join(directory, name));
  for (const name of SOURCES) await cp(join(ROOT, name), join(directory, "clone", name), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(directory, "node_modules"));
  await unpackPackage(join(directory, "clone"), join(directory, "installed"), { runsScripts: true });
  // The link is the one that npm makes on installing the package.
  await symlink(
    join(directory, "installed/package/dist/src/main.js"),
    join(directory, "learning-credentials"),
  );
}, 600_000); // a busy machine builds for minutes

test("the package runs the service from an empty directory, with sample data and documents", async () => {
  const service = spawn(join(directory, "learning-credentials"), ["serve", "--sample-data"], {
    cwd: join(directory, "empty"),
    env: { PATH: process.env.PATH, HTTP_PORT: "0", GRPC_PORT: "0" },
  });
  let said = "";
  for (const stream of [service.stdout, service.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
  }
  try {
    const metadata = /http:\/\/127\.0\.0\.1:\d+\/api\/learning_credentials\/v1\/metadata\/[\w-]{36}\//;
    await vi.waitFor(() => expect(said).toMatch(/Press Ctrl-C to stop/), { timeout: 60_000, interval: 100 });
    const response = await fetch(metadata.exec(said)?.[0] ?? "");
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ user_full_name: "Ana Kovač", status: "available" });
    const verify = await fetch(new URL("/verify/", response.url));
    expect(verify.status).toBe(200);
  } finally {
    const ended = once(service, "close");
    service.kill("SIGTERM");
    await ended;
  }
  expect(service.exitCode).toBe(0);
  expect(await readdir(join(directory, "empty"))).toEqual([".data"]);
});

test("the installed package has all files that it loads", async () => {
  const root = join(directory, "installed/package");
  const { dependencies, peerDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const loaded = new Set<string>();
  for (const name of await readdir(join(root, "dist"), { recursive: true })) {
    if (!name.endsWith(".js")) continue;
    const code = await readFile(join(root, "dist", name), "utf8");
    const imports = code.matchAll(/(?:^import .*|^} from |\bimport\()"((?:@[\w-]+\/)?[\w.:-]+)/gm);
    for (const [, imported = ""] of imports) if (!imported.startsWith(".")) loaded.add(imported);
  }
  expect([...loaded].filter((name) => !isBuiltin(name)).length).toBeGreaterThan(20);
  const given = new Set(Object.keys({ ...dependencies, ...peerDependencies }));
  expect([...loaded].filter((name) => !isBuiltin(name) && !given.has(name))).toEqual([]);
});
