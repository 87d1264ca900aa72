import type { DescMessage, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { callUnaryMethod, createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";

/**
 * Returns the function that saves a change of a type or a configuration. The stored object then replaces the one that
 * was read.
 * @param read the method by which the object is read, by its id
 */
export function useSave<I extends DescMessage, O extends DescMessage, R extends DescMessage>(
  method: DescMethodUnary<I, O>,
  read: DescMethodUnary<R, O>,
  id: number,
): (request: MessageInitShape<I>) => Promise<void> {
  const transport = useTransport();
  const client = useQueryClient();
  return async (request) => {
    const stored = await callUnaryMethod(transport, method, request);
    const input = { id } as object as MessageInitShape<R>;
    client.setQueryData(
      createConnectQueryKey({ schema: read, input, transport, cardinality: "finite" }),
      stored,
    );
    void client.invalidateQueries();
  };
}
