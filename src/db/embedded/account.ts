import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";
import { Problem } from "../../errors.js";

const run = promisify(execFile);

/** A user of this machine. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * The account that the server runs as when this process is root, which Postgres refuses to run as: the owner of
 * `cluster` where one exists, else an unprivileged account of this machine (none is created).
 * `undefined` for an ordinary user: the server then runs as that user.
 */
export async function serverAccount(cluster: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(cluster).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = (await accountNamed("postgres")) ?? (await accountNamed("nobody"));
  if (account) return account;
  throw new Problem(
    "failed-precondition",
    "Postgres can't run as root, and this machine has neither a user postgres nor a user nobody to run it as: " +
      "run this service as an ordinary user, create one of the two, or set DATABASE_URL to use another Postgres",
  );
}

/** How to start a program as `account`. Nothing of our environment reaches it, and `/` is a directory all can enter. */
export function as(account: Account | undefined) {
  return { ...account, cwd: "/", env: { LC_ALL: "C", TZ: "UTC" } };
}

/** Whether `account` may enter the directory, or execute the program, at `path`. Asks the system, which knows ACLs. */
export async function canReach(account: Account | undefined, path: string): Promise<boolean> {
  return run("/bin/sh", ["-c", 'test -x "$0"', path], as(account)).then(
    () => true,
    (error: { code?: unknown }) => {
      if (error.code === 1) return false;
      throw error;
    },
  );
}

async function accountNamed(name: string): Promise<Account | undefined> {
  return run("/bin/sh", ["-c", 'id -u "$0" && id -g "$0"', name]).then(
    ({ stdout }) => {
      const [uid = Number.NaN, gid = Number.NaN] = stdout.trim().split("\n").map(Number);
      return { uid, gid };
    },
    () => undefined,
  );
}
