import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Makes the package of a directory as `npm publish` would, and unpacks it into another one, as `package/`.
 * @param options.runsScripts whether it is built for that, as it is for whoever packs it
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
