import type { Span } from "./history.js";

export type Fault = "database away" | "store away" | "worker killed";

/** Records which faults there were and when, and which errors they excuse. */
export interface Weather {
  /** Runs work that causes and ends a fault. Requests at any time during the work may suffer from it. */
  suffer<T>(fault: Fault, work: () => Promise<T>): Promise<T>;
  /** The faults during a span. */
  during(span: Span): Fault[];
  /** The fault that excuses this code; undefined if none does. */
  excuse(kind: string, code: string, span: Span): Fault | undefined;
  readonly faults: readonly (Span & { readonly fault: Fault })[];
}

/**
 * The codes documented in .docs/high-availability.md and .docs/http-api.md. A call that begins after the database is
 * back must not fail.
 * Without the store, only calls that read or write files may fail.
 */
const documented: Record<Fault, (kind: string, code: string) => boolean> = {
  "database away": (_, code) => code === "unavailable" || code === "http 503",
  "store away": (kind, code) =>
    kind === "store GET file" ? code === "connection" : isImport(kind) && code === "unavailable",
  "worker killed": () => false,
};

const isImport = (kind: string) => kind.endsWith("ImportCredentials");

export function createWeather(): Weather {
  const faults: { fault: Fault; from: number; to: number }[] = [];

  const during = ({ from, to }: Span) =>
    faults.filter((each) => each.from <= to && from <= each.to).map(({ fault }) => fault);

  return {
    faults,
    during,

    async suffer(fault, work) {
      const each = { fault, from: performance.now(), to: Number.POSITIVE_INFINITY };
      faults.push(each);
      try {
        return await work();
      } finally {
        each.to = performance.now();
      }
    },

    excuse: (kind, code, span) => during(span).find((fault) => documented[fault](kind, code)),
  };
}
