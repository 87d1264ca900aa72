import type { CredentialStatus } from "#foundation/credential-status.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import type { CredentialEventRemark, CredentialEventType } from "./append-events.js";

/** An event in the chain. */
export interface CredentialEvent {
  /** Positions ascend from 1, without gaps. */
  readonly position: number;
  readonly type: CredentialEventType;
  readonly credentialUuid: string;
  readonly configurationId: number;
  readonly actor: string;
  readonly actorKind: Actor["kind"];
  readonly occurredAt: Date;
  /** Null if the credential did not exist before. */
  readonly statusBefore: CredentialStatus | null;
  readonly statusAfter: CredentialStatus;
  readonly remarks: readonly CredentialEventRemark[];
  /** Lower-case hexadecimal. */
  readonly hash: string;
}
