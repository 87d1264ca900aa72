import { logVerbosity, setLogger, setLogVerbosity } from "@grpc/grpc-js";
import type { Logger } from "pino";
import { throttledLog } from "#foundation/log/log.js";

/**
 * Logs how many problems grpc-js reports, but not their text, which quotes what a client sent, for example a token with
 * a non-ASCII letter. By default grpc-js writes them to the console, 700 bytes each.
 */
export function takeOverGrpcLog(log: Logger): void {
  const complain = throttledLog((times) => log.warn({ times }, "grpc-js reported a problem"));
  setLogVerbosity(logVerbosity.ERROR); // Overrides GRPC_VERBOSITY.
  setLogger({ error: complain });
}

/** Silences the log of grpc-js. */
export function silenceGrpcLog(): void {
  setLogger({ error: () => {} });
}
