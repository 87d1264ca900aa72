import { type App, CLOSE_DEADLINE_MS } from "./app.js";
import { createHealthHandler, createMetricsHandler } from "./edges/http/health.js";
import { createHttpServer } from "./edges/http/server.js";

/**
 * Starts the admin server if the settings name its port; it stops with the app.
 * @returns its port
 */
export async function serveOps({ config, log, metrics, readiness, defer }: App): Promise<number | undefined> {
  if (config.adminPort === undefined) return undefined;
  const handlers = [
    createHealthHandler(readiness, log, { tellsWhy: true }),
    createMetricsHandler(metrics, log),
  ];
  const { adminHost: host, adminPort: port } = config;
  const ops = await createHttpServer({ handlers, host, port, setting: "ADMIN_PORT", log });
  defer(() => ops.close(CLOSE_DEADLINE_MS));
  return ops.port;
}
