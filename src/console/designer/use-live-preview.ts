import type { JsonObject } from "@bufbuild/protobuf";
import { callUnaryMethod, useTransport } from "@connectrpc/connect-query";
import { useCallback, useEffect, useRef, useState } from "react";
import {
  ConfigurationService,
  type PreviewCredentialResponse,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import type { PreviewRequest } from "../components/design-preview.js";

interface Shown {
  readonly options: JsonObject;
  readonly answer: PreviewCredentialResponse;
}

/**
 * Requests previews while a design changes. Sends one request at a time. Designs that are outdated when a request ends
 * are skipped.
 * @param request the request for the current options; undefined while no preview is needed, which also cancels a
 * running request
 */
export function useLivePreview(options: JsonObject, request: PreviewRequest | undefined) {
  const transport = useTransport();
  const [shown, setShown] = useState<Shown>();
  const [failure, setFailure] = useState<{ readonly error: unknown }>();
  const [answered, setAnswered] = useState<string>();
  const wanted = useRef<{ options: JsonObject; request: PreviewRequest; key: string }>(undefined);
  const requesting = useRef(false);
  const stop = useRef(new AbortController());
  const key = JSON.stringify(request);

  const end = useCallback(() => {
    wanted.current = undefined;
    stop.current.abort();
    stop.current = new AbortController();
  }, []);
  useEffect(() => end, [end]);

  async function requestPreview() {
    requesting.current = true;
    let next = wanted.current;
    while (next) {
      const { signal } = stop.current;
      try {
        const method = ConfigurationService.method.previewCredential;
        const answer = await callUnaryMethod(transport, method, next.request, { signal });
        if (!signal.aborted) {
          setShown({ options: next.options, answer });
          setFailure(undefined);
        }
      } catch (error) {
        if (!signal.aborted) setFailure({ error });
      }
      if (!signal.aborted) setAnswered(next.key);
      next = wanted.current?.key === next.key && !signal.aborted ? undefined : wanted.current;
    }
    requesting.current = false;
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says whether the request has changed
  useEffect(() => {
    if (!request) end();
    else {
      wanted.current = { options, request, key };
      if (!requesting.current && answered !== key) void requestPreview();
    }
  }, [key]);

  return { shown, error: failure?.error, isPending: request !== undefined && answered !== key };
}
