import type { Cancellation } from "#foundation/concurrency/cancellation.js";
import { Problem } from "#foundation/errors.js";

/** Reason for ending watch streams at a normal shutdown. */
export const stopping = new Error("the service is stopping");

/** The watch streams that are open now. */
export interface OpenWatches {
  began(watch: Cancellation): void;
  ended(watch: Cancellation): void;
  /** Ends open streams, and any that open later. */
  endAll(): void;
}

export function createOpenWatches(): OpenWatches {
  const watches = new Set<Cancellation>();
  let isStopping = false;
  const stop = (watch: Cancellation) =>
    watch.cancel(new Problem("unavailable", "The service is stopping: call again.", { cause: stopping }));
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
