import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { callUnaryMethod, createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";

/**
 * Returns a function that saves a type or configuration. The response replaces the cached object, and is returned.
 * @param read the method that reads the object by its id
 */
export function useSave<I extends DescMessage, O extends DescMessage, R extends DescMessage>(
  method: DescMethodUnary<I, O>,
  read: DescMethodUnary<R, O>,
  id: number,
): (request: MessageInitShape<I>) => Promise<MessageShape<O>> {
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
    return stored;
  };
}
