import { DiagLogLevel, diag, type Tracer, trace } from "@opentelemetry/api";
import type { Logger } from "pino";
import { failedPrecondition } from "../errors.js";

export interface Tracing {
  readonly tracer: Tracer;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

const NAME = "learning-credentials";

/**
 * Sends spans with OTLP over HTTP in batches. OpenTelemetry itself reads the service's name and attributes, sampling,
 * headers and batch limits from the other `OTEL_*` variables.
 * @param endpoint the collector's URL, without `/v1/traces`
 * @throws Problem `failed-precondition` if the required packages are not installed
 */
export async function startTracing(endpoint: string, log: Logger): Promise<Tracing> {
  const { sdk, exporter, resources } = await loadPackages();
  const { envDetector, detectResources, resourceFromAttributes } = resources;
  const reportFault = (reason: string) => log.warn({ reason }, "traces could not be sent");
  const silent = () => {};
  diag.setLogger(
    { error: reportFault, warn: reportFault, info: silent, debug: silent, verbose: silent },
    DiagLogLevel.WARN,
  );
  const url = `${endpoint.replace(/\/$/, "")}/v1/traces`;
  const provider = new sdk.NodeTracerProvider({
    resource: resourceFromAttributes({ "service.name": NAME }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    spanProcessors: [new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter({ url }))],
  });
  provider.register();
  return { tracer: trace.getTracer(NAME), close: () => provider.shutdown() };
}

/** Services without traces needn't install the packages. */
async function loadPackages() {
  try {
    const [sdk, exporter, resources] = await Promise.all([
      import("@opentelemetry/sdk-trace-node"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
    ]);
    return { sdk, exporter, resources };
  } catch (cause) {
    throw failedPrecondition(
      "OTEL_EXPORTER_OTLP_ENDPOINT is set, but the package that sends traces is not installed: run `npm run traces` where the " +
        "service is installed, or remove the setting.",
      { cause },
    );
  }
}
