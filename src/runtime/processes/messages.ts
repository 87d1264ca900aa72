/** The addresses that all processes of `serve --processes` share. */
export interface Addresses {
  readonly httpPort: number;
  readonly grpcPort: number;
  /** Base URL of the service. */
  readonly publicUrl: string;
}

export type FromChild =
  /** The process has started. Only processes that serve requests have addresses. */
  | { readonly type: "ready"; readonly addresses: Addresses | undefined }
  /** Increments a counter in the parent's metrics. */
  | { readonly type: "counted"; readonly name: string; readonly values: readonly (string | number)[] }
  /** The response to `measure`. */
  | { readonly type: "measured"; readonly id: number; readonly metrics: readonly object[] };

export type FromParent =
  | { readonly type: "stop" }
  /** Ends this process, because another one has replaced it. */
  | { readonly type: "retire" }
  | { readonly type: "measure"; readonly id: number };
