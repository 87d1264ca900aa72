import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { ConnectorMetrics } from "#domain/connectors/connector-metrics.js";
import { countEndpoints, measureEndpoints } from "#domain/webhooks/endpoint-store.js";
import type { Database } from "#infrastructure/db/database.js";
import { measureQueue } from "#infrastructure/jobs/queue-health.js";
import { countExpiring } from "./expiring-credentials.js";

/** The metrics of this process, for Prometheus. */
export interface Metrics {
  /** Counts a finished call with its gRPC code. */
  call(method: string, code: string, seconds: number): void;
  /** Counts a finished run of a job. */
  job(task: string, outcome: "done" | "failed" | "postponed", seconds: number): void;
  /** Records whether jobs are waiting for an unavailable dependency. */
  outage(of: string, isOut: boolean): void;
  document(outcome: "made" | "failed", seconds: number): void;
  email(outcome: "sent" | "refused" | "failed"): void;
  readonly connectors: ConnectorMetrics;
  readonly seals: SealMetrics;
  /** Registers a function that measures the event log. It is called whenever metrics are read. */
  watchLog(measure: () => Promise<LogState>): void;
  storeCall(operation: string, outcome: "done" | "failed", seconds: number): void;
  webhook(outcome: "delivered" | "failed" | "rejected" | "skipped", seconds: number): void;
  /** Returns all metrics in the Prometheus text format. */
  text(): Promise<string>;
  /** Returns all metrics as prom-client objects, for `mergeMetrics`. */
  snapshot(): Promise<readonly object[]>;
  readonly contentType: string;
}

interface LogState {
  /** Number of events that no checkpoint contains yet. */
  readonly unpublished: number;
  /** Time of the latest timestamp on a checkpoint, in seconds; null if there is none. */
  readonly stampedAt: number | null;
}

interface SealMetrics {
  /** Counts a request to a timestamp authority. */
  timestamp(outcome: "given" | "failed"): void;
  /** Sets the expiry times of the seals' certificates. An empty organisation stands for the service itself. */
  watchEnds(ends: readonly { readonly organisation: string; readonly at: Date }[]): void;
}

const PREFIX = "learning_credentials_";
const CALL_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];
const WORK_BUCKETS_S = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];

/** @param options.ofDatabase true to also measure the queue, webhooks and credentials, which all processes share */
export function createMetrics(database: Database, { ofDatabase = true } = {}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const meters = metersIn(registry);
  const histogram = <L extends string>(name: string, help: string, buckets: number[], ...labels: L[]) =>
    observerOf(meters.histogram(name, help, buckets, ...labels));
  const calls = "Duration of calls, by method and gRPC code.";
  const call = histogram("call_seconds", calls, CALL_BUCKETS_S, "method", "code");
  const job = histogram("job_seconds", "Duration of job runs.", WORK_BUCKETS_S, "task", "outcome");
  const document = histogram(
    "document_seconds",
    "Duration of rendering documents.",
    WORK_BUCKETS_S,
    "outcome",
  );
  const stores = "Duration of file store calls.";
  const store = histogram("store_seconds", stores, WORK_BUCKETS_S, "operation", "outcome");
  const posts = "Duration of requests to webhook endpoints.";
  const webhook = histogram("webhook_seconds", posts, WORK_BUCKETS_S, "outcome");
  const emails = meters.counter("mails_total", "Emails, by outcome.", "outcome");
  const outages = meters.gauge("jobs_wait", "1 while jobs wait for a dependency that does not work.", [
    "for",
  ]);
  registerPool(database, meters);
  if (ofDatabase) {
    registerQueue(database, meters);
    registerWebhooks(database, meters);
    registerExpiring(database, meters);
  }

  return {
    connectors: connectorMetrics(meters, ofDatabase),
    seals: sealMetrics(meters),
    watchLog: (measure) => ofDatabase && registerLog(measure, meters),
    call: (method, code, seconds) => call(seconds, method, code),
    job: (task, outcome, seconds) => job(seconds, task, outcome),
    outage: (of, isOut) => outages.set({ for: of }, isOut ? 1 : 0),
    document: (outcome, seconds) => document(seconds, outcome),
    email: (outcome) => emails.inc({ outcome }),
    storeCall: (operation, outcome, seconds) => store(seconds, operation, outcome),
    webhook: (outcome, seconds) => webhook(seconds, outcome),
    text: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
    contentType: registry.contentType,
  };
}

