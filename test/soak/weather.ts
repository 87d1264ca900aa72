import type { Span } from "./history.js";

export type Fault = "database away" | "store away" | "worker killed";

/** Records the faults with their times, and the errors that they excuse. */
export interface Weather {
  /** Runs work that causes a fault and ends it. The fault may affect requests at any time during the work. */
  suffer<T>(fault: Fault, work: () => Promise<T>): Promise<T>;
  during(span: Span): Fault[];
  /** Returns the fault that excuses this code. Undefined if none does. */
  excuse(kind: string, code: string, span: Span): Fault | undefined;
  readonly faults: readonly (Span & { readonly fault: Fault })[];
}

/**
 * The codes that .docs/high-availability.md and .docs/http-api.md document for each fault. A call that begins after the
 * database is available again must not fail. Without the store, only calls that read or write files may fail.
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
