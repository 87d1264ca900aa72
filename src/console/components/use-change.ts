import type { DescMessage, DescMethodUnary, MessageShape } from "@bufbuild/protobuf";
import { type UseMutationOptions, useMutation } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { lastDone } from "../service/last-done.js";

/**
 * Returns a call that makes a change. After a successful call, all data on the page is requested again. If `setAction`
 * was called, the shell then shows a confirmation.
 * @param onDone called after a successful call
 */
export function useChange<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  onDone?: (answer: MessageShape<O>) => unknown,
  options?: UseMutationOptions<I, O>,
) {
  const client = useQueryClient();
  const action = useRef("");
  const setAction = useCallback((label: string) => {
    action.current = label;
  }, []);
  const mutation = useMutation(method, {
    ...options,
    async onSuccess(answer) {
      await client.invalidateQueries();
      await onDone?.(answer);
      // Without `onDone`, the component that made the change stays open and shows the outcome itself.
      if (onDone && action.current !== "") lastDone.set({ action: action.current });
    },
  });
  return { ...mutation, method, setAction };
}

export type Change<I extends DescMessage, O extends DescMessage> = Omit<
  ReturnType<typeof useChange<I, O>>,
  "setAction"
> & { readonly setAction?: (label: string) => void };
