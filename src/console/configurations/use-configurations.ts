import { useQuery } from "@connectrpc/connect-query";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";

/** As many as the service gives in one page; a console that needs more opens them from their contexts. */
const MOST = 1000;
const FRESH_MS = 60_000;

/** A configuration, as people name it. */
export interface NamedConfiguration {
  readonly id: number;
  readonly credentialTypeId: number;
  readonly credentialType: string;
  readonly learningContextKey: string;
}

/** All configurations with the names of their types, by context. */
export function useConfigurations() {
  const configurations = useQuery(
    ConfigurationService.method.listCredentialConfigurations,
    { pageSize: MOST },
    { staleTime: FRESH_MS },
  );
  const types = useQuery(
    ConfigurationService.method.listCredentialTypes,
    { pageSize: MOST },
    { staleTime: FRESH_MS },
  );
  const names = new Map(types.data?.credentialTypes.map(({ id, name }) => [id, name]));
  const all = configurations.data?.credentialConfigurations.map(
    ({ id, credentialTypeId, learningContextKey }): NamedConfiguration => ({
      id,
      credentialTypeId,
      credentialType: names.get(credentialTypeId) ?? `#${credentialTypeId}`,
      learningContextKey,
    }),
  );
  return { all: types.data && all, error: configurations.error ?? types.error };
}
