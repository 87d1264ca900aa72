import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Database } from "../db/database.js";
import { measureQueue } from "../jobs/queue-health.js";
import { countEndpoints, measureEndpoints } from "../webhooks/endpoint-store.js";
import { countExpiring } from "./expiring-credentials.js";

/** The process's metrics, for Prometheus. */
export interface Metrics {
  /** Counts a finished call with its gRPC code. */
  call(method: string, code: string, seconds: number): void;
  /** Counts a finished run of a job. */
  job(task: string, outcome: "done" | "failed" | "postponed", seconds: number): void;
  /** Records whether jobs wait for something that they need. */
  outage(of: string, isOut: boolean): void;
  /** Counts a document that was rendered, or failed to be. */
  document(outcome: "made" | "failed", seconds: number): void;
  mail(outcome: "sent" | "refused" | "failed"): void;
  readonly connectors: ConnectorMetrics;
  readonly replica: ReplicaMetrics;
  readonly seals: SealMetrics;
  /** Measures the log of events whenever metrics are read. */
  watchLog(measure: () => Promise<LogState>): void;
  storeCall(operation: string, outcome: "done" | "failed", seconds: number): void;
  /** Counts a request to the endpoint of a webhook. */
  webhook(outcome: "delivered" | "failed" | "rejected" | "skipped", seconds: number): void;
  /** Returns all metrics in the Prometheus text format. */
  text(): Promise<string>;
  /** Returns all metrics as the library's objects, so that those of several processes can be merged. */
  snapshot(): Promise<readonly object[]>;
  readonly contentType: string;
}

/** What is told of the log of events. */
export interface LogState {
  /** Events that are in no checkpoint. */
  readonly unpublished: number;
  /** When the last checkpoint that has a timestamp was stamped, in seconds; null: none has. */
  readonly stampedAt: number | null;
}

/** What is told of sealing PDFs. */
export interface SealMetrics {
  /** Counts a request to a timestamp authority. */
  timestamp(outcome: "given" | "failed"): void;
  /** Tells when the certificates of seals end; the service itself is the organisation without a name. */
  watchEnds(ends: readonly { readonly organisation: string; readonly at: Date }[]): void;
}

/** What is told of the database's replica. */
export interface ReplicaMetrics {
  /** Counts an answer to questions that the replica may answer. */
  answer(from: "replica" | "primary"): void;
  /** Measures by how many seconds it is behind at most, whenever metrics are read. */
  watchStaleness(measure: () => number | undefined): void;
}

/** What is told of reading platforms. */
export interface ConnectorMetrics {
  request(connector: string, endpoint: string, code: string, seconds: number): void;
  throttled(connector: string, seconds: number): void;
  /** Counts records by what was done with them: read, written, withdrawn, rejected, erased. */
  records(connector: string, kind: string, outcome: string, count: number): void;
  /** @param held withdrawals that wait for somebody to accept them */
  sweep(connector: string, state: string, held: number): void;
  /** Counts a message of an event bus. */
  event(connector: string, outcome: string): void;
  /** Measures waiting hints whenever metrics are read. */
  watchHints(measure: () => Promise<readonly HintDelay[]>): void;
  /** Measures, whenever metrics are read, for how many seconds platforms are still left alone. */
  watchPauses(
    measure: () => Promise<readonly { readonly connector: string; readonly seconds: number }[]>,
  ): void;
}

/** Hints of one connector that wait. */
export interface HintDelay {
  readonly connector: string;
  readonly hints: number;
  /** Seconds that the oldest one is overdue. */
  readonly overdue: number;
}

const PREFIX = "learning_credentials_";
const CALL_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];
const WORK_BUCKETS_S = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];

