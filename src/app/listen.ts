import type { Logger } from "pino";
import { type ConnectionShares, connectionLimits, connectionShares } from "#edges/http/connection-limits.js";
import { createHttpServer, type HttpEdge } from "#edges/http/server.js";
import { readTlsIdentity, type TlsIdentity } from "#edges/tls.js";
import type { Config } from "#runtime/settings/config.js";
import { localUrl } from "#runtime/settings/reachable-host.js";

/** The HTTP port. Requests wait until `http.answer` is called. */
export interface Listening {
  readonly http: HttpEdge;
  /** Base URL of the service on this machine, without a trailing slash. */
  readonly url: string;
  readonly tls: TlsIdentity | undefined;
  readonly shares: ConnectionShares;
}

/**
 * Opens the HTTP port. This must be the first step of a start: `HTTP_PORT=0` picks a port, and other components need
 * the address.
 * @throws Problem `failed-precondition` if the port can't be opened
 */
export async function listen(config: Config, log: Logger): Promise<Listening> {
  const tls = config.tls && (await readTlsIdentity(config.tls));
  const shares = connectionShares(config.trustedProxies);
  const http = await createHttpServer({
    host: config.host,
    port: config.httpPort,
    tls,
    maxConnections: connectionLimits().http,
    shares,
    isHttps: tls !== undefined || config.isPublicHttps,
    log,
  });
  return { http, url: localUrl(config, http.port), tls, shares };
}
