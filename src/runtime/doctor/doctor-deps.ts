import type { SigningKeys } from "#domain/keys/signing-keys.js";
import type { Certificate } from "#formats/sealing/certificate.js";
import type { Database } from "#infrastructure/db/database.js";
import type { FileStore } from "#infrastructure/files/file-store.js";

/** Dependencies for finding faults. */
export interface DoctorDeps {
  readonly database: Database;
  readonly files: FileStore;
  /** The keys that this process holds; undefined if it holds none. */
  readonly signingKeys: SigningKeys | undefined;
  /** Certificates that vouch for timestamp authorities; undefined: every authority is believed. */
  readonly timestampAnchors?: readonly Certificate[] | undefined;
  /** Rejects if the mail server would take no emails. undefined: emails become files */
  readonly checkEmail?: (() => Promise<void>) | undefined;
  /** Directory in the store for files of credentials in force. */
  readonly outputDir: string;
  /** Number of days for which events are kept; 0 means forever. */
  readonly eventRetentionDays: number;
}

/** How much was examined; the counts grow. */
export interface DiagnosisStats {
  /** Number of credentials' files. */
  credentialFiles: number;
  /** Number of files in the store. */
  storedFiles: number;
  assets: number;
  /** The last event; undefined until it has been read, or if there is none. */
  lastEvent?: EventMark;
}

/** An event as recorded elsewhere, for comparison. */
export interface EventMark {
  readonly position: number;
  /** Lower-case hexadecimal. */
  readonly hash: string;
}
