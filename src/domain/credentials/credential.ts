import type { Particulars } from "#formats/rendering/generator.js";
import type { CredentialStatus, VerifiableStatus } from "#foundation/credential-status.js";
import type { Options } from "../configurations/options.js";
import type { Results } from "../eligibility/course-results.js";
import type { FrozenSettings } from "./print-settings.js";

/** A credential issued to a learner. Its content is fixed when it is issued. */
export interface Credential {
  /** Ids ascend in the order of issuing. A failed credential gets a new id when it is issued again. */
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
  /** Assets in the options: slug → SHA-256 of the content. */
  readonly assets: Readonly<Record<string, string>>;
  readonly printSettings: FrozenSettings;
  /** Rounded to whole seconds. */
  readonly createdAt: Date;
  /**
   * When the first credential in the chain of reissued credentials was issued, or the award date from a list. If null,
   * `createdAt` is the award date.
   */
  readonly awardedAt: Date | null;
  /** The first moment after the last valid day; null if the credential never expires. */
  readonly validUntil: Date | null;
  /** According to the database's clock. */
  readonly isExpired: boolean;
  readonly renewedAt: Date | null;
  /** Facts to print in addition to names and dates; null if there are none. */
  readonly particulars: Particulars | null;
  /** The results that earned the credential; null in lists, if nothing was required, or if the learner was erased. */
  readonly results: Results | null;
  /**
   * `<salt>:<hash>` in hexadecimal: the salted SHA-256 of the learner's email address at the time of issuing. Anyone
   * who knows the address can check it against this hash. Null unless the credential type requests it.
   */
  readonly addressHash: string | null;
  /** Number of superseded attempts. Only the attempt with this number may write the file. */
  readonly attempt: number;
  readonly fileKey: string | null;
  /** Lower-case hexadecimal. */
  readonly fileSha256: string | null;
  readonly fileSize: number | null;
  /** Fragment of the key that signed the badge in the file; null if there is no badge. */
  readonly badgeKey: string | null;
  /** Version of badge composition; null if the file has no badge or its badge has version 1. */
  readonly badgeVersion: number | null;
  /** Links in emails work only if they have this version. */
  readonly linkVersion: number;
  readonly errorReason: string;
  readonly invalidationReason: string;
  readonly invalidatedAt: Date | null;
  /**
   * Destination of an invalidated file; null until the file is being moved. After the move, `fileKey` has the same
   * value.
   */
  readonly invalidatedFileKey: string | null;
  /**
   * When the learner was erased. An erased learner's credential has no name and no file, and its `username` is a
   * pseudonym.
   */
  readonly erasedAt: Date | null;
  /** Name of the actor who issued the credential. */
  readonly issuedBy: string;
  /** Whether the learner gets no email when the credential becomes available. */
  readonly skipsEmail: boolean;
  readonly runId: string | null;
  /** When the email about the credential was sent; null if none was sent. */
  readonly emailedAt: Date | null;
  /** `uuid` of the invalidated or renewed credential that this one replaces. */
  readonly replaces: string | null;
  /** `uuid` of the credential that replaces this one. */
  readonly replacedBy: string | null;
  /** When the credential was imported from another system; null if it was issued here. */
  readonly importedAt: Date | null;
  /** Identifier in the other system; empty if the credential was issued here. */
  readonly legacyId: string;
  /** Issuer in the other system; empty or null if unknown, or if the credential was issued here. */
  readonly originalIssuer: string | null;
}

export interface CredentialMetadata
  extends Pick<Credential, "userFullName" | "createdAt" | "learningContextName" | "invalidationReason"> {
  /** An expired credential is `invalidated`, because the API has no status for expiry. */
  readonly status: VerifiableStatus;
}
