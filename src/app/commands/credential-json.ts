import { create, type JsonValue, toJson } from "@bufbuild/protobuf";
import { presentCredentialToStaff } from "#api/services/presentation/present.js";
import { withEarlierNames } from "#api/services/requests/earlier-names.js";
import type { Credential } from "#domain/credentials/credential.js";
import { CredentialSchema } from "#gen/learning_credentials/v1/credential_pb.js";

/** Returns a credential as JSON, as commands print it. */
export function credentialJson(credential: Credential): JsonValue {
  const message = create(CredentialSchema, presentCredentialToStaff(credential));
  return withEarlierNames(toJson(CredentialSchema, message));
}
