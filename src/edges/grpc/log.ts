import { logVerbosity, setLogger, setLogVerbosity } from "@grpc/grpc-js";
import type { Logger } from "pino";
import { throttledLog } from "#foundation/log/log.js";

/** Logs how many problems grpc-js reports. Omits the text of the problems, which may contain a client's token. */
export function takeOverGrpcLog(log: Logger): void {
  const complain = throttledLog((times) => log.warn({ times }, "grpc-js reported a problem"));
  setLogVerbosity(logVerbosity.ERROR); // overrides GRPC_VERBOSITY
  setLogger({ error: complain });
}

export function silenceGrpcLog(): void {
  setLogger({ error: () => {} });
}
