import type { ReactNode } from "react";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialSearchStatus } from "#gen/learning_credentials/v1/credential_search_pb.js";
import { useWords } from "../i18n/words.js";
import { CheckIcon, CrossIcon, ExpiredIcon, WaitingIcon, WarningIcon } from "./icons.js";
import type { StatusName } from "./status-name.js";

export const statuses: Readonly<Record<StatusName, CredentialSearchStatus>> = {
  valid: CredentialSearchStatus.VALID,
  generating: CredentialSearchStatus.GENERATING,
  error: CredentialSearchStatus.ERROR,
  expired: CredentialSearchStatus.EXPIRED,
  invalidated: CredentialSearchStatus.INVALIDATED,
};

/** Unlike the credential's own status, the returned one can be `expired`. */
export function shownStatusOf(credential: {
  readonly status: CredentialStatus;
  readonly isExpired: boolean;
}): StatusName {
  switch (credential.status) {
    case CredentialStatus.GENERATING:
      return "generating";
    case CredentialStatus.ERROR:
      return "error";
    case CredentialStatus.INVALIDATED:
      return "invalidated";
    default:
      return credential.isExpired ? "expired" : "valid";
  }
}

export interface StatusAppearance {
  readonly tone: "good" | "bad" | "warn" | "plain";
  readonly Icon: () => ReactNode;
}

const statusAppearances: Record<StatusName, StatusAppearance> = {
  valid: { tone: "good", Icon: CheckIcon },
  generating: { tone: "plain", Icon: WaitingIcon },
  error: { tone: "bad", Icon: WarningIcon },
  expired: { tone: "warn", Icon: ExpiredIcon },
  invalidated: { tone: "bad", Icon: CrossIcon },
};

export function Status({ of }: { readonly of: StatusName }) {
  const { status } = useWords();
  return <StateMark {...statusAppearances[of]}>{status[of]}</StateMark>;
}

export function StateMark({ tone, Icon, children }: StatusAppearance & { readonly children: ReactNode }) {
  return (
    <span className={`status tone-${tone}`}>
      <Icon />
      {children}
    </span>
  );
}
