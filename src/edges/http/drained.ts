import type { Writable } from "node:stream";

/**
 * Resolves when the stream accepts more data, is closed, or the signal is aborted. The caller must check which of these
 * happened.
 */
export function untilDrained(stream: Writable, signal: AbortSignal): Promise<void> {
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
