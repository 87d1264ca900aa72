import type { Knex } from "knex";
import { pino } from "pino";
import type { DeliveryTimings } from "#domain/webhooks/delivery-deps.js";
import {
  createEndpoint,
  DEFAULT_WINDOW,
  type EndpointWithSecret,
} from "#domain/webhooks/manage-endpoints.js";
import { startDelivering } from "#domain/webhooks/start-delivering.js";
import type { EndpointSettings } from "#domain/webhooks/webhook-endpoint.js";
import { createAddressRule } from "#infrastructure/outbound/address-rule.js";
import { createResolveName } from "#infrastructure/outbound/resolve-name.js";
import { sealAll } from "../credentials/events/chain.js";
import type { TestDatabase } from "../support/database.js";
import type { Receiver } from "./receiver.js";

export const SERVICE_SECRET = "a secret of webhooks that only tests know";

const networks = ["127.0.0.0/8"];

export type LogLine = Readonly<Record<string, unknown>>;

/** The webhook modules with a database, without the other parts of the service. */
export function openSenders({ database }: Pick<TestDatabase, "database">) {
  const rule = createAddressRule(networks);
  const lines: LogLine[] = [];
  const sending = {
    database,
    serviceSecrets: [SERVICE_SECRET],
    publicUrl: "https://credentials.test",
    posting: { rule, resolveName: createResolveName() },
    tracer: undefined,
  };
  return {
    sending,
    /** The log lines of the senders. */
    lines,
    /** Creates an endpoint that receives the events after position `after`; by default, all of them. */
    create(url: string, settings: Partial<EndpointSettings> = {}, after = 0): Promise<EndpointWithSecret> {
      const all = {
        description: "",
        eventTypes: [],
        window: DEFAULT_WINDOW,
        batch: 1,
        skipRejectedAfter: null,
        contact: "",
        ...settings,
        url,
      };
      return createEndpoint({ ...sending, rule }, all, "lms", after, new AbortController().signal);
    },
    /** Starts a sender with short waits. */
    start(timings: Partial<DeliveryTimings> = {}) {
      return startDelivering({
        ...sending,
        onAttempt() {},
        log: pino({ level: "warn" }, { write: (line) => lines.push(JSON.parse(line)) }),
        timings: { pollMs: 20, waitMs: 50, afterFailureMs: 5, progressMs: 50, leaseMs: 5_000, ...timings },
      });
    },
  };
}

/**
 * Seals this many events for each credential, interleaved with the events of other credentials. `configuration_id`
 * numbers the events of a credential, so that a receiver can check their order.
 */
export async function sealNumbered(knex: Knex, credentials: number, each = 1, daysAgo = 0): Promise<void> {
  await knex.raw(
    `with credential as materialized (select gen_random_uuid() as uuid, id from generate_series(1, ?) as id)
     insert into unsealed_credential_events (type, credential_uuid, configuration_id, actor_id, status_after, occurred_at)
     select 'issued', uuid, number, (select credential_event_actor('registrar', 'user')), 'generating',
       now() - make_interval(days => ?)
     from credential, generate_series(1, ?) as number
     -- Credentials in groups of ten, so that many are under way at once.
     order by id / 10, number, id`,
    [credentials, daysAgo, each],
  );
  await sealAll(knex);
}

/** Returns the positions that were accepted, without duplicates, in ascending order. */
export function acceptedPositions({ received }: Receiver): number[] {
  const accepted = received.filter(({ status = 0 }) => status >= 200 && status < 300);
  const positions = accepted.flatMap(({ parsed }) => [parsed].flat().map(({ data }) => data.position));
  return [...new Set(positions)].sort((a, b) => a - b);
}

/** Returns the numbers of each credential's events, in the order in which they were first accepted. */
export function firstAcceptances({ received }: Receiver): number[][] {
  const seen = new Set<number>();
  const numbers = new Map<string, number[]>();
  for (const { parsed, status = 0 } of received) {
    if (status < 200 || status >= 300) continue;
    for (const { subject, data } of [parsed].flat()) {
      if (seen.has(data.position)) continue;
      seen.add(data.position);
      numbers.set(subject, [...(numbers.get(subject) ?? []), data.configuration_id as number]);
    }
  }
  return [...numbers.values()];
}

export const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
