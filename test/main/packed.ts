import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Packs a directory as `npm publish` would, and unpacks the package into the subdirectory `package/` of another
 * directory.
 * @param options.runsScripts whether npm builds it first, as on publishing
 */
export async function unpackPackage(
  directory: string,
  into: string,
  options: { runsScripts: boolean },
): Promise<void> {
  const flags = options.runsScripts ? [] : ["--ignore-scripts"];
  await run("npm", ["pack", ...flags, "--pack-destination", into], { cwd: directory });
  await run("sh", ["-c", "tar -xzf *.tgz"], { cwd: into });
}
