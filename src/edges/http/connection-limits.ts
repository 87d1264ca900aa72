import { networkOf } from "./network.js";

/** How many connections each door may have at most. */
export interface ConnectionLimits {
  readonly http: number;
  readonly grpc: number;
}

/** More than a proxy, or any number of services, keeps open. */
const MOST: ConnectionLimits = { http: 10_000, grpc: 2_000 };

/** Of the files that the process may open: the rest is for the database, the file store and the worker. */
const SHARES: ConnectionLimits = { http: 5 / 8, grpc: 1 / 8 };

/** Of all connections of a door, those of one client while there are no others. */
const SHARE_OF_A_CLIENT = 1 / 2;

/** How the connections of a door are shared. */
export interface ConnectionShares {
  /** Of each client. */
  readonly share: number;
  /** The client at an address. */
  clientAt(address: string | undefined): string;
}

/** @param trustedProxies of ours: with any, the connections are theirs, and clients are told apart by request only */
export function connectionShares(trustedProxies: number): ConnectionShares {
  if (trustedProxies > 0) return { share: 1, clientAt: () => "" };
  return { share: SHARE_OF_A_CLIENT, clientAt: (address = "") => networkOf(address) ?? address };
}

/** A client beyond these is refused, or another one gives way; without them, one more would fail whatever opens a file. */
export function connectionLimits(): ConnectionLimits {
  const files = openFiles();
  return {
    http: Math.min(MOST.http, Math.floor(files * SHARES.http)),
    grpc: Math.min(MOST.grpc, Math.floor(files * SHARES.grpc)),
  };
}

/** Node raises the limit as far as the system allows when it starts. */
function openFiles(): number {
  if (!process.report) return Number.POSITIVE_INFINITY;
  Object.assign(process.report, { excludeNetwork: true }); // it would look up the names of our peers
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft: number | "unlimited" } };
  };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : Number.POSITIVE_INFINITY;
}
