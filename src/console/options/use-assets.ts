import { useQuery } from "@connectrpc/connect-query";
import type { Asset } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";

/** Returns the first thousand uploaded files by slug; undefined while loading. */
export function useAssets(): readonly Asset[] | undefined {
  return useQuery(ConfigurationService.method.listAssets, { pageSize: 1000 }).data?.assets;
}
