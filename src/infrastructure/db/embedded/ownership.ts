import { randomUUID } from "node:crypto";
import { link, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { failedPrecondition, ignoreMissingFile, type Problem } from "#foundation/errors.js";

/** The process that owns a home. */
export interface Owner {
  pid: number;
  /** Distinguishes the process from a later process with the same pid. */
  identity: string;
  /** Set once the owner's database server accepts connections. */
  urls?: Urls;
  /** Public URL of the service, once it listens. */
  publicUrl?: string;
}

/** Connection URLs, including passwords. */
export interface Urls {
  /** URL for the owner of all tables, a superuser who runs migrations. */
  readonly url: string;
  /** URL for the restricted role that the service uses. */
  readonly serviceUrl: string;
}

/** The right to use a home. At most one living process has it. */
export interface Ownership {
  /** Publishes the URLs of the server, and of the service once it listens. */
  publish(urls: Urls, publicUrl?: string): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes ownership of the home for this process. Owners take numbered turns: the file `owner.<n>.json` with the highest
 * n names the owner, and the first process that creates the file with n + 1 becomes the next owner. A single lock file
 * would not be safe: after another process has replaced the file of a dead owner, a process that has read the old file
 * could remove the new one.
 * @throws Problem `failed-precondition` if a living process owns the home
 */
export async function takeOwnership(home: string, dataDir: string): Promise<Ownership> {
  const self: Owner = { pid: process.pid, identity: (await identityOf(process.pid)) ?? "" };
  const draft = await writeDraft(home, self);
  try {
    for (;;) {
      const last = (await turnsIn(home)).at(-1) ?? 0;
      const owner = await readOwner(home, last);
      if (owner && (await isOwnerAlive(owner))) throw alreadyOwned(owner, dataDir);
      const mine = last + 1;
      if (await acquireTurn(draft, home, mine)) return ownership(home, mine, self);
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/** Returns the living process that owns the home. */
export async function currentOwner(home: string): Promise<Owner | undefined> {
  const owner = await readOwner(home, (await turnsIn(home)).at(-1) ?? 0);
  return owner && (await isOwnerAlive(owner)) ? owner : undefined;
}

function ownership(home: string, turn: number, self: Owner): Ownership {
  const replace = async (owner: Owner | null) => rename(await writeDraft(home, owner), turnFile(home, turn));
  return {
    publish: (urls, publicUrl) => replace({ ...self, urls, ...(publicUrl && { publicUrl }) }),
    // Keeps the file, without an owner, because the number of a turn must not be used again. Ignores a missing home.
    release: () => replace(null).catch(ignoreMissingFile),
  };
}

async function acquireTurn(draft: string, home: string, mine: number): Promise<boolean> {
  try {
    await link(draft, turnFile(home, mine));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  const turns = await turnsIn(home);
  // If there is a later turn, this turn already had an owner: its file was removed, and this process created it again.
  const isLate = turns.some((turn) => turn > mine);
  const obsolete = isLate ? [mine] : turns.filter((turn) => turn < mine);
  await Promise.all(obsolete.map((turn) => rm(turnFile(home, turn), { force: true })));
  return !isLate;
}

function turnFile(home: string, turn: number): string {
  return join(home, `owner.${turn}.json`);
}

async function turnsIn(home: string): Promise<number[]> {
  const turns = (await readdir(home)).map((name) => Number(/^owner\.(\d+)\.json$/.exec(name)?.[1] ?? 0));
  return turns.filter((turn) => turn > 0).sort((a, b) => a - b);
}

async function readOwner(home: string, turn: number): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(turnFile(home, turn), "utf8")) ?? undefined;
  } catch (error) {
    // No file: a later owner has removed it. Invalid JSON: the machine has lost power, so the owner is gone, too.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function writeDraft(home: string, owner: Owner | null): Promise<string> {
  const draft = join(home, `owner.${randomUUID()}`);
  await writeFile(draft, JSON.stringify(owner), { mode: 0o600 });
  return draft;
}

async function isOwnerAlive(owner: Owner): Promise<boolean> {
  return (await identityOf(owner.pid)) === owner.identity;
}

/**
 * Returns undefined if the process is not running. On Linux, the identity is the boot id and start time
 * (proc_pid_stat(5)). Elsewhere, all processes have the same identity.
 */
async function identityOf(pid: number): Promise<string | undefined> {
  if (process.platform !== "linux") return isAlive(pid) ? "" : undefined;
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The second field is the program's name in parentheses, which may contain any character.
  const [state, ...later] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const isGone = state === "" || state === "Z" || state === "X";
  if (isGone) return undefined;
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
  return `${boot.trim()}/${later[18]}`;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function alreadyOwned(owner: Owner, dataDir: string): Problem {
  return failedPrecondition(
    `another service (process ${owner.pid}) already uses the data directory ${dataDir}: stop it first, set another DATA_DIR, ` +
      "or set DATABASE_URL so that both use one Postgres",
  );
}
