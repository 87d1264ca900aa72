import { createRateLimit } from "#api/pipeline/rate-limit.js";
import { createBadges } from "#domain/credentials/badges/badges.js";
import { createVerificationLookUp } from "#domain/credentials/verification/look-up-verification.js";
import { openWallets } from "#domain/credentials/wallets/open-wallets.js";
import { createConnectHandler } from "#edges/connect/handler.js";
import { createGrpcServer } from "#edges/grpc/server.js";
import { bufferedBytesAllowed } from "#edges/http/buffered-bytes.js";
import { createClientOf } from "#edges/http/client-address.js";
import { connectionLimits } from "#edges/http/connection-limits.js";
import { createCors } from "#edges/http/cors.js";
import { healthRoutes } from "#edges/http/health.js";
import { createRequestBodies } from "#edges/http/request-bodies.js";
import { createRoutes } from "#edges/http/routes.js";
import { openApiRoutes } from "#edges/openapi/routes.js";
import { createRestFront } from "#edges/rest/front.js";
import { keepByteOrderMarks } from "#edges/text-encoding.js";
import { type App, CLOSE_DEADLINE_MS } from "./app.js";
import { type HttpContext, httpRoutes } from "./http-routes.js";
import type { Listening } from "./listen.js";
import { buildServices, type Shared } from "./services.js";

/**
 * Proxies close connections that they haven't used for some seconds. When a process is being replaced, it closes the
 * remaining connections after this time.
 */
const RETIRE_TIMEOUT_MS = 10_000;

/**
 * Serves the HTTP and gRPC ports, which both close with the app.
 * @param processes number of processes that serve requests on this machine and share its memory
 * @returns the addresses of the ports
 */
export async function serve(app: App, { http, tls, shares }: Listening, processes = 1) {
  const { config, log, publicUrl, database, signingKeys } = app;
  keepByteOrderMarks();
  const publicLimit = createRateLimit(config.publicRateLimit);
  const badges = createBadges({ database, signingKeys, publicUrl, settings: config });
  const wallets = openWallets(app, badges.makeBadge);
  const lti = await app.openLti();
  const lookUp = createVerificationLookUp(app.publicReads.readOn, app.figures);
  const shared: Shared = { publicLimit, badges, wallets, lookUp, lti };
  const services = await buildServices(app, shared);
  const { pipeline } = services;
  const clientOf = createClientOf(config.trustedProxies);
  const cors = createCors(config.corsAllowedOrigins);
  const bodies = createRequestBodies(bufferedBytesAllowed("http") / processes);
  const httpContext: HttpContext = { pipeline, cors, clientOf, log, bodies };
  const routes = await httpRoutes(app, shared, services, httpContext);
  http.answer([
    createRoutes(httpContext, [
      ...healthRoutes(app.readiness, { showsReasons: false }),
      ...(config.apiDocs ? openApiRoutes(pipeline.services, publicUrl, config.restCompatibility) : []),
    ]),
    createRestFront({
      ...httpContext,
      publicUrl,
      publicCacheSeconds: config.publicCacheSeconds,
      compatibility: config.restCompatibility,
    }),
    createConnectHandler(httpContext),
    createRoutes(httpContext, routes),
  ]);
  app.defer(() => http.close(CLOSE_DEADLINE_MS));
  const grpc = await createGrpcServer({
    pipeline,
    host: config.host,
    port: config.grpcPort,
    tls,
    maxConnections: connectionLimits().grpc,
    shares,
    maxBufferedBytes: bufferedBytesAllowed("grpc") / processes,
    reflects: config.apiDocs,
    publicLimit,
    onCall: app.metrics.call,
    clientOf,
    log,
  });
  app.readiness.onStopping(() => grpc.setServing(false));
  app.defer(() => grpc.close(CLOSE_DEADLINE_MS));
  app.defer(async () => pipeline.endWatches());
  await app.announce(publicUrl);
  return {
    httpPort: http.port,
    grpcPort: grpc.port,
    /** Leaves new connections to another process. Resolves when the old ones have closed, or after a timeout. */
    async retire() {
      pipeline.endWatches();
      await Promise.all([http.retire(RETIRE_TIMEOUT_MS), grpc.close(CLOSE_DEADLINE_MS)]);
    },
  };
}
