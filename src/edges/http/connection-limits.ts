import { networkOf } from "./network.js";

/** Maximum number of connections per server. */
export interface ConnectionLimits {
  readonly http: number;
  readonly grpc: number;
}

/** Maximum numbers of connections: more than a proxy, or a realistic number of services, keeps open. */
const MOST: ConnectionLimits = { http: 10_000, grpc: 2_000 };

/** Fractions of the process's limit of open files. The rest is for the database, the file store and the worker. */
const SHARES: ConnectionLimits = { http: 5 / 8, grpc: 1 / 8 };

/** Fraction of a server's connections that one client can use while there are no other clients. */
const SHARE_OF_A_CLIENT = 1 / 2;

/** How a server's connections are shared among clients. */
export interface ConnectionShares {
  /** Fraction for one client. */
  readonly share: number;
  /** Returns the client that an address belongs to. */
  clientAt(address: string | undefined): string;
}

/**
 * @param trustedProxies number of our proxies. If there are any, all connections come from them, so that clients can
 * only be distinguished by their requests
 */
export function connectionShares(trustedProxies: number): ConnectionShares {
  if (trustedProxies > 0) return { share: 1, clientAt: () => "" };
  return { share: SHARE_OF_A_CLIENT, clientAt: (address = "") => networkOf(address) ?? address };
}

/**
 * Returns the maximum number of connections. At the maximum, a client is refused or replaces another. Without it, an
 * additional connection could make opening any file fail.
 */
export function connectionLimits(): ConnectionLimits {
  const files = openFiles();
  return {
    http: Math.min(MOST.http, Math.floor(files * SHARES.http)),
    grpc: Math.min(MOST.grpc, Math.floor(files * SHARES.grpc)),
  };
}

/** Returns the limit of open files. Node raises it at start-up as far as the system allows. */
function openFiles(): number {
  if (!process.report) return Number.POSITIVE_INFINITY;
  // The report would otherwise look up the host names of clients.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft: number | "unlimited" } };
  };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : Number.POSITIVE_INFINITY;
}
