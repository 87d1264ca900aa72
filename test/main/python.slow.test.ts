import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { BUILT } from "../support/built-main.js";
import { givenDirectory } from "../support/directory.js";
import { freePort } from "../support/free-port.js";
import { readBlocks } from "./document-blocks.js";
import { readPage } from "./documents.js";
import { ROOT } from "./program.js";
import { openShell, type Shell } from "./shell.js";

/** The path of Debian's Python, which has the packages. Another Python may come first in PATH. */
const PYTHON = "/usr/bin/python3";
const has = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
const whyNot = !has("protoc", "--version")
  ? "protoc is not here: apt-get install protobuf-compiler libprotobuf-dev"
  : !has("sh", "-c", "command -v grpc_python_plugin")
    ? "grpc_python_plugin is not here: apt-get install protobuf-compiler-grpc"
    : !has(PYTHON, "-c", "import grpc, google.protobuf")
      ? "Python has no gRPC: apt-get install python3-grpcio python3-protobuf"
      : undefined;
const whyNoPhp =
  has("php", "--version") && existsSync("/usr/share/php/Google/Protobuf")
    ? whyNot
    : "PHP has no Protobuf: apt-get install php-cli php-google-protobuf";
for (const [what, reason] of [
  ["Python", whyNot],
  ["PHP", whyNoPhp],
])
  if (reason) console.warn(`skipped: ${what}; ${reason}`);

describe.skipIf(whyNot)("other languages, from a clone in which npm start runs", () => {
  const home = givenDirectory("languages");
  let clone: string;
  let shell: Shell;
  let httpPort: number;

  beforeAll(async () => {
    await chmod(home, 0o755); // If the test runs as root, Postgres runs as another user.
    clone = join(home, "clone");
    await mkdir(join(home, "bin"));
    await symlink(PYTHON, join(home, "bin/python3"));
    for (const name of ["package.json", "buf.yaml", "proto"])
      await cp(join(ROOT, name), join(clone, name), { recursive: true });
    await cp(join(BUILT, "dist"), join(clone, "dist"), { recursive: true });
    await symlink(join(ROOT, "node_modules"), join(clone, "node_modules"));
    httpPort = await freePort();
    const settings = { HTTP_PORT: String(httpPort), GRPC_PORT: String(await freePort()) };
    const env = { PATH: `${join(home, "bin")}:${process.env.PATH}`, HOME: home, ...settings };
    shell = openShell({ cwd: clone, env });
    shell.type("node dist/src/main.js serve --sample-data &\n");
    const banner = await shell.says(/Press Ctrl-C to stop\.\n/);
    shell.type(
      `GRPC=127.0.0.1:${settings.GRPC_PORT} METADATA=${/metadata\/([\w-]{36})\//.exec(banner)?.[1]}\n`,
    );
  });
  afterAll(() => shell?.end("SIGTERM"));

  async function paste(commands: string): Promise<string> {
    shell.type(`{ :\n${commands}\n} </dev/null\necho "-- done: $? --"\n`);
    return shell.says(/-- done: \d+ --/);
  }

  test("the page on Python can be followed to the first credential", async () => {
    const blocks = readBlocks(await readPage("first-credential-from-python"));
    const [install, compile, run] = blocks
      .filter(({ language }) => language === "console")
      .map(({ text }) => text);
    expect(install).toMatch(/^apt-get install [\w -]+\n$/); // .ci/run has installed the packages
    expect(await paste(String(compile))).toMatch(/-- done: 0 --/);
    await writeFile(
      join(clone, "lms/first.py"),
      blocks.find(({ language }) => language === "py")?.text ?? "",
    );
    const said = await paste(String(run).replace("127.0.0.1:50051", "$GRPC"));
    const shown =
      blocks.find(({ language, text }) => language === "" && text.includes("Grace Hopper"))?.text ?? "";
    const [first = "", second = ""] = shown.split("\n").map((line) => line.replace(/\S*…$/, ""));
    expect(said).toContain(first);
    expect(said).toContain(second);
    expect(said).toMatch(/-- done: 0 --/);
  });

  test.skipIf(whyNoPhp)(
    "the export compiles for PHP, and the call of the page on gRPC works from there",
    async () => {
      const page = await readPage("grpc-api");
      const blocks = readBlocks(page);
      const [exported] = blocks.filter(({ language }) => language === "console");
      const compile = /`(protoc [^`]*--php_out[^`]*)`/.exec(page.replaceAll(/\n(?!\n)/g, " "))?.[1];
      onTestFinished(() => rm(join(clone, "protos"), { recursive: true, force: true }));
      expect(await paste(`${exported?.text}\nmkdir php\n${compile}`)).toMatch(/-- done: 0 --/);
      await writeFile(
        join(clone, "metadata.php"),
        blocks.find(({ language }) => language === "php")?.text ?? "",
      );
      const said = await paste(`php metadata.php http://127.0.0.1:${httpPort} $METADATA`);
      expect(said).toContain("Ana Kovač: CREDENTIAL_STATUS_AVAILABLE\n");
    },
  );
});
