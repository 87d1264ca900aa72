import type { Metrics } from "./metrics.js";

/** Records nothing; for processes without an admin port. */
export const noopMetrics: Metrics = {
  call() {},
  job() {},
  outage() {},
  document() {},
  email() {},
  storeCall() {},
  webhook() {},
  connectors: {
    request() {},
    throttled() {},
    records() {},
    sweep() {},
    event() {},
    watchHints() {},
    watchPauses() {},
  },
  seals: { timestamp() {}, watchEnds() {} },
  watchLog() {},
  text: async () => "",
  snapshot: async () => [],
  contentType: "text/plain",
};
