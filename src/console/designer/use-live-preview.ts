import type { JsonObject } from "@bufbuild/protobuf";
import { callUnaryMethod, useTransport } from "@connectrpc/connect-query";
import { useCallback, useEffect, useRef, useState } from "react";
import {
  ConfigurationService,
  type PreviewCredentialResponse,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import type { PreviewRequest } from "../components/design-preview.js";

/** What a design makes, and which design that is. */
interface Shown {
  readonly options: JsonObject;
  readonly answer: PreviewCredentialResponse;
}

/**
 * Asks for previews as a design changes. One request is in progress at a time; then the latest design is requested, and
 * what came between is left out.
 * @param request of the options; undefined as long as nothing is wanted, which also ends the request that is under way
 */
export function useLivePreview(options: JsonObject, request: PreviewRequest | undefined) {
  const transport = useTransport();
  const [shown, setShown] = useState<Shown>();
  const [failure, setFailure] = useState<{ readonly error: unknown }>();
  const [answered, setAnswered] = useState<string>();
  const wanted = useRef<{ options: JsonObject; request: PreviewRequest; key: string }>(undefined);
  const asking = useRef(false);
  const stop = useRef(new AbortController());
  const key = JSON.stringify(request);

  const end = useCallback(() => {
    wanted.current = undefined;
    stop.current.abort();
    stop.current = new AbortController();
  }, []);
  useEffect(() => end, [end]);

  async function ask() {
    asking.current = true;
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
    asking.current = false;
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says whether the request is another one
  useEffect(() => {
    if (!request) end();
    else {
      wanted.current = { options, request, key };
      if (!asking.current && answered !== key) void ask();
    }
  }, [key]);

  return { shown, error: failure?.error, isPending: request !== undefined && answered !== key };
}
