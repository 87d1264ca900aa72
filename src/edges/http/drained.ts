import type { Writable } from "node:stream";

/**
 * Resolves when the stream accepts more data, when it is closed, or when the signal aborts; the caller must check
 * which.
 */
export function drained(stream: Writable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || signal.aborted) return resolve();
    const done = () => {
      stream.off("drain", done);
      stream.off("close", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    stream.on("drain", done);
    stream.on("close", done);
    signal.addEventListener("abort", done);
  });
}
