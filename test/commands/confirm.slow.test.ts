import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { COURSE, givenAcademy } from "../support/academy.js";
import { BUILT_MAIN } from "../support/built-main.js";
import { ended, environmentOf, startCommand } from "./run-command.js";

vi.setConfig({ testTimeout: 120_000 });

/**
 * Whether `script` is the program of util-linux, which gives a command its own terminal. On other systems, `script` has
 * different options.
 */
const hasScript =
  spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") ?? false;

const academy = givenAcademy();

/** Runs a command in a terminal, and types `answer` at its prompt. */
async function onTerminal(
  args: readonly string[],
  answer?: string,
): Promise<{ code: number | null; said: string }> {
  const { app } = academy.service;
  const command = [process.execPath, BUILT_MAIN, ...args].map((word) => `'${word}'`).join(" ");
  const child: ChildProcessWithoutNullStreams = spawn("script", ["-qefc", command, "/dev/null"], {
    cwd: app.config.dataDir,
    env: environmentOf({
      SHELL: "/bin/sh",
      DATABASE_URL: app.database.url,
      DATA_DIR: app.config.dataDir,
    }),
  });
  let said = "";
  let isAnswered = false;
  child.stdout.setEncoding("utf8").on("data", (text) => {
    said += text;
    if (isAnswered || answer === undefined || !said.includes("[y/N]")) return;
    isAnswered = true;
    child.stdin.write(answer);
  });
  const [code] = await once(child, "close");
  return { code, said };
}

const isKnown = async (username: string) => {
  const { rows } = await academy.service.app.database.knex.raw("select from learners where username = ?", [
    username,
  ]);
  return rows.length === 1;
};
const issued = async () => {
  const { credentials } = await academy.credentials.listCredentials({ learningContextKey: COURSE });
  return credentials.map(({ username }) => username);
};

if (!hasScript) console.warn("skipped: questions on a terminal; util-linux's script is not here");

describe.skipIf(!hasScript && process.env.CI !== "true")("on a terminal", () => {
  it("erase lists the data and asks for confirmation, and removes it only after yes", async () => {
    await academy.enrol("ana");
    for (const answer of ["\n", "n\n", "yess\n"]) {
      const { code, said } = await onTerminal(["erase", "ana"], answer);
      expect(code).toBe(1);
      expect(said).toMatch(
        /enrollments: 1[\s\S]*Erase all this permanently\? \[y\/N\][\s\S]*Nothing was changed\./,
      );
      expect(await isKnown("ana")).toBe(true);
    }
    const interrupted = await onTerminal(["erase", "ana"], "\u0003");
    expect(interrupted.code).toBe(130);
    expect(await isKnown("ana")).toBe(true);
    const { code, said } = await onTerminal(["erase", "ana"], "y\n");
    expect(code).toBe(0);
    expect(said).toMatch(/removed\s*$/);
    expect(await isKnown("ana")).toBe(false);
  });

  it("--yes and --dry-run skip the confirmation", async () => {
    await academy.enrol("ben");
    expect((await onTerminal(["erase", "ben", "--dry-run"])).said).not.toContain("[y/N]");
    const { code, said } = await onTerminal(["erase", "ben", "--yes"]);
    expect(code).toBe(0);
    expect(said).not.toContain("[y/N]");
    expect(await isKnown("ben")).toBe(false);
  });

  it("run shows the plan, asks for confirmation unless given its hash, and issues exactly that plan", async () => {
    await academy.enrol("cleo");
    const id = String(academy.configurationId);
    const refused = await onTerminal(["run", id, "--no-wait"], "n\n");
    expect(refused.code).toBe(1);
    expect(refused.said).toMatch(/1 credential to issue, to:\s+cleo[\s\S]*Issue 1 credential\? \[y\/N\]/);
    expect(await issued()).toEqual([]);
    const [, hash = ""] = /Plan hash: (\S+)/.exec(refused.said) ?? [];
    const carriedOut = await onTerminal(["run", id, "--no-wait", "--plan-hash", hash]);
    expect(carriedOut.code).toBe(0);
    expect(carriedOut.said).not.toContain("[y/N]");
    expect(await issued()).toEqual(["cleo"]);
    await academy.enrol("dan");
    expect((await onTerminal(["run", id, "--no-wait"], "y\n")).said).toMatch(/Run \S+ has started\./);
    expect(await issued()).toEqual(["cleo", "dan"]);
  });
});

describe("without a terminal", () => {
  it("a script is never prompted, with or without --yes", async () => {
    for (const [username, more] of [
      ["eve", []],
      ["fay", ["--yes"]],
    ] as const) {
      await academy.enrol(username);
      const { code, err } = await ended(startCommand(academy.service, ["erase", username, ...more]));
      expect(code).toBe(0);
      expect(err).not.toContain("[y/N]");
      expect(await isKnown(username)).toBe(false);
    }
  });
});