/** @param options.ofDatabase whether it also measures the queue, webhooks and credentials, which all processes share */
export function createMetrics(database: Database, { ofDatabase = true } = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const histogram = <L extends string>(name: string, help: string, labelNames: L[], buckets: number[]) =>
    observerOf(new Histogram({ name: `${PREFIX}${name}`, help, labelNames, buckets, registers }));
  const call = histogram(
    "call_seconds",
    "Duration of calls, by method and gRPC code.",
    ["method", "code"],
    CALL_BUCKETS_S,
  );
  const job = histogram("job_seconds", "Duration of job runs.", ["task", "outcome"], WORK_BUCKETS_S);
  const document = histogram(
    "document_seconds",
    "Duration of rendering documents.",
    ["outcome"],
    WORK_BUCKETS_S,
  );
  const store = histogram(
    "store_seconds",
    "Duration of file store calls.",
    ["operation", "outcome"],
    WORK_BUCKETS_S,
  );
  const webhook = histogram(
    "webhook_seconds",
    "Duration of requests to webhook endpoints.",
    ["outcome"],
    WORK_BUCKETS_S,
  );
  const mails = new Counter({
    name: `${PREFIX}mails_total`,
    help: "Mails, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const outages = new Gauge({
    name: `${PREFIX}jobs_wait`,
    help: "1 while jobs wait for a dependency that does not work.",
    labelNames: ["for"],
    registers,
  });
  registerPool(database, registers);
  if (ofDatabase) {
    registerQueue(database, registers);
    registerWebhooks(database, registers);
    registerExpiring(database, registers);
  }

  return {
    connectors: connectorMetrics(registers, ofDatabase),
    replica: replicaMetrics(registers),
    seals: sealMetrics(registers),
    watchLog: (measure) => ofDatabase && registerLog(measure, registers),
    call: (method, code, seconds) => call(seconds, method, code),
    job: (task, outcome, seconds) => job(seconds, task, outcome),
    outage: (of, isOut) => outages.set({ for: of }, isOut ? 1 : 0),
    document: (outcome, seconds) => document(seconds, outcome),
    mail: (outcome) => mails.inc({ outcome }),
    storeCall: (operation, outcome, seconds) => store(seconds, operation, outcome),
    webhook: (outcome, seconds) => webhook(seconds, outcome),
    text: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
    contentType: registry.contentType,
  };
}

function replicaMetrics(registers: Registry[]): ReplicaMetrics {
  let answers: Counter<"from"> | undefined;
  return {
    answer: (from) => answers?.inc({ from }),
    watchStaleness(measure) {
      answers = new Counter({
        name: `${PREFIX}replica_answers_total`,
        help: "Batches of verifications, by the server that answered: the replica, or the primary in its place.",
        labelNames: ["from"],
        registers,
      });
      for (const from of ["replica", "primary"]) answers.inc({ from }, 0);
      new Gauge({
        name: `${PREFIX}replica_staleness_seconds`,
        help: "Seconds by which the replica is behind at most.",
        registers,
        collect() {
          const seconds = measure();
          if (seconds !== undefined) this.set(seconds);
        },
      });
    },
  };
}

function sealMetrics(registers: Registry[]): SealMetrics {
  let timestamps: Counter<"outcome"> | undefined;
  return {
    timestamp(outcome) {
      timestamps ??= new Counter({
        name: `${PREFIX}timestamps_total`,
        help: "Requests to timestamp authorities, by outcome.",
        labelNames: ["outcome"],
        registers,
      });
      timestamps.inc({ outcome });
    },
    watchEnds(ends) {
      const gauge = new Gauge({
        name: `${PREFIX}seal_certificate_end_timestamp_seconds`,
        help: "When the certificates of PDF seals end, by organisation; the service's own has none.",
        labelNames: ["organisation"],
        registers,
      });
      for (const { organisation, at } of ends) gauge.set({ organisation }, at.getTime() / 1000);
    },
  };
}

function connectorMetrics(registers: Registry[], ofDatabase: boolean): ConnectorMetrics {
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name: `${PREFIX}connector_${name}`, help, labelNames, registers });
  const requests = new Histogram({
    name: `${PREFIX}connector_request_seconds`,
    help: "Duration of requests to platforms, by endpoint and status.",
    labelNames: ["connector", "endpoint", "code"],
    buckets: WORK_BUCKETS_S,
    registers,
  });
  const throttled = counter("throttled_seconds_total", "Seconds that platforms asked us to wait.", [
    "connector",
  ]);
  const records = counter("records_total", "Records of platforms, by what was done with them.", [
    "connector",
    "kind",
    "outcome",
  ]);
  const sweeps = counter("sweeps_total", "Sweeps that have ended, by how.", ["connector", "state"]);
  const lastComplete = new Gauge({
    name: `${PREFIX}connector_last_complete_sweep_timestamp_seconds`,
    help: "When this process last ended a complete sweep.",
    labelNames: ["connector"],
    registers,
  });
  const held = new Gauge({
    name: `${PREFIX}connector_withdrawals_held`,
    help: "Enrolments that the last sweep of this process would have withdrawn, but that are too many.",
    labelNames: ["connector"],
    registers,
  });
  const events = counter("events_total", "Messages of event buses, by outcome.", ["connector", "outcome"]);
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
      const look = sharedRead(measure);
      measuredGauge(
        "connector_hints",
        "Hints that wait to be followed.",
        ["connector"],
        registers,
        async () => (await look()).map(({ connector, hints }) => [{ connector }, hints]),
      );
      const help = "Seconds that the oldest hint is overdue.";
      measuredGauge("connector_hints_overdue_seconds", help, ["connector"], registers, async () =>
        (await look()).map(({ connector, overdue }) => [{ connector }, overdue]),
      );
    },
    watchPauses(measure) {
      if (!ofDatabase) return;
      const help = "Seconds for which a platform is still left alone, because reading it has failed.";
      measuredGauge("connector_pause_seconds", help, ["connector"], registers, async () =>
        (await measure()).map(({ connector, seconds }) => [{ connector }, seconds]),
      );
    },
  };
}

