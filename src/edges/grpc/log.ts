import { logVerbosity, setLogger, setLogVerbosity } from "@grpc/grpc-js";
import type { Logger } from "pino";
import { throttledLog } from "#foundation/log/log.js";

/**
 * Logs how often grpc-js complains, but not its words: they quote what a client sent, such as a token with a
 * non-ASCII letter. By default it writes them to the console, 700 bytes per complaint.
 */
export function takeOverGrpcLog(log: Logger): void {
  const complain = throttledLog((times) => log.warn({ times }, "grpc-js reported a problem"));
  setLogVerbosity(logVerbosity.ERROR); // whatever GRPC_VERBOSITY says
  setLogger({ error: complain });
}

/** Silences the log of grpc-js. */
export function silenceGrpcLog(): void {
  setLogger({ error: () => {} });
}
