import type { SigningKeys } from "#domain/keys/signing-keys.js";
import type { Certificate } from "#formats/sealing/certificate.js";
import type { Database } from "#infrastructure/db/database.js";
import type { FileStore } from "#infrastructure/files/file-store.js";

export interface DoctorDeps {
  readonly database: Database;
  readonly files: FileStore;
  readonly signingKeys: SigningKeys | undefined;
  /** Certificates of trusted timestamp authorities; undefined to trust every authority. */
  readonly timestampAnchors?: readonly Certificate[] | undefined;
  /** Rejects if the email server can't be used. */
  readonly checkEmail?: (() => Promise<unknown>) | undefined;
  /** Directory in the file store for files of valid credentials. */
  readonly outputDir: string;
  /** 0 to keep events forever. */
  readonly eventRetentionDays: number;
}

/** Numbers of examined items. They increase during a diagnosis. */
export interface DiagnosisStats {
  credentialFiles: number;
  storedFiles: number;
  assets: number;
  /** The last event that was read; undefined if there is none yet. */
  lastEvent?: EventMark;
}

/** An event that was recorded elsewhere, for comparison. */
export interface EventMark {
  readonly position: number;
  /** In lower-case hex. */
  readonly hash: string;
}
