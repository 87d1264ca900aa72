import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { ROOT } from "../main/program.js";

/** @returns why HAProxy can't run on this machine; undefined if it can */
export function whyNoHaproxy(): string | undefined {
  if (process.getuid?.() !== 0) return "only root may run it as its file says";
  if (spawnSync("haproxy", ["-v"]).status !== 0) return "there is no haproxy: apt-get install haproxy";
  return undefined;
}

/**
 * Starts HAProxy with a configuration file of the repository, on loopback only.
 * @param ports the replacement for each port in the file
 * @param logPort port to which requests are logged by syslog, as after `option httplog`. Default: requests are not
 *   logged
 * @returns a function that stops HAProxy
 */
export async function startHaproxy(
  name: string,
  ports: ReadonlyMap<string, number>,
  logPort?: number,
): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), "learning-credentials-haproxy-"));
  const given = await readFile(join(ROOT, ".container", name), "utf8");
  const replaced = new Set<string>();
  const text = given.replace(
    /(?<=^(?!#).*(?:\bbind |\bport |127\.0\.0\.1))(:?)(\d{4,5})\b/gm,
    (_, colon, port) => {
      replaced.add(port);
      return `${colon}${ports.get(port)}`;
    },
  );
  expect([...replaced].sort()).toEqual([...ports.keys()].sort());
  const file = join(directory, "haproxy.cfg");
  const logging = text
    .replace("maxconn", `log 127.0.0.1:${logPort} local0\n  maxconn`)
    .replace("mode http", "mode http\n  option httplog");
  await writeFile(file, (logPort ? logging : text).replace(/bind :/g, "bind 127.0.0.1:"));
  const proxy = spawn("haproxy", ["-W", "-db", "-f", file], { stdio: ["ignore", "inherit", "inherit"] });
  const ended = once(proxy, "exit");
  return async () => {
    proxy.kill("SIGTERM");
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
}
