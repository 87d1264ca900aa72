import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { as } from "./account.js";
import type { Binaries } from "./binaries.js";
import type { Home } from "./home.js";

const run = promisify(execFile);

export const CLUSTER_ROLE = "learning_credentials";

const DRAFT_PREFIX = "new-cluster-";

export interface DatabaseCluster {
  data: string;
  password: string;
}

export async function hasCluster(directory: string): Promise<boolean> {
  return (await readdir(directory)).includes("cluster");
}

/** Opens the cluster of a home that this process owns, or creates it atomically. */
export async function openCluster(home: Home, binaries: Binaries): Promise<DatabaseCluster> {
  const names = await readdir(home.directory);
  const leftovers = names.filter((name) => name.startsWith(DRAFT_PREFIX));
  await Promise.all(
    leftovers.map((name) => rm(join(home.directory, name), { recursive: true, force: true })),
  );
  const path = join(home.directory, "cluster");
  if (!names.includes("cluster")) await rename(await createCluster(home, binaries), path);
  return { data: join(path, "data"), password: await readFile(join(path, "password"), "utf8") };
}

async function createCluster({ directory, account }: Home, binaries: Binaries): Promise<string> {
  const draft = await mkdtemp(join(directory, DRAFT_PREFIX));
  const data = join(draft, "data");
  const password = join(draft, "password");
  await mkdir(data, { mode: 0o700 });
  await writeFile(password, randomBytes(24).toString("hex"), { mode: 0o600, flush: true });
  if (account) {
    await chmod(draft, 0o711);
    await Promise.all([data, password].map((path) => chown(path, account.uid, account.gid)));
  }
  const flags = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  const access = [`--username=${CLUSTER_ROLE}`, `--pwfile=${password}`, "--auth=scram-sha-256"];
  try {
    await run(binaries.initdb, [...flags, ...access, "--no-instructions", data], as(account));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  return draft;
}
