import type { JsonObject } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import type { CredentialConfiguration } from "#gen/learning_credentials/v1/configuration_pb.js";
import type { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";

/** Creates a type of PDF credentials, and its configuration in a learning context. */
export async function offerCredential(
  client: Pick<Client<typeof ConfigurationService>, "createCredentialType" | "createCredentialConfiguration">,
  learningContextKey: string,
  name: string,
  retrieval: string,
  customOptions: object = {},
): Promise<CredentialConfiguration> {
  const { id: credentialTypeId } = await client.createCredentialType({
    credentialType: {
      name,
      retrievalFunc: `learning_credentials.processors.${retrieval}`,
      generationFunc: "learning_credentials.generators.generate_pdf_credential",
      customOptions: customOptions as JsonObject,
    },
  });
  return client.createCredentialConfiguration({
    credentialConfiguration: { learningContextKey, credentialTypeId },
  });
}
