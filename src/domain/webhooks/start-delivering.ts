import { performance } from "node:perf_hooks";
import { type Repetition, repeat } from "#foundation/concurrency/repeat.js";
import type { Knex } from "#infrastructure/db/query.js";
import { deliverRound } from "./deliver-round.js";
import { type DeliveryDeps, TIMINGS } from "./delivery-deps.js";
import { noSecret } from "./endpoint-secret.js";
import { countEndpoints, type LeasedEndpoint, leaseEndpoints } from "./endpoint-store.js";

/** Maximum number of endpoints to which one process delivers at the same time. */
const MAX_ROUNDS = 10;

/**
 * Delivers webhooks until it is stopped. Any number of processes may run this, because only one process at a time can
 * lease an endpoint. If there are no endpoints, each check is a single database query.
 */
export function startDelivering(deps: DeliveryDeps): Pick<Repetition, "stop"> {
  const { database, log } = deps;
  const { leaseMs, pollMs } = { ...TIMINGS, ...deps.timings };
  const rounds = new Set<Promise<void>>();

  async function deliver(endpoint: LeasedEndpoint, leasedAt: number, stopping: AbortSignal): Promise<void> {
    try {
      await deliverRound(deps, endpoint, leasedAt, stopping);
    } catch (err) {
      // The endpoint's lease expires. The next round repeats events whose result could not be stored.
      log.error({ err, endpoint: endpoint.id }, "webhook delivery failed; retrying");
    }
  }

  const repetition = repeat({
    name: "delivering webhooks",
    pauseMs: pollMs,
    log,
    async work(stopping) {
      if (deps.serviceSecrets.length === 0) return refuseUnsigned(database.knex);
      const free = MAX_ROUNDS - rounds.size;
      if (free === 0) return;
      const leasedAt = performance.now();
      for (const endpoint of await leaseEndpoints(database.knex, free, leaseMs)) {
        const round = deliver(endpoint, leasedAt, stopping).finally(() => rounds.delete(round));
        rounds.add(round);
      }
    },
  });
  return {
    async stop() {
      await repetition.stop();
      await Promise.all(rounds);
    },
  };
}

/** @throws Problem `failed-precondition` if an endpoint is enabled, but the service has no secret */
async function refuseUnsigned(db: Knex): Promise<void> {
  const counts = await countEndpoints(db);
  if (counts.some(({ state, endpoints }) => state === "enabled" && endpoints > 0)) throw noSecret();
}
