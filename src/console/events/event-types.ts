import { CredentialEventType } from "#gen/learning_credentials/v1/credential_event_pb.js";

/** All event types, in the order of a credential's life. */
export const eventTypes: readonly CredentialEventType[] = Object.values(CredentialEventType).filter(
  (type): type is CredentialEventType => typeof type === "number" && type !== CredentialEventType.UNSPECIFIED,
);
