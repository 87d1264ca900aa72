import type { Actor } from "../../identity/actors.js";
import type { CredentialStatus } from "../credential.js";
import type { CredentialEventRemark, CredentialEventType } from "./append-events.js";

/** A sealed event. */
export interface CredentialEvent {
  /** From 1, without gaps. */
  readonly position: number;
  readonly type: CredentialEventType;
  readonly credentialUuid: string;
  readonly configurationId: number;
  readonly actor: string;
  /** null: the event is from before kinds were kept. */
  readonly actorKind: Actor["kind"] | null;
  readonly occurredAt: Date;
  /** null: there was no credential. */
  readonly statusBefore: CredentialStatus | null;
  readonly statusAfter: CredentialStatus;
  readonly remarks: readonly CredentialEventRemark[];
  /** Lower-case hexadecimal. */
  readonly hash: string;
}
