import type { SigningKeys } from "#domain/keys/signing-keys.js";
import type { Certificate } from "#formats/sealing/certificate.js";
import type { Database } from "#infrastructure/db/database.js";
import type { FileStore } from "#infrastructure/files/file-store.js";

/** Dependencies of a diagnosis. */
export interface DoctorDeps {
  readonly database: Database;
  readonly files: FileStore;
  /** The keys of this process; undefined if it has none. */
  readonly signingKeys: SigningKeys | undefined;
  /** Trusted certificates of timestamp authorities; if undefined, every authority is trusted. */
  readonly timestampAnchors?: readonly Certificate[] | undefined;
  /** Rejects if the mail server doesn't accept emails. undefined if emails are written to files. */
  readonly checkEmail?: (() => Promise<void>) | undefined;
  /** Directory in the store for files of valid credentials. */
  readonly outputDir: string;
  /** Number of days for which events are kept; 0 means forever. */
  readonly eventRetentionDays: number;
}

/** Counts of examined items, which grow during a diagnosis. */
export interface DiagnosisStats {
  /** Number of credential files. */
  credentialFiles: number;
  /** Number of files in the store. */
  storedFiles: number;
  assets: number;
  /** The last event; undefined if it hasn't been read yet, or if there is none. */
  lastEvent?: EventMark;
}

/** An event that was recorded elsewhere, for comparison. */
export interface EventMark {
  readonly position: number;
  /** Lower-case hex. */
  readonly hash: string;
}
