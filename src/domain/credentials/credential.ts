import type { Particulars } from "#formats/rendering/generator.js";
import type { CredentialStatus, VerifiableStatus } from "#foundation/credential-status.js";
import type { Options } from "../configurations/options.js";
import type { Results } from "../eligibility/course-results.js";
import type { FrozenSettings } from "./print-settings.js";

/** A credential issued to a learner. Its contents are fixed when it is issued. */
export interface Credential {
  /**
   * Internal id; it follows the order of issuing. A failed credential that is issued again gets a new one.
   */
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
  /** The assets that the options refer to: slug -> SHA-256 of the content. */
  readonly assets: Readonly<Record<string, string>>;
  readonly printSettings: FrozenSettings;
  /** Whole seconds. */
  readonly createdAt: Date;
  /** When the first credential in its chain of replacements was issued; null if it is the first itself. */
  readonly awardedAt: Date | null;
  /** The first moment after its last day; null if it is valid forever. */
  readonly validUntil: Date | null;
  /** True if that moment has passed, by the database's clock. */
  readonly isExpired: boolean;
  /** When it was renewed by another credential; null if it was not. */
  readonly renewedAt: Date | null;
  /** What it prints beyond names and dates; null if nothing. */
  readonly particulars: Particulars | null;
  /** The results that it was earned with; null in lists, if nothing was required, or if its learner
   * was erased. */
  readonly results: Results | null;
  /**
   * Salt and SHA-256 of the learner's address at the time of issuing, `<salt>:<hash>` in hexadecimal; null
   * unless its type asked for it. Who knows the address can recognise it.
   */
  readonly addressHash: string | null;
  /** Number of the attempt that may write its file: how many have superseded the first run of its first job. */
  readonly attempt: number;
  readonly fileKey: string | null;
  /** Lower-case hexadecimal. */
  readonly fileSha256: string | null;
  /** Bytes. */
  readonly fileSize: number | null;
  /** Fragment of the key that signed the badge in the file; null if there is no badge. */
  readonly badgeKey: string | null;
  /** How the badge in the file was composed; null: there is none, or it is of the first version. */
  readonly badgeVersion: number | null;
  /** Version of the links in mails. Links of another version don't work. */
  readonly linkVersion: number;
  /** Empty unless the status is `error`. */
  readonly errorReason: string;
  /** Empty unless the status is `invalidated`. */
  readonly invalidationReason: string;
  readonly invalidatedAt: Date | null;
  /**
   * Destination of the file after invalidation; the move is complete once `fileKey` equals it. null until the
   * move begins.
   */
  readonly invalidatedFileKey: string | null;
  /** When its learner was erased. Since then it has no name and no file, and `username` is a pseudonym. */
  readonly erasedAt: Date | null;
  /** Name of the actor who issued it. */
  readonly issuedBy: string;
  /** Whether the learner gets no email when it becomes available. */
  readonly skipsEmail: boolean;
  /** The run that issued it; null if none did. */
  readonly runId: string | null;
  /** When the email about it was sent; null if none was. */
  readonly emailedAt: Date | null;
  /** `uuid` of the credential that it replaces, which was invalidated or renewed. */
  readonly replaces: string | null;
  /** `uuid` of the credential that replaces it. */
  readonly replacedBy: string | null;
  /** When it was imported from another system; null if it was issued here. */
  readonly importedAt: Date | null;
  /** Its identifier in that system; empty if it was issued here. */
  readonly legacyId: string;
  /** Who issued it in that system; empty or null if that is unknown, or if it was issued here. */
  readonly originalIssuer: string | null;
}

/** What everyone may know about a credential. */
export interface CredentialMetadata
  extends Pick<Credential, "userFullName" | "createdAt" | "learningContextName" | "invalidationReason"> {
  /**
   * An expired credential is `invalidated` here: the contract has only two words, and of these, this one is
   * true.
   */
  readonly status: VerifiableStatus;
}
