import { AggregatorRegistry, Gauge, type MetricObject } from "prom-client";

interface ProcessMetrics {
  readonly name: string;
  /** The result of `Metrics.snapshot` in the process `name`. */
  readonly metrics: readonly object[];
}

/** A metric as prom-client returns it. The types of prom-client lack `values`. */
interface Measured {
  readonly values: readonly { readonly labels: object }[];
}

/**
 * Returns the metrics of several processes in the Prometheus text format. The label `process` distinguishes them.
 * Counters are not added up, because the sum would fall whenever a process restarts.
 */
export async function mergeMetrics(
  processes: readonly ProcessMetrics[],
  states: readonly { readonly name: string; readonly isReady: boolean; readonly restarts: number }[],
): Promise<string> {
  const labelled = processes.map(({ name, metrics }) =>
    (metrics as readonly (MetricObject & Measured)[]).map((metric) => ({
      ...metric,
      aggregator: "first" as const,
      values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process: name } })),
    })),
  );
  const registry = AggregatorRegistry.aggregate(labelled);
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `learning_credentials_${name}`, help, labelNames: ["process"], registers: [registry] });
  const ready = gauge("process_ready", "1 if the process is ready and not stopping.");
  const restarts = gauge(
    "process_restarts",
    "Number of times that the process was restarted after it ended unexpectedly.",
  );
  for (const state of states) {
    ready.set({ process: state.name }, state.isReady ? 1 : 0);
    restarts.set({ process: state.name }, state.restarts);
  }
  return registry.metrics();
}
