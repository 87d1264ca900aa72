import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "./program.js";

const read = (path: string) => readFile(join(ROOT, path), "utf8");
const text = await read(".github/workflows/release.yml");

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

const workflow: { permissions: object; jobs: Readonly<Record<string, Job>> } = parse(text);
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

test("each action of the release is pinned by its commit", () => {
  const uses = [...text.matchAll(/uses: (.+)$/gm)].map(([, used]) => used);
  expect(uses.length).toBe(steps.filter((step) => step.uses).length);
  for (const used of uses) expect(used).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test("jobs have only the permissions that they need, and scripts get values from the environment only", () => {
  expect(workflow.permissions).toEqual({});
  for (const { permissions } of Object.values(workflow.jobs))
    expect(permissions).not.toHaveProperty("actions");
  const scripts = steps.flatMap(({ run }) => run ?? []);
  expect(scripts.length).toBeGreaterThan(4);
  for (const script of scripts) {
    expect(script).not.toContain("${{");
    expect(spawnSync("bash", ["-n"], { input: script }).status, script).toBe(0);
  }
});

test("the files of the release exist", () => {
  for (const path of [
    ".container/Containerfile",
    ".container/kubernetes",
    ".deploy/tutor/learning_credentials.py",
    ".deploy/python",
  ]) {
    expect(text).toContain(path.split("/").at(-1));
    expect(existsSync(join(ROOT, path)), path).toBe(true);
  }
});

test("the client in Python has the version of the package", async () => {
  const { version } = JSON.parse(await read("package.json"));
  const [, python] = /^version = "(.+)"$/m.exec(await read(".deploy/python/pyproject.toml")) ?? [];
  expect(python).toBe(version.replace(/-rc\.(\d+)$/, "rc$1"));
});

test("a tag that differs from the version is refused, and the version's tag passes", async () => {
  const script = steps.find(({ run }) => run?.includes("GITHUB_REF_NAME"))?.run ?? "";
  const { version } = JSON.parse(await read("package.json"));
  const check = (tag: string) =>
    spawnSync("bash", ["-e", "-c", script], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, GITHUB_REF_NAME: tag },
      encoding: "utf8",
    });
  expect(check(`v${version}`).status).toBe(0);
  const wrong = check("v0.0.1");
  expect(wrong.status).toBe(1);
  expect(wrong.stdout).toContain(`The tag v0.0.1 is not v${version}`);
});
