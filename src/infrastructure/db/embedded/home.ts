import { chmod, chown, lstat, mkdir, mkdtemp, realpath, rmdir, stat, symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { failedPrecondition, ignoreMissingFile } from "#foundation/errors.js";
import { type Account, canReach, serverAccount } from "./account.js";
import { openSystemDirectory } from "./system-directory.js";

/**
 * The home of a database in its data directory: `<dataDir>/postgres`, which may be a symbolic link.
 * - `cluster/data`: the server's own files
 * - `cluster/password`: the password of the cluster's owner, a superuser
 * - `owner.<n>.json`: the process that owns the home, see `ownership.ts`
 */
export interface Home {
  directory: string;
  /** Account that runs the server; undefined for the current user. */
  account: Account | undefined;
}

/** Finds the home of `dataDir`, or creates an empty one that the server's account can enter. */
export async function openHome(dataDir: string): Promise<Home> {
  await mkdir(dirname(resolve(dataDir)), { recursive: true });
  await mkdir(dataDir, { mode: 0o700 }).catch(unlessExists);
  const found = await findHome(dataDir);
  const account = await serverAccount(join(dataDir, "postgres", "cluster", "data"));
  const directory = found ?? (await createHome(dataDir, account));
  if (await canReach(account, directory)) return { directory, account };
  throw failedPrecondition(
    `the user with id ${account?.uid ?? process.getuid?.()}, who runs the embedded Postgres, can't enter ${directory}: ` +
      'allow it ("chmod a+x" on the directories above), set another DATA_DIR, or set DATABASE_URL to use another Postgres',
  );
}

/** Returns the home of `dataDir`; undefined if there is none. Trusts only directories of the current user. */
export async function findHome(dataDir: string): Promise<string | undefined> {
  const path = join(dataDir, "postgres");
  const entry = await lstat(path).catch(ignoreMissingFile);
  if (!entry) return undefined;
  if (entry.uid !== process.getuid?.()) {
    throw failedPrecondition(
      `${path} belongs to the user with id ${entry.uid}: run this command as that user, set another DATA_DIR, ` +
        "or set DATABASE_URL to use another Postgres",
    );
  }
  return realpath(path).catch((cause) => {
    throw failedPrecondition(
      `the database that ${path} points to can't be reached (${cause.message}): restore it, remove the link to ` +
        "begin with an empty database, or set DATABASE_URL to use another Postgres",
      { cause },
    );
  });
}

async function createHome(dataDir: string, account: Account | undefined): Promise<string> {
  const path = join(dataDir, "postgres");
  if (!account || (await admits(dataDir, account))) {
    await mkdir(path).catch(unlessExists);
    await chmod(path, account ? 0o711 : 0o700);
  } else {
    await linkToOutside(path);
  }
  return realpath(path);
}

/**
 * Returns whether `account` can enter `dataDir`. If necessary, lets the account's group enter a private directory of
 * the current user.
 */
async function admits(dataDir: string, account: Account): Promise<boolean> {
  if (await canReach(account, dataDir)) return true;
  const { uid, mode } = await stat(dataDir);
  const isPrivate = uid === process.getuid?.() && (mode & 0o777) === 0o700;
  if (!isPrivate || !(await canReach(account, dirname(await realpath(dataDir))))) return false;
  await chown(dataDir, uid, account.gid);
  await chmod(dataDir, 0o710);
  return true;
}

/**
 * Creates the home outside the data directory, and links to it. The name of the home contains the path of its data
 * directory. The random suffix prevents a new data directory from finding the database of a removed one.
 */
async function linkToOutside(path: string): Promise<void> {
  const name = (await realpath(dirname(path))).replace(/[^A-Za-z0-9.]+/g, "-").slice(-80);
  const outside = await mkdtemp(join(await openSystemDirectory(), `data${name}-`));
  await chmod(outside, 0o711);
  await symlink(outside, path).catch(async (error) => {
    await rmdir(outside);
    unlessExists(error);
  });
}

function unlessExists(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}
