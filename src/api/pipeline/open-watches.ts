import type { Cancellation } from "#foundation/concurrency/cancellation.js";
import { Problem } from "#foundation/errors.js";

/** Abort reason for watch streams when the service shuts down normally. */
export const stopping = new Error("the service is stopping");

export interface OpenWatches {
  began(watch: Cancellation): void;
  ended(watch: Cancellation): void;
  /** Ends all open streams, and any stream that is opened later. */
  endAll(): void;
}

export function createOpenWatches(): OpenWatches {
  const watches = new Set<Cancellation>();
  let isStopping = false;
  const stop = (watch: Cancellation) =>
    watch.cancel(new Problem("unavailable", "The service is stopping: try again.", { cause: stopping }));
  return {
    began(watch) {
      watches.add(watch);
      if (isStopping) stop(watch);
    },
    ended: (watch) => void watches.delete(watch),
    endAll() {
      isStopping = true;
      for (const watch of watches) stop(watch);
    },
  };
}
