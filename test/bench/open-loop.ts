import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const REQUESTS_PER_SECOND = 200;
const SECONDS = 4;

/**
 * Sends requests of the metadata route at fixed times, even if responses are late.
 * @returns the 99th percentile of their delay in seconds
 */
export function requestInTime(port: number, uuids: readonly string[]): () => Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  let requested = 0;
  const request = (due: number) =>
    new Promise<number>((resolve, reject) => {
      const uuid = uuids[requested++ % uuids.length];
      get({ port, agent, path: `/api/learning_credentials/v1/metadata/${uuid}/` }, (response) => {
        response.resume().on("end", () => resolve((performance.now() - due) / 1000));
      }).on("error", reject);
    });
  return async () => {
    const started = performance.now();
    const answers: Promise<number>[] = [];
    for (let index = 0; index < REQUESTS_PER_SECOND * SECONDS; index++) {
      const due = started + (index * 1000) / REQUESTS_PER_SECOND;
      if (due > performance.now()) await sleep(due - performance.now());
      answers.push(request(due));
    }
    return percentile(await Promise.all(answers), 0.99);
  };
}

/** Returns the nearest-rank percentile. */
function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] as number;
}
