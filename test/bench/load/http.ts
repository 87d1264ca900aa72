import autocannon from "autocannon";
import { countUntil, type Until } from "./count.js";

/** The requests to repeat on the HTTP server, in one list per connection. */
export interface HttpJob {
  readonly url: string;
  readonly requests: readonly (readonly HttpRequest[])[];
  readonly until: Until;
  /** Expected statuses; any other status is a failure. */
  readonly statuses: readonly number[];
}

export interface HttpRequest {
  readonly path: string;
  readonly headers?: Record<string, string>;
}

process.once("message", ({ url, requests, until, statuses }: HttpJob) => {
  const counter = countUntil(until);
  let next = 0;
  const run = autocannon(
    {
      url,
      connections: requests.length,
      duration: 3600,
      setupClient: (client) => client.setRequests([...(requests[next++] ?? [])]),
    },
    () => process.exit(),
  );
  run.on("response", (_, status) => {
    if (!statuses.includes(status)) throw new Error(`answered with ${status}`);
    counter.count();
  });
  counter.done.then((rate) => process.send?.(rate));
});
