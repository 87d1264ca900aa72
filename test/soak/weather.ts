import type { Span } from "./history.js";

export type Fault = "database away" | "store away" | "worker killed";

/** Which faults there were when, and which errors they excuse. */
export interface Weather {
  /** Runs what makes a fault and ends it: from before until after that, requests may suffer from it. */
  suffer<T>(fault: Fault, work: () => Promise<T>): Promise<T>;
  /** The faults during a span. */
  during(span: Span): Fault[];
  /** Which fault excuses this code; undefined: none. */
  excuse(kind: string, code: string, span: Span): Fault | undefined;
  readonly faults: readonly (Span & { readonly fault: Fault })[];
}

/**
 * The codes that are documented, .docs/faults.md and .docs/http-api.md. What begins after the database is there
 * again must not fail; without the store, nothing fails but what reads or writes files.
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
