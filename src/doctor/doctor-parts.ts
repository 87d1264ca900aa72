import type { Database } from "../db/database.js";
import type { FileStore } from "../files/file-store.js";

/** What looking for damage needs. */
export interface DoctorParts {
  readonly database: Database;
  readonly files: FileStore;
  /** Where the files of credentials in force lie in the store. */
  readonly outputDir: string;
}

/** How much was looked at; it grows. */
export interface Looked {
  /** Files that credentials name. */
  credentialFiles: number;
  /** Files in the store. */
  storedFiles: number;
  assets: number;
}
