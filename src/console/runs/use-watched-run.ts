import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useEffect, useState } from "react";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { type IssuanceRun, IssuanceRunState } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { isSignedOut } from "../service/connection.js";

const RETRY_MS = 2000;

interface WatchedRun {
  readonly run?: IssuanceRun;
  /** The error that ended watching permanently. */
  readonly error?: unknown;
  /** Whether the service is unreachable. Watching continues when it is reachable again. */
  readonly isInterrupted: boolean;
}

/**
 * Watches a run, but only while the tab is visible, because all tabs of a browser share six connections to the service.
 * @param round a new value starts watching again, after a finished run was restarted
 */
export function useWatchedRun(id: string, round: number): WatchedRun {
  const transport = useTransport();
  const [watched, setWatched] = useState<WatchedRun>({ isInterrupted: false });

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round watches again
  useEffect(() => {
    const client = createClient(CredentialService, transport);
    let stop = new AbortController();
    let hasEnded = false;

    async function watch(signal: AbortSignal) {
      while (!signal.aborted && !hasEnded) {
        try {
          for await (const run of client.watchIssuanceRun({ id }, { signal, timeoutMs: 0 })) {
            if (signal.aborted) return;
            hasEnded = run.state !== IssuanceRunState.RUNNING;
            setWatched({ run, isInterrupted: false });
          }
        } catch (error) {
          if (signal.aborted) return;
          if (isFinal(error)) return setWatched({ error, isInterrupted: false });
          setWatched(({ run }) => ({ ...(run && { run }), isInterrupted: true }));
          await untilSignedIn(signal);
        }
        if (!hasEnded) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    function followWhileShown() {
      stop.abort();
      if (document.hidden) return;
      stop = new AbortController();
      void watch(stop.signal);
    }

    followWhileShown();
    document.addEventListener("visibilitychange", followWhileShown);
    return () => {
      stop.abort();
      document.removeEventListener("visibilitychange", followWhileShown);
    };
  }, [id, transport, round]);

  return watched;
}

function isFinal(error: unknown): boolean {
  const { code } = ConnectError.from(error);
  return [Code.NotFound, Code.PermissionDenied, Code.InvalidArgument].includes(code);
}

/** Waits for the user to sign in, because calls before that would be rejected. */
async function untilSignedIn(signal: AbortSignal): Promise<void> {
  while (isSignedOut.get() && !signal.aborted) {
    await new Promise<void>((resolve) => {
      const stop = isSignedOut.subscribe(done);
      signal.addEventListener("abort", done);
      function done() {
        stop();
        signal.removeEventListener("abort", done);
        resolve();
      }
    });
  }
}
