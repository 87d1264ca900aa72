import type { Asset } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { useAllPages } from "../service/all-pages.js";

/** Returns all uploaded files; undefined while loading. */
export function useAssets(): readonly Asset[] | undefined {
  return useAllPages(ConfigurationService.method.listAssets, ({ assets }) => assets).data;
}
