import type { ServerResponse } from "node:http";
import type { Metrics } from "#runtime/ops/metrics.js";
import type { Health, Readiness } from "#runtime/ops/readiness.js";
import type { HttpRoute } from "./routes.js";
import { JSON_TYPE, sendAnswer } from "./send-answer.js";

const httpStatus: Record<Health["status"], number> = {
  ready: 200,
  degraded: 200,
  unready: 503,
  stopping: 503,
};

/**
 * `/livez` reports whether the process responds, and `/readyz` whether it can serve requests.
 * @param options.showsReasons whether `/readyz` contains details of each dependency; they must not be public
 */
export function healthRoutes(readiness: Readiness, { showsReasons }: { showsReasons: boolean }): HttpRoute[] {
  return [
    { path: "/livez", answer: ({ response }) => send(response, 200, JSON_TYPE, '{"status":"alive"}') },
    {
      path: "/readyz",
      async answer({ response }) {
        const health = await readiness.check();
        const shown = showsReasons ? health : { status: health.status };
        send(response, httpStatus[health.status], JSON_TYPE, JSON.stringify(shown));
      },
    },
  ];
}

export function metricsRoute(metrics: Metrics): HttpRoute {
  return {
    path: "/metrics",
    methods: ["GET"],
    async answer({ response }) {
      send(response, 200, metrics.contentType, await metrics.text());
    },
  };
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  sendAnswer(response, { status, contentType, headers: ["Cache-Control", "no-store"], body });
}