/** A value, and the labels it has. */
type Measured<L extends string> = readonly [labels: Readonly<Record<L, string>>, value: number];

/** Has the values that are read whenever metrics are. While that fails, only this metric is missing. */
function measuredGauge<L extends string>(
  name: string,
  help: string,
  labelNames: L[],
  registers: Registry[],
  read: () => Promise<readonly Measured<L>[]>,
): void {
  new Gauge({
    name: `${PREFIX}${name}`,
    help,
    labelNames,
    registers,
    async collect() {
      const values = await read().catch(() => []);
      this.reset();
      for (const [labels, value] of values) this.set(labels, value);
    },
  });
}

/** Gauges that are collected at the same moment share one read. */
function sharedRead<T>(read: () => Promise<readonly T[]>): () => Promise<readonly T[]> {
  let reading: Promise<readonly T[]> | undefined;
  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

/** Finding a series by its labels costs more than counting, so each is looked up once. */
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

function registerPool({ knex }: Database, registers: Registry[]): void {
  const { pool } = knex.client;
  new Gauge({
    name: `${PREFIX}database_connections`,
    help: "Database connections of the pool, and callers that wait for one.",
    labelNames: ["state"],
    registers,
    collect() {
      this.set({ state: "used" }, pool.numUsed());
      this.set({ state: "idle" }, pool.numFree());
      this.set({ state: "awaited" }, pool.numPendingAcquires());
    },
  });
}

function registerQueue({ knex }: Database, registers: Registry[]): void {
  const look = sharedRead(() => measureQueue(knex));
  const jobs = "Jobs in the queue: ready to run, running, or waiting for a retry.";
  measuredGauge("queue_jobs", jobs, ["task", "state"], registers, async () =>
    (await look()).map(({ task, state, jobs }) => [{ task, state }, jobs]),
  );
  const age = "Seconds that the oldest ready job has waited.";
  measuredGauge("queue_age_seconds", age, ["task"], registers, async () =>
    (await look()).filter(({ state }) => state === "ready").map(({ task, age }) => [{ task }, age]),
  );
}

function registerExpiring({ knex }: Database, registers: Registry[]): void {
  const help = "Credentials without a successor that expire within so many days; counting stops at 10,000.";
  measuredGauge("credentials_expiring", help, ["days"], registers, async () =>
    (await countExpiring(knex)).map(({ days, count }) => [{ days: String(days) }, count]),
  );
}

function registerLog(measure: () => Promise<LogState>, registers: Registry[]): void {
  const look = sharedRead(async () => [await measure()]);
  const news = "Events that are in no checkpoint of the log yet.";
  measuredGauge("log_unpublished_events", news, [], registers, async () =>
    (await look()).map(({ unpublished }) => [{}, unpublished]),
  );
  const stamped = "When the last checkpoint with a timestamp was stamped; 0: none was.";
  measuredGauge("log_stamped_timestamp_seconds", stamped, [], registers, async () =>
    (await look()).map(({ stampedAt }) => [{}, stampedAt ?? 0]),
  );
}

function registerWebhooks({ knex }: Database, registers: Registry[]): void {
  measuredGauge("webhook_endpoints", "Webhook endpoints, by state.", ["state"], registers, async () =>
    (await countEndpoints(knex)).map(({ state, endpoints }) => [{ state }, endpoints]),
  );
  const look = sharedRead(() => measureEndpoints(knex));
  const lag = "Events that wait for a webhook endpoint, those of other types included.";
  measuredGauge("webhook_lag_positions", lag, ["endpoint"], registers, async () =>
    (await look()).map(({ id, lag }) => [{ endpoint: id }, lag]),
  );
  const age = "Age of the oldest event that waits for a webhook endpoint.";
  measuredGauge("webhook_lag_seconds", age, ["endpoint"], registers, async () =>
    (await look()).map(({ id, seconds }) => [{ endpoint: id }, seconds]),
  );
}
