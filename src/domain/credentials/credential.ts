import type { Particulars } from "#formats/rendering/generator.js";
import type { CredentialStatus, VerifiableStatus } from "#foundation/credential-status.js";
import type { Options } from "../configurations/options.js";
import type { Results } from "../eligibility/course-results.js";
import type { FrozenSettings } from "./print-settings.js";

/** A credential issued to a learner. Its contents are fixed when it is issued. */
export interface Credential {
  /** Internal id, in the order of issuing. A failed credential that is issued again gets a new one. */
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
  /** The assets that the options refer to: slug → SHA-256 of the content. */
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
  /** The facts that it prints besides names and dates; null if none. */
  readonly particulars: Particulars | null;
  /** The results with which it was earned; null in lists, if nothing was required, or if its learner was erased. */
  readonly results: Results | null;
  /**
   * Salt and SHA-256 of the learner's email address at the time of issuing, `<salt>:<hash>` in hexadecimal, with which
   * anyone who knows the address can confirm it; null unless the credential type requests the hash.
   */
  readonly addressHash: string | null;
  /** Number of the attempt that may write its file: how often the first run of its first job was superseded. */
  readonly attempt: number;
  readonly fileKey: string | null;
  /** Lower-case hexadecimal. */
  readonly fileSha256: string | null;
  /** Bytes. */
  readonly fileSize: number | null;
  /** Fragment of the key that signed the badge in the file; null if there is no badge. */
  readonly badgeKey: string | null;
  /** Version with which the badge in the file was composed; null if there is no badge, or for version 1. */
  readonly badgeVersion: number | null;
  /** Version of the links in emails. Links of other versions don't work. */
  readonly linkVersion: number;
  /** Empty unless the status is `error`. */
  readonly errorReason: string;
  /** Empty unless the status is `invalidated`. */
  readonly invalidationReason: string;
  readonly invalidatedAt: Date | null;
  /**
   * Destination of the file after invalidation; null until the move begins. The move is complete when `fileKey` equals
   * it.
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
  /** When the email about it was sent; null if it was not. */
  readonly emailedAt: Date | null;
  /** `uuid` of the invalidated or renewed credential that it replaces. */
  readonly replaces: string | null;
  /** `uuid` of the credential that replaces it. */
  readonly replacedBy: string | null;
  /** When it was imported from another system; null if it was issued here. */
  readonly importedAt: Date | null;
  /** Its identifier in that system; empty if it was issued here. */
  readonly legacyId: string;
  /** Its issuer in that system; empty or null if that is unknown, or if it was issued here. */
  readonly originalIssuer: string | null;
}

/** The public data of a credential. */
export interface CredentialMetadata
  extends Pick<Credential, "userFullName" | "createdAt" | "learningContextName" | "invalidationReason"> {
  /**
   * An expired credential is `invalidated`, because the contract has only two statuses and `available` would be false.
   */
  readonly status: VerifiableStatus;
}
