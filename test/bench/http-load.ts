import type { HttpJob, HttpRequest } from "./load/http.js";
import { type Listening, runLoad } from "./program.js";
import { rateUnderLoad } from "./rate.js";
import type { Stage } from "./stage.js";

/** As many browsers keep open. With few, a server that asks a database waits for it longer than it works. */
const CONNECTIONS = 200;

/** Asks a server on connections to which the requests are dealt out. */
export interface HttpLoad {
  /** @returns the rate at which it answers */
  rate(server: Listening, statuses: readonly number[]): Promise<number>;
  /** Asks until there are so many answers. */
  ask(port: number, statuses: readonly number[], answers: number): Promise<void>;
}

/** @param stage whose database the servers use */
export function httpLoad(stage: Stage, requests: readonly HttpRequest[]): HttpLoad {
  const dealt = Array.from({ length: CONNECTIONS }, (_, connection) =>
    requests.filter((_, index) => index % CONNECTIONS === connection),
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
    async ask(port, statuses, answers) {
      await run(port, statuses, { answers });
    },
  };
}
