/** The shared addresses of the processes of `serve --processes`. */
export interface Addresses {
  readonly httpPort: number;
  readonly grpcPort: number;
  /** Base URL of the service. */
  readonly publicUrl: string;
}

/** A message from a process to its parent. */
export type FromChild =
  /** The process has started. Only serving processes have addresses. */
  | { readonly type: "ready"; readonly addresses: Addresses | undefined }
  /** Increments a counter in the parent's metrics. */
  | { readonly type: "counted"; readonly name: string; readonly values: readonly (string | number)[] }
  /** The response to `measure`. */
  | { readonly type: "measured"; readonly id: number; readonly metrics: readonly object[] };

/** A message from the parent to a process. */
export type FromParent =
  /** The service is stopping. */
  | { readonly type: "stop" }
  /** Another process has replaced this one. */
  | { readonly type: "retire" }
  | { readonly type: "measure"; readonly id: number };
