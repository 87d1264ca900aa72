import { useQuery } from "@connectrpc/connect-query";
import type { Asset } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";

/** The files that designs can name, by their slugs: the first thousand. Undefined until they are there. */
export function useAssets(): readonly Asset[] | undefined {
  return useQuery(ConfigurationService.method.listAssets, { pageSize: 1000 }).data?.assets;
}
