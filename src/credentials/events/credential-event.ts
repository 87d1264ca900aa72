import type { CredentialStatus } from "../credential.js";
import type { CredentialEventType } from "./append-events.js";

/** A sealed event. */
export interface CredentialEvent {
  /** From 1, without gaps. */
  readonly position: number;
  readonly type: CredentialEventType;
  readonly credentialUuid: string;
  readonly configurationId: number;
  readonly actor: string;
  readonly occurredAt: Date;
  /** null: there was no credential. */
  readonly statusBefore: CredentialStatus | null;
  readonly statusAfter: CredentialStatus;
  /** Lower-case hexadecimal. */
  readonly hash: string;
}
