import { spawnSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./program.js";

/**
 * Unpacks the tree of an earlier commit into an empty directory, and links the packages of this tree.
 * @returns false if the commit is not available, as in a shallow clone or a tree without its history
 */
export async function unpackCommit(commit: string, into: string): Promise<boolean> {
  const archive = spawnSync("git", ["archive", commit, "package.json", "tsconfig.json", "src", "gen"], {
    cwd: ROOT,
    maxBuffer: 2 ** 28,
  });
  if (archive.status !== 0) return false;
  const unpacked = spawnSync("tar", ["-x", "-C", into], { input: archive.stdout });
  if (unpacked.status !== 0) throw new Error(`tar failed: ${unpacked.stderr}`);
  await symlink(join(ROOT, "node_modules"), join(into, "node_modules"));
  return true;
}
