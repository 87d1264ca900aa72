import { createClientOf } from "#edges/http/client-address.js";
import { healthRoutes, metricsRoute } from "#edges/http/health.js";
import { createRoutes } from "#edges/http/routes.js";
import { createHttpServer } from "#edges/http/server.js";
import { isChild, notifyParent, onParentMessage } from "#runtime/processes/child.js";
import { type App, CLOSE_DEADLINE_MS } from "./app.js";

/**
 * Starts the admin server if its port is set. The server stops with the app. In a process of `serve --processes`, sends
 * the metrics to the parent instead.
 * @returns the port; undefined if no server was started
 */
export async function serveOps({
  config,
  log,
  metrics,
  readiness,
  defer,
}: Pick<App, "config" | "log" | "metrics" | "readiness" | "defer">): Promise<number | undefined> {
  if (config.adminPort === undefined) return undefined;
  if (isChild()) {
    onParentMessage((message) => {
      if (message.type !== "measure") return;
      metrics.snapshot().then(
        (measured) => notifyParent({ type: "measured", id: message.id, metrics: measured }),
        (error) => log.error({ err: error }, "metrics of this process could not be collected"),
      );
    });
    return undefined;
  }
  const routes = [...healthRoutes(readiness, { showsReasons: true }), metricsRoute(metrics)];
  const handlers = [createRoutes({ clientOf: createClientOf(0), log }, routes)];
  const { adminHost: host, adminPort: port } = config;
  const ops = await createHttpServer({ handlers, host, port, setting: "ADMIN_PORT", log });
  defer(() => ops.close(CLOSE_DEADLINE_MS));
  return ops.port;
}
