import { type JsonValue, toJson } from "@bufbuild/protobuf";
import { withEarlierNames } from "#api/services/requests/earlier-names.js";
import { type Credential, CredentialSchema } from "#gen/learning_credentials/v1/credential_pb.js";

/** Returns a credential in the JSON form that commands print. */
export function credentialJson(credential: Credential): JsonValue {
  return withEarlierNames(toJson(CredentialSchema, credential));
}
