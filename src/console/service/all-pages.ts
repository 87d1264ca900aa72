import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { callUnaryMethod, useTransport } from "@connectrpc/connect-query";
import { useQuery } from "@tanstack/react-query";
import type { CredentialType } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";

/** Reads all pages of a list. */
export async function readAllPages<Input extends DescMessage, Output extends DescMessage, Entry>(
  transport: Transport,
  method: DescMethodUnary<Input, Output>,
  entriesOf: (page: MessageShape<Output>) => readonly Entry[],
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  let pageToken = "";
  do {
    const input = { pageSize: 1000, pageToken } as unknown as MessageInitShape<Input>;
    const page = await callUnaryMethod(transport, method, input, { signal });
    entries.push(...entriesOf(page));
    pageToken = (page as unknown as { nextPageToken: string }).nextPageToken;
  } while (pageToken !== "");
  return entries;
}

/** Queries all pages of a list; `data` is undefined while loading. */
export function useAllPages<Input extends DescMessage, Output extends DescMessage, Entry>(
  method: DescMethodUnary<Input, Output>,
  entriesOf: (page: MessageShape<Output>) => readonly Entry[],
  options: { readonly enabled?: boolean; readonly staleTime?: number } = {},
) {
  const transport = useTransport();
  return useQuery({
    ...options,
    queryKey: ["all", method.name],
    queryFn: ({ signal }) => readAllPages(transport, method, entriesOf, signal),
  });
}

const STALE_AFTER_MS = 60_000;

export function useCredentialTypes(enabled = true): readonly CredentialType[] | undefined {
  return useAllPages(ConfigurationService.method.listCredentialTypes, (page) => page.credentialTypes, {
    enabled,
    staleTime: STALE_AFTER_MS,
  }).data;
}
