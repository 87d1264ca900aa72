import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import type { Chapters, ConsoleWording } from "../i18n/load-chapter.js";

interface Changeable {
  readonly status: CredentialStatus;
  readonly userFullName: string;
  readonly isExpired: boolean;
  readonly replacedByUuid: string;
}

type Words = ConsoleWording["credentials"];

/** Explains why the service would refuse to withdraw a credential. Returns undefined if it wouldn't. */
export function whyNotWithdrawn({ status }: Pick<Changeable, "status">, words: Words): string | undefined {
  switch (status) {
    case CredentialStatus.INVALIDATED:
      return words.isInvalidatedAlready;
    case CredentialStatus.GENERATING:
      return words.noDocument.generating;
    case CredentialStatus.ERROR:
      return words.noDocument.error;
    default:
      return undefined;
  }
}

/** Explains why the service would refuse to reissue a credential. Returns undefined if it wouldn't. */
export function whyNotReissued(
  credential: Changeable,
  words: Words,
  { reasons }: Pick<Chapters["explanations"], "reasons">,
): string | undefined {
  const why = whyNotWithdrawn(credential, words);
  if (why !== undefined) return why;
  // Only a renewal replaces a credential that is still available.
  if (credential.replacedByUuid !== "") return reasons.RENEWED;
  if (credential.isExpired) return reasons.EXPIRED;
  return credential.userFullName === "" ? reasons.LEARNER_ERASED : undefined;
}
