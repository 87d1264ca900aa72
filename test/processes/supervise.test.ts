import cluster from "node:cluster";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { supervise } from "#runtime/processes/supervise.js";
import { newDirectory } from "../support/directory.js";

test("a process that was restarting when a replacement was requested is replaced, too", async () => {
  const directory = newDirectory("supervise");
  const at = (name: string) => join(directory, name);
  cluster.setupPrimary({ exec: join(import.meta.dirname, "reading-child.mjs"), execArgv: [] });
  const group = supervise(pino({ enabled: false }), 5_000);
  onTestFinished(group.stop);
  writeFileSync(at("settings"), "old");
  writeFileSync(at("go"), "");
  await group.keep({ name: "1", args: [], env: { DIRECTORY: directory } });

  rmSync(at("go"));
  rmSync(at("read"));
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill("SIGKILL");
  await vi.waitUntil(() => existsSync(at("read")), { timeout: 60_000 });
  writeFileSync(at("settings"), "new");
  const replaced = group.roll();
  writeFileSync(at("go"), "");
  await replaced;
  expect(await group.measure()).toEqual([{ name: "1", metrics: [{ settings: "new" }] }]);
});