/** Creates metrics with the service's prefix in their names. */
function metersIn(registry: Registry) {
  const of = <L extends string>(name: string, help: string, labelNames: L[]) => ({
    name: `${PREFIX}${name}`,
    help,
    labelNames,
    registers: [registry],
  });
  return {
    counter: <L extends string>(name: string, help: string, ...labels: L[]) =>
      new Counter(of(name, help, labels)),
    /** @param collect sets the values; called whenever metrics are read */
    gauge: <L extends string>(
      name: string,
      help: string,
      labels: L[] = [],
      collect?: (this: Gauge<L>) => void | Promise<void>,
    ) => new Gauge({ ...of(name, help, labels), ...(collect && { collect }) }),
    histogram: <L extends string>(name: string, help: string, buckets: number[], ...labels: L[]) =>
      new Histogram({ ...of(name, help, labels), buckets }),
  };
}

type Meters = ReturnType<typeof metersIn>;

function sealMetrics(meters: Meters): SealMetrics {
  let timestamps: Counter<"outcome"> | undefined;
  return {
    timestamp(outcome) {
      timestamps ??= meters.counter(
        "timestamps_total",
        "Requests to timestamp authorities, by outcome.",
        "outcome",
      );
      timestamps.inc({ outcome });
    },
    watchEnds(ends) {
      const help =
        "When the certificates of PDF seals expire, by organisation; that of the service itself has no organisation.";
      const gauge = meters.gauge("seal_certificate_end_timestamp_seconds", help, ["organisation"]);
      for (const { organisation, at } of ends) gauge.set({ organisation }, at.getTime() / 1000);
    },
  };
}

function connectorMetrics(meters: Meters, ofDatabase: boolean): ConnectorMetrics {
  const counter = <L extends string>(name: string, help: string, ...labels: L[]) =>
    meters.counter<L | "connector">(`connector_${name}`, help, "connector", ...labels);
  const requests = meters.histogram(
    "connector_request_seconds",
    "Duration of requests to platforms, by endpoint and status.",
    WORK_BUCKETS_S,
    "connector",
    "endpoint",
    "code",
  );
  const throttled = counter(
    "throttled_seconds_total",
    "Seconds that platforms required the service to wait.",
  );
  const taken = "Records of platforms, by result.";
  const records = counter("records_total", taken, "kind", "outcome");
  const sweeps = counter("sweeps_total", "Syncs that ended, by result.", "state");
  const ended = "When this process last completed a sync.";
  const lastComplete = meters.gauge("connector_last_complete_sweep_timestamp_seconds", ended, ["connector"]);
  const tooMany =
    "Enrolments that the last sync of this process did not withdraw because there were too many.";
  const held = meters.gauge("connector_withdrawals_held", tooMany, ["connector"]);
  const events = counter("events_total", "Messages of event buses, by outcome.", "outcome");
  return {
    request: (connector, endpoint, code, seconds) => requests.observe({ connector, endpoint, code }, seconds),
    throttled: (connector, seconds) => throttled.inc({ connector }, seconds),
    records: (connector, kind, outcome, count) => records.inc({ connector, kind, outcome }, count),
    sweep(connector, state, count) {
      sweeps.inc({ connector, state });
      held.set({ connector }, count);
      if (state === "complete") lastComplete.setToCurrentTime({ connector });
    },
    event: (connector, outcome) => events.inc({ connector, outcome }),
    watchHints(measure) {
      if (!ofDatabase) return;
      const read = sharedRead(measure);
      measuredGauge(
        meters,
        "connector_hints",
        "Pending reads of single learners. After each event, a learner is read twice.",
        ["connector"],
        async () => (await read()).map(({ connector, hints }) => [{ connector }, hints]),
      );
      const help = "Seconds by which the oldest pending read is overdue.";
      measuredGauge(meters, "connector_hints_overdue_seconds", help, ["connector"], async () =>
        (await read()).map(({ connector, overdue }) => [{ connector }, overdue]),
      );
    },
    watchPauses(measure) {
      if (!ofDatabase) return;
      const help = "Seconds until a platform is read again after failures.";
      measuredGauge(meters, "connector_pause_seconds", help, ["connector"], async () =>
        (await measure()).map(({ connector, seconds }) => [{ connector }, seconds]),
      );
    },
  };
}

