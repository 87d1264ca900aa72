import { networkOf } from "./network.js";

interface ConnectionLimits {
  readonly http: number;
  readonly grpc: number;
}

/** Enough for a proxy (HTTP), and for a realistic number of services that call this one (gRPC). */
const MAX_CONNECTIONS: ConnectionLimits = { http: 10_000, grpc: 2_000 };

/** Fractions of the files that the process may open. The rest is for the database, the file store and the worker. */
const SHARES: ConnectionLimits = { http: 5 / 8, grpc: 1 / 8 };

/** Fraction of the connections that one client can use while there are no other clients. */
const MAX_CLIENT_SHARE = 1 / 2;

export interface ConnectionShares {
  /** Maximum fraction of the connections that one client can use. */
  readonly share: number;
  clientAt(address: string | undefined): string;
}

/**
 * Returns how connections are shared among clients. Behind proxies, they are not shared, because the proxies open all
 * connections, so clients can't be distinguished.
 * @param trustedProxies number of our proxies
 */
export function connectionShares(trustedProxies: number): ConnectionShares {
  if (trustedProxies > 0) return { share: 1, clientAt: () => "" };
  return { share: MAX_CLIENT_SHARE, clientAt: (address = "") => networkOf(address) ?? address };
}

/**
 * Returns the maximum number of connections. At the maximum, a new connection is refused or replaces another one.
 * Without a maximum, connections could use up all files that the process may open.
 */
export function connectionLimits(): ConnectionLimits {
  const files = openFiles();
  return {
    http: Math.min(MAX_CONNECTIONS.http, Math.floor(files * SHARES.http)),
    grpc: Math.min(MAX_CONNECTIONS.grpc, Math.floor(files * SHARES.grpc)),
  };
}

/** Returns the limit of open files. Node raises it at startup as far as the system allows. */
function openFiles(): number {
  if (!process.report) return Number.POSITIVE_INFINITY;
  // Without this, Node's diagnostic report would look up the host names of clients.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft: number | "unlimited" } };
  };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : Number.POSITIVE_INFINITY;
}
