import { spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "vitest";

/** A data directory whose files are on a separate disk of 1 MiB. */
export interface SmallDisk {
  readonly dataDir: string;
  /** Enlarges the disk to 64 MiB, keeping its contents. */
  grow(): void;
}

/** Mounts the disk for a test. Skips the test if this user may not mount. */
export async function mountSmallDisk(context: TestContext): Promise<SmallDisk> {
  const { onTestFinished } = context;
  const dataDir = await mkdtemp(join(tmpdir(), "learning-credentials-full-"));
  await chmod(dataDir, 0o755);
  const files = join(dataDir, "files");
  await mkdir(files);
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  mountDisk(context, files, "1m");
  return {
    dataDir,
    grow() {
      const grown = spawnSync("mount", ["-o", "remount,size=64m", files]);
      if (grown.status !== 0) throw new Error(String(grown.stderr));
    },
  };
}

/** Mounts a disk of this size on a directory for a test. Skips the test if this user may not mount. */
export function mountDisk({ onTestFinished, skip }: TestContext, directory: string, size: string): void {
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=755`, "tmpfs", directory]);
  if (mounted.status !== 0) {
    const why = `no tmpfs can be mounted here: ${mounted.stderr ?? mounted.error}`;
    console.warn(`skipped: a full disk, as ${why}`);
    skip(why);
  }
  onTestFinished(() => void spawnSync("umount", ["--lazy", directory]));
}
