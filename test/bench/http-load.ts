import type { HttpJob, HttpRequest } from "./load/http.js";
import { runLoad } from "./program.js";
import type { Stage } from "./stage.js";

const CONNECTIONS = 50;

/** Deals the requests out to connections; gives what measures how many a second the server at a port answers. */
export function httpLoad(
  { isShort }: Stage,
  requests: readonly HttpRequest[],
): (port: number, statuses: readonly number[]) => Promise<number> {
  const dealt = Array.from({ length: CONNECTIONS }, (_, connection) =>
    requests.filter((_, index) => index % CONNECTIONS === connection),
  );
  const seconds = isShort ? 2 : 5;
  return (port, statuses) => {
    const job: HttpJob = { url: `http://127.0.0.1:${port}`, requests: dealt, seconds, statuses };
    return runLoad("http.ts", job);
  };
}
