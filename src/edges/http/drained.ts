import type { Writable } from "node:stream";

/**
 * Resolves when the stream accepts more data. Also resolves when it is closed, or the signal aborts: the
 * caller has to look which it was.
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
