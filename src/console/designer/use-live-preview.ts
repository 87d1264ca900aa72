import type { JsonObject } from "@bufbuild/protobuf";
import { callUnaryMethod, useTransport } from "@connectrpc/connect-query";
import { useEffect, useRef, useState } from "react";
import {
  ConfigurationService,
  type PreviewCredentialResponse,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import type { PreviewRequest } from "../components/design-preview.js";

/**
 * Asks for previews as a design changes. One request is in progress at a time; then the latest design is requested, and
 * what came between is left out.
 * @param request of the options; undefined as long as nothing is wanted
 */
export function useLivePreview(options: JsonObject, request: PreviewRequest | undefined) {
  const transport = useTransport();
  // What a design makes, and which design that is.
  const [shown, setShown] = useState<{ options: JsonObject; answer: PreviewCredentialResponse }>();
  const [error, setError] = useState<unknown>();
  const wanted = useRef<{ options: JsonObject; request: PreviewRequest; key: string }>(undefined);
  const asking = useRef(false);
  const stop = useRef<AbortController>(undefined);
  const key = JSON.stringify(request);

  useEffect(() => {
    const control = new AbortController();
    stop.current = control;
    return () => control.abort();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says whether the request is another one
  useEffect(() => {
    if (!request) return;
    wanted.current = { options, request, key };
    if (asking.current) return;
    async function ask() {
      asking.current = true;
      for (
        let next = wanted.current;
        next;
        next = wanted.current?.key === next.key ? undefined : wanted.current
      ) {
        const signal = stop.current?.signal;
        try {
          const method = ConfigurationService.method.previewCredential;
          const answer = await callUnaryMethod(transport, method, next.request, signal && { signal });
          if (signal?.aborted) break;
          setShown({ options: next.options, answer });
          setError(undefined);
        } catch (thrown) {
          if (signal?.aborted) break;
          setError(thrown);
        }
      }
      asking.current = false;
    }
    void ask();
  }, [key]);

  return { shown, error };
}
