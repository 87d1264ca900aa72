import { logVerbosity, setLogger, setLogVerbosity } from "@grpc/grpc-js";
import type { Logger } from "pino";
import { rarely } from "../../log/log.js";

/**
 * Tells in our log how often grpc-js complains, and not in which words: they repeat what a client sent, such as a token
 * with a letter outside ASCII. Left alone, it would write them to the console, 700 bytes for each that a client sends.
 */
export function takeOverGrpcLog(log: Logger): void {
  const complain = rarely((times) => log.warn({ times }, "grpc-js complained"));
  setLogVerbosity(logVerbosity.ERROR); // whatever GRPC_VERBOSITY says
  setLogger({ error: complain });
}

/** Has grpc-js complain to nobody. */
export function silenceGrpcLog(): void {
  setLogger({ error: () => {} });
}
