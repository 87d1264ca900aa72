import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";
import { failedPrecondition } from "#foundation/errors.js";

const run = promisify(execFile);

export interface Account {
  uid: number;
  gid: number;
}

/**
 * Returns the account that runs the server, because Postgres refuses to run as root. This is the owner of `cluster`, or
 * otherwise an existing unprivileged account. Returns undefined if this process is not root and runs the server itself.
 */
export async function serverAccount(cluster: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(cluster).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = (await accountNamed("postgres")) ?? (await accountNamed("nobody"));
  if (account) return account;
  throw failedPrecondition(
    "Postgres can't run as root, and this machine has neither a user postgres nor a user nobody to run it as: " +
      "run this service as an ordinary user, create one of the two, or set DATABASE_URL to use another Postgres",
  );
}

/** Returns options to start a program as `account`: an empty environment, and a directory that everyone can enter. */
export function as(account: Account | undefined) {
  return { ...account, cwd: "/", env: { LC_ALL: "C", TZ: "UTC" } };
}

/**
 * Returns whether `account` can enter this directory, or execute this program. Asks the operating system, because only
 * it knows ACLs.
 */
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
