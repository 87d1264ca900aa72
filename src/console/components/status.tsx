import type { ReactNode } from "react";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialStanding } from "#gen/learning_credentials/v1/credential_search_pb.js";
import { useWords } from "../i18n/words.js";
import { CheckIcon, CrossIcon, ExpiredIcon, WaitingIcon, WarningIcon } from "./icons.js";
import type { StandingName } from "./standing-name.js";

export const standings: Readonly<Record<StandingName, CredentialStanding>> = {
  valid: CredentialStanding.VALID,
  generating: CredentialStanding.GENERATING,
  error: CredentialStanding.ERROR,
  expired: CredentialStanding.EXPIRED,
  invalidated: CredentialStanding.INVALIDATED,
};

/** Returns the status of a credential, including whether it has expired. */
export function standingOf(credential: {
  readonly status: CredentialStatus;
  readonly isExpired: boolean;
}): StandingName {
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

/** The appearance of a state. */
export interface Look {
  readonly tone: "good" | "bad" | "warn" | "plain";
  readonly Icon: () => ReactNode;
}

const looks: Record<StandingName, Look> = {
  valid: { tone: "good", Icon: CheckIcon },
  generating: { tone: "plain", Icon: WaitingIcon },
  error: { tone: "bad", Icon: WarningIcon },
  expired: { tone: "warn", Icon: ExpiredIcon },
  invalidated: { tone: "bad", Icon: CrossIcon },
};

/** A credential's status, as text, icon and colour. */
export function Standing({ of }: { readonly of: StandingName }) {
  const { standing } = useWords();
  return <StateMark {...looks[of]}>{standing[of]}</StateMark>;
}

/** A state, as text, icon and colour. */
export function StateMark({ tone, Icon, children }: Look & { readonly children: ReactNode }) {
  return (
    <span className={`standing tone-${tone}`}>
      <Icon />
      {children}
    </span>
  );
}
