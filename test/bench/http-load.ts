import type { HttpJob, HttpRequest } from "./load/http.js";
import { type Listening, runLoad } from "./program.js";
import { rateUnderLoad } from "./rate.js";
import type { Stage } from "./stage.js";

/**
 * As many connections as many browsers keep open. With only a few, a server with a database waits more than it works.
 */
const CONNECTIONS = 200;

/** Calls a server. The requests are divided among the connections. */
export interface HttpLoad {
  /** @returns the number of responses a second */
  rate(server: Listening, statuses: readonly number[]): Promise<number>;
  /** Calls until there are this many responses. */
  request(port: number, statuses: readonly number[], answers: number): Promise<void>;
}

/** @param stage the stage with the servers' database */
export function httpLoad(stage: Stage, requests: readonly HttpRequest[]): HttpLoad {
  const connections = Math.min(CONNECTIONS, requests.length);
  const dealt = Array.from({ length: connections }, (_, connection) =>
    requests.filter((_, index) => index % connections === connection),
  );
  const run = (port: number, statuses: readonly number[], until: HttpJob["until"]) =>
    runLoad<number>("http.ts", {
      url: `http://127.0.0.1:${port}`,
      requests: dealt,
      statuses,
      until,
    } satisfies HttpJob);
  return {
    rate: ({ port, pid }, statuses) => rateUnderLoad(stage, pid, (until) => run(port, statuses, until)),
    async request(port, statuses, answers) {
      await run(port, statuses, { answers });
    },
  };
}
