import type { ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Metrics } from "../../ops/metrics.js";
import type { Health, Readiness } from "../../ops/readiness.js";
import { sendText } from "./send-text.js";
import type { HttpHandler } from "./server.js";

const httpStatus: Record<Health["status"], number> = {
  ready: 200,
  degraded: 200,
  unready: 503,
  stopping: 503,
};

/**
 * `/livez`: the process responds. `/readyz`: whether to send it requests.
 * @param options.tellsWhy whether `/readyz` details each dependency. That is nobody's business outside
 */
export function createHealthHandler(
  readiness: Readiness,
  log: Logger,
  { tellsWhy }: { tellsWhy: boolean },
): HttpHandler {
  return (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    if (request.url === "/livez") send(response, 200, JSON_TYPE, '{"status":"alive"}');
    else if (request.url === "/readyz") {
      readiness.look().then(
        (health) => {
          const told = tellsWhy ? health : { status: health.status };
          send(response, httpStatus[health.status], JSON_TYPE, JSON.stringify(told));
        },
        (error) => fail(response, error, log),
      );
    } else return false;
    return true;
  };
}

/** `/metrics`, for Prometheus. */
export function createMetricsHandler(metrics: Metrics, log: Logger): HttpHandler {
  return (request, response) => {
    if (request.url !== "/metrics" || request.method !== "GET") return false;
    metrics.text().then(
      (text) => send(response, 200, metrics.contentType, text),
      (error) => fail(response, error, log),
    );
    return true;
  };
}

const JSON_TYPE = "application/json";

function fail(response: ServerResponse, error: unknown, log: Logger): void {
  log.error({ err: error }, "the state of the service could not be determined");
  send(response, 503, JSON_TYPE, '{"detail":"The state could not be determined."}');
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  sendText(response, { status, contentType, headers: ["Cache-Control", "no-store"], body });
}
