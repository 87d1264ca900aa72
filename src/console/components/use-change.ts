import type { DescMessage, DescMethodUnary, MessageShape } from "@bufbuild/protobuf";
import { type UseMutationOptions, useMutation } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";

/**
 * A call that changes something. Afterwards, what pages show is asked for again.
 * @param onDone called then
 */
export function useChange<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  onDone?: (answer: MessageShape<O>) => unknown,
  options?: UseMutationOptions<I, O>,
) {
  const client = useQueryClient();
  const mutation = useMutation(method, {
    ...options,
    async onSuccess(answer) {
      await client.invalidateQueries();
      await onDone?.(answer);
    },
  });
  return { ...mutation, method };
}

/** A change that is yet to be made, or was. */
export type Change<I extends DescMessage, O extends DescMessage> = ReturnType<typeof useChange<I, O>>;
