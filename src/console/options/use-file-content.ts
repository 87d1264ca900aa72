import { callUnaryMethod, useTransport } from "@connectrpc/connect-query";
import { useQuery } from "@tanstack/react-query";
import type { Asset } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";

/**
 * Returns the content of an uploaded file; undefined until it is loaded. It is loaded only once, because the content
 * that belongs to a checksum never changes.
 * @param isNeeded false if the file shouldn't be loaded yet
 */
export function useFileContent(asset: Asset | undefined, isNeeded = true): Uint8Array | undefined {
  const transport = useTransport();
  const { slug = "", sha256 = "" } = asset ?? {};
  const { data } = useQuery({
    queryKey: ["file", sha256],
    queryFn: ({ signal }) =>
      callUnaryMethod(transport, ConfigurationService.method.getAsset, { slug }, { signal }),
    enabled: asset !== undefined && isNeeded,
    staleTime: "static",
  });
  return data?.content;
}
