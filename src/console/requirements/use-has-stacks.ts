import { useQuery } from "@connectrpc/connect-query";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { useConfigurations } from "../offers/use-configurations.js";

/** Returns whether any credential requires another one. */
export function useHasStacks(): boolean {
  const types = useQuery(ConfigurationService.method.listCredentialTypes, { pageSize: 1000 }).data;
  const { all = [] } = useConfigurations();
  const options = [...(types?.credentialTypes ?? []), ...all].map(({ customOptions }) => customOptions);
  return JSON.stringify(options).includes('"holds":');
}
