import { closeSync, fsync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { parentPort } from "node:worker_threads";
import { newDraftName } from "./draft-name.js";

/** A file to write. The path is absolute. */
export interface NewFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A request with several writings. Each writing consists of files that belong together. */
export interface WriteRequest {
  readonly id: number;
  readonly writings: readonly (readonly NewFile[])[];
}

/** The result of a request. An error is sent as data, because it loses its code between threads. */
export interface WriteResponse {
  readonly id: number;
  /** The fault of each writing; undefined if there was none. */
  readonly faults: readonly (WriteFault | undefined)[];
}

export interface WriteFault {
  readonly message: string;
  readonly code: string | undefined;
}

/** The open drafts of a writing, and the directories that it changes. */
interface Begun {
  readonly drafts: { readonly path: string; readonly draft: string; readonly handle: number }[];
  readonly directories: Set<string>;
  fault?: WriteFault | undefined;
}

/** Unlike other system calls, syncing waits for the disk, so several syncs run at the same time. */
const sync = promisify(fsync);

parentPort?.on("message", async ({ id, writings }: WriteRequest) => {
  parentPort?.postMessage({ id, faults: await writeTogether(writings) } satisfies WriteResponse);
});

/**
 * Performs each step for all files together, because a file system writes all pending data when a single file is
 * synced.
 */
async function writeTogether(writings: WriteRequest["writings"]): Promise<WriteResponse["faults"]> {
  const all = writings.map(writeDrafts);
  await Promise.all(all.map(syncDrafts));
  for (const begun of all) unlessFailed(begun, nameDrafts);
  const failed = await syncDirectories(new Set(all.flatMap(({ directories }) => [...directories])));
  for (const begun of all) {
    for (const directory of begun.directories) begun.fault ??= failed.get(directory);
    if (begun.fault) removeDrafts(begun);
  }
  return all.map(({ fault }) => fault);
}

function unlessFailed(begun: Begun, step: (begun: Begun) => void): void {
  if (begun.fault) return;
  try {
    step(begun);
  } catch (error) {
    begun.fault = faultOf(error);
  }
}

function writeDrafts(files: readonly NewFile[]): Begun {
  const begun: Begun = { drafts: [], directories: new Set() };
  unlessFailed(begun, () => {
    for (const { path, bytes } of files) {
      const directory = dirname(path);
      for (const parent of makeDirectory(directory)) begun.directories.add(parent);
      begun.directories.add(directory);
      const draft = join(directory, newDraftName(basename(path)));
      const handle = openSync(draft, "wx", 0o600);
      begun.drafts.push({ path, draft, handle });
      writeFileSync(handle, bytes);
    }
  });
  return begun;
}

/** Returns the directories in which a new name was created. */
function makeDirectory(directory: string): string[] {
  const first = mkdirSync(directory, { recursive: true, mode: 0o700 });
  const parents: string[] = [];
  if (first === undefined) return parents;
  for (let made = directory; made.length >= first.length; made = dirname(made)) parents.push(dirname(made));
  return parents;
}

async function syncDrafts(begun: Begun): Promise<void> {
  const written = begun.fault === undefined;
  await Promise.all(
    begun.drafts.map(async ({ handle }) => {
      try {
        if (written) await sync(handle);
      } catch (error) {
        begun.fault ??= faultOf(error);
      }
      try {
        closeSync(handle);
      } catch (error) {
        begun.fault ??= faultOf(error);
      }
    }),
  );
}

function nameDrafts({ drafts }: Begun): void {
  for (const { draft, path } of drafts) renameSync(draft, path);
}

/** Returns the faults by directory. */
async function syncDirectories(directories: ReadonlySet<string>): Promise<ReadonlyMap<string, WriteFault>> {
  const faults = new Map<string, WriteFault>();
  await Promise.all(
    [...directories].map(async (directory) => {
      try {
        const handle = openSync(directory, "r");
        await sync(handle).finally(() => closeSync(handle));
      } catch (error) {
        faults.set(directory, faultOf(error));
      }
    }),
  );
  return faults;
}

function removeDrafts({ drafts }: Begun): void {
  for (const { draft } of drafts) {
    try {
      rmSync(draft, { force: true });
    } catch {}
  }
}

function faultOf(error: unknown): WriteFault {
  const { message, code } = error as NodeJS.ErrnoException;
  return { message, code };
}
