import { storeUnavailable } from "../store-unavailable.js";

const BROKEN = "the disk reports an error: see the system's log";
const GONE = "its file system is unavailable: mount it again";

const remedies: Record<string, string> = {
  ENOSPC: "the disk is full: free some space",
  EDQUOT: "the disk quota is used up: raise it, or free some space",
  EIO: BROKEN,
  EREMOTEIO: BROKEN,
  ENODEV: GONE,
  ENOTCONN: GONE,
  ENXIO: GONE,
  ESTALE: GONE,
  ETIMEDOUT: GONE,
  EACCES: "this user lacks the permission: grant it, or set another DATA_DIR",
  EPERM: "this user lacks the permission: grant it, or set another DATA_DIR",
  EROFS: "the file system is read-only: mount it writable, or set another DATA_DIR",
  EXDEV: "its files are on several file systems, and can't be moved between them: keep them on one",
  EMFILE: "too many files are open: raise the limit of this process",
  ENFILE: "too many files are open: raise the limit of this machine",
};

/**
 * Turns errors that the operator can fix into a Problem. Only the cause of the problem, which is for the log, contains
 * the path.
 */
export async function onDisk<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    const remedy = remedies[code];
    const cause = new Error(`${path} can't be used: ${remedy ?? message}`, { cause: error });
    if (remedy === undefined) throw cause;
    throw storeUnavailable(cause);
  }
}
