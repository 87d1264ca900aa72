import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { settingNames } from "#runtime/settings/config.js";
import { ROOT } from "./program.js";

const read = (name: string) => readFile(join(ROOT, ".container", name), "utf8");

test("the source files of the image exist, and all of them are sent to the engine", async () => {
  const copies = (await read("Containerfile")).matchAll(/^COPY (?!--from)(.+) \S+$/gm);
  const sources = [...copies].flatMap(([, names = ""]) => names.split(" "));
  for (const name of sources) expect(existsSync(join(ROOT, name)), name).toBe(true);
  const [all, ...sent] = (await read("Containerfile.dockerignore")).trim().split("\n");
  expect(all).toBe("*");
  expect(sent.sort()).toEqual(sources.map((name) => `!${name}`).sort());
});

test("the image has the Node version of README, which the package supports, and runs the package's bin", async () => {
  const { bin, engines } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const containerfile = await read("Containerfile");
  const versions = [...containerfile.matchAll(/^FROM node:(\d+)/gm)].map(([, version]) => Number(version));
  const [, wanted] = /Node\.js (\d+)/.exec(await readFile(join(ROOT, "README.md"), "utf8")) ?? [];
  expect(versions).toEqual([Number(wanted), Number(wanted)]);
  expect(Number(wanted)).toBeGreaterThan(Number(/\d+/.exec(engines.node)?.[0]));
  const [, command] = /^ENTRYPOINT (.+)$/m.exec(containerfile) ?? [];
  expect(JSON.parse(command ?? "")).toEqual(["node", bin["learning-credentials"]]);
});

test("the settings in both files exist", async () => {
  const [, set = ""] = /^ENV NODE_ENV=production (.+)$/m.exec(await read("Containerfile")) ?? [];
  const [, given = ""] = /environment: &settings\n((?: {4}.+\n)+)/.exec(await read("compose.yaml")) ?? [];
  const names = [...`${set}\n${given}`.matchAll(/([A-Z][A-Z0-9_]+)[=:]/g)].map(([, name]) => name);
  expect(names).not.toContain("DATABASE_OWNER_URL");
  expect(names.length).toBeGreaterThan(10);
  expect(settingNames).toEqual(expect.arrayContaining(names));
});