type Measured<L extends string> = readonly [labels: Readonly<Record<L, string>>, value: number];

/** Creates a gauge that is measured whenever metrics are read. If measuring fails, only this gauge is missing. */
function measuredGauge<L extends string>(
  meters: Meters,
  name: string,
  help: string,
  labels: L[],
  read: () => Promise<readonly Measured<L>[]>,
): void {
  meters.gauge(name, help, labels, async function () {
    const values = await read().catch(() => []);
    this.reset();
    for (const [labels, value] of values) this.set(labels, value);
  });
}

/** Shares one read among gauges that are collected at the same time. */
function sharedRead<T>(read: () => Promise<readonly T[]>): () => Promise<readonly T[]> {
  let reading: Promise<readonly T[]> | undefined;
  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

/** Caches each series, because finding it by its labels takes longer than counting. */
function observerOf(histogram: Histogram): (seconds: number, ...labels: string[]) => void {
  const series = new Map<string, { observe(value: number): void }>();
  return (seconds, ...labels) => {
    const key = labels.join(" ");
    let one = series.get(key);
    if (!one) {
      one = histogram.labels(...labels);
      series.set(key, one);
    }
    one.observe(seconds);
  };
}

function registerPool({ knex }: Database, meters: Meters): void {
  const { pool } = knex.client;
  const help = "Database connections of the pool, and callers that wait for one.";
  meters.gauge("database_connections", help, ["state"], function () {
    this.set({ state: "used" }, pool.numUsed());
    this.set({ state: "idle" }, pool.numFree());
    this.set({ state: "awaited" }, pool.numPendingAcquires());
  });
}

function registerQueue({ knex }: Database, meters: Meters): void {
  const read = sharedRead(() => measureQueue(knex));
  const jobs = "Jobs in the queue: ready to run, running, or waiting for a retry.";
  measuredGauge(meters, "queue_jobs", jobs, ["task", "state"], async () =>
    (await read()).map(({ task, state, jobs }) => [{ task, state }, jobs]),
  );
  const age = "Seconds that the oldest ready job has waited.";
  measuredGauge(meters, "queue_age_seconds", age, ["task"], async () =>
    (await read()).filter(({ state }) => state === "ready").map(({ task, age }) => [{ task }, age]),
  );
}

function registerExpiring({ knex }: Database, meters: Meters): void {
  const help = "Credentials without a successor that expire within so many days; counting stops at 10,000.";
  measuredGauge(meters, "credentials_expiring", help, ["days"], async () =>
    (await countExpiring(knex)).map(({ days, count }) => [{ days: String(days) }, count]),
  );
}

function registerLog(measure: () => Promise<LogState>, meters: Meters): void {
  const read = sharedRead(async () => [await measure()]);
  const news = "Events that are not in a checkpoint of the log yet.";
  measuredGauge(meters, "log_unpublished_events", news, [], async () =>
    (await read()).map(({ unpublished }) => [{}, unpublished]),
  );
  const stamped = "When the last checkpoint with a timestamp was stamped; 0: none was.";
  measuredGauge(meters, "log_stamped_timestamp_seconds", stamped, [], async () =>
    (await read()).map(({ stampedAt }) => [{}, stampedAt ?? 0]),
  );
}

function registerWebhooks({ knex }: Database, meters: Meters): void {
  measuredGauge(meters, "webhook_endpoints", "Webhook endpoints, by state.", ["state"], async () =>
    (await countEndpoints(knex)).map(({ state, endpoints }) => [{ state }, endpoints]),
  );
  const read = sharedRead(() => measureEndpoints(knex));
  const lag = "Events that wait for a webhook endpoint, including types that it doesn't receive.";
  measuredGauge(meters, "webhook_lag_positions", lag, ["endpoint"], async () =>
    (await read()).map(({ id, lag }) => [{ endpoint: id }, lag]),
  );
  const age = "Age of the oldest event that waits for a webhook endpoint.";
  measuredGauge(meters, "webhook_lag_seconds", age, ["endpoint"], async () =>
    (await read()).map(({ id, seconds }) => [{ endpoint: id }, seconds]),
  );
}
