import type { Options } from "../configurations/options.js";
import type { Particulars } from "../rendering/generator.js";
import type { FrozenSettings } from "./generation/print-settings.js";

export type CredentialStatus = "generating" | "available" | "error" | "invalidated";

/** A credential issued to a learner. What it says was fixed when it was issued. */
export interface Credential {
  /** The order of issuing; known inside only. A failed one that is issued again gets a new one. */
  readonly id: number;
  readonly uuid: string;
  readonly verifyUuid: string;
  readonly username: string;
  readonly configurationId: number;
  readonly status: CredentialStatus;
  readonly userFullName: string;
  readonly learningContextKey: string;
  readonly learningContextName: string;
  readonly credentialType: string;
  readonly generationFunc: string;
  readonly options: Options;
  /** The assets that the options name: slug -> SHA-256 of the content. */
  readonly assets: Readonly<Record<string, string>>;
  readonly printSettings: FrozenSettings;
  /** Whole seconds. */
  readonly createdAt: Date;
  /** When the first of those was issued in whose place it stands; null: it is the first. */
  readonly awardedAt: Date | null;
  /** What it prints beyond names and dates; null: nothing. */
  readonly particulars: Particulars | null;
  /** The attempt that may write its file; 0 before the first. */
  readonly attempt: number;
  readonly fileKey: string | null;
  /** Lower-case hexadecimal. */
  readonly fileSha256: string | null;
  /** Bytes. */
  readonly fileSize: number | null;
  /** Of the links in mails: those of another version don't work. */
  readonly linkVersion: number;
  /** Empty unless `error`. */
  readonly errorReason: string;
  /** Empty unless `invalidated`. */
  readonly invalidationReason: string;
  readonly invalidatedAt: Date | null;
  /** Where its file goes when it is invalidated: there when `fileKey` is the same. null until its move begins. */
  readonly invalidatedFileKey: string | null;
  /** When its learner was erased: since then it has no name and no file, and `username` is a made-up one. */
  readonly erasedAt: Date | null;
  /** When the mail about it went out; null when none did. */
  readonly emailedAt: Date | null;
  /** `uuid` of the invalidated one in whose place it was issued. */
  readonly replaces: string | null;
  /** `uuid` of the one that was issued in its place. */
  readonly replacedBy: string | null;
  /** When it was taken over from another system; null: it was issued here. */
  readonly importedAt: Date | null;
  /** How that system names it; empty when it was issued here. */
  readonly legacyId: string;
  /** Who has issued it there; empty or null when that was not told, or it was issued here. */
  readonly originalIssuer: string | null;
}

/** What anybody may know of a credential. */
export interface CredentialMetadata {
  readonly userFullName: string;
  readonly createdAt: Date;
  readonly learningContextName: string;
  readonly status: "available" | "invalidated";
  readonly invalidationReason: string;
}
