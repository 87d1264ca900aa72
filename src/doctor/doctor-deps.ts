import type { Database } from "../db/database.js";
import type { FileStore } from "../files/file-store.js";

/** What looking for damage needs. */
export interface DoctorDeps {
  readonly database: Database;
  readonly files: FileStore;
  /** Where the files of credentials in force lie in the store. */
  readonly outputDir: string;
  /** How long events are kept; 0: for ever. */
  readonly eventRetentionDays: number;
}

/** How much was looked at; it grows. */
export interface Looked {
  /** Files that credentials name. */
  credentialFiles: number;
  /** Files in the store. */
  storedFiles: number;
  assets: number;
  /** The last event; undefined until it was looked at, or when there is none. */
  lastEvent?: EventMark;
}

/** An event as somebody keeps it elsewhere, to compare with. */
export interface EventMark {
  readonly position: number;
  /** Lower-case hexadecimal. */
  readonly hash: string;
}
