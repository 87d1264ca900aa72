/** Where the processes of `serve --processes` listen, together. */
export interface Addresses {
  readonly httpPort: number;
  readonly grpcPort: number;
  /** Base URL of the service. */
  readonly publicUrl: string;
}

/** What a process tells its parent. */
export type FromChild =
  /** It has started. Only those that serve have addresses. */
  | { readonly type: "ready"; readonly addresses: Addresses | undefined }
  /** Something is to be counted in the parent's metrics. */
  | { readonly type: "counted"; readonly name: string; readonly values: readonly (string | number)[] }
  /** The answer to `measure`. */
  | { readonly type: "measured"; readonly id: number; readonly metrics: readonly object[] };

/** What the parent tells a process. */
export type FromParent =
  /** The service ends. */
  | { readonly type: "stop" }
  /** Another process has taken its place. */
  | { readonly type: "retire" }
  | { readonly type: "measure"; readonly id: number };
