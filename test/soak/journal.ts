import { Code, ConnectError } from "@connectrpc/connect";
import type { Span } from "./history.js";
import type { Weather } from "./weather.js";
import { WrongAnswer } from "./wrong-answer.js";

/** A request of the soak test, with the function that judges its response. */
export interface Question<Answer> {
  /** The protocol and the method. The statistics count requests by this kind. */
  readonly kind: string;
  /** The learner whom the request concerns. A report lists other requests about the same learner. */
  readonly about: string;
  readonly request: unknown;
  send(): Promise<Answer>;
  /** Returns the time when the stream's last message arrived. Only a later fault excuses the end of the stream. */
  lastHeard?(): number;
  /** @throws WrongAnswer */
  judge(answer: Answer, span: Span): void;
  /**
   * Judges a refusal that the request itself caused, not a fault. If this method is missing, every refusal is wrong.
   */
  judgeRefusal?(refusal: Refusal, span: Span): void;
}

/** A refusal with a code that states the reason. */
export class Refusal extends Error {
  constructor(
    /** A gRPC code such as `not_found`, or `http 503`, or `connection`. */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The outcome of a call. "answered" and "refused" are certain. After "failed", the request may or may not have taken
 * effect.
 */
export type Outcome = "answered" | "refused" | "failed";

/** Sends requests, judges and counts their responses, and remembers the recent ones. */
export interface Journal {
  call<Answer>(question: Question<Answer>): Promise<Outcome>;
  /**
   * Reports of wrong responses. Each contains the request, its response, and the faults and requests around that time.
   */
  readonly wrongs: readonly string[];
  /** Reports an error that is not about a response. */
  complain(report: string): void;
  readonly requests: ReadonlyMap<string, number>;
  /** The number of errors by fault, kind and code. */
  readonly errors: ReadonlyMap<string, number>;
}

interface Entry extends Span {
  readonly kind: string;
  readonly about: string;
  readonly request: unknown;
  readonly answer: unknown;
}

/** The number of requests that the journal remembers. */
const MEMORY = 2_000;
const SHOWN = 12;

/** Codes that report a fault of the service, not a problem of the request. */
const faultCodes = new Set(
  [
    Code.Unavailable,
    Code.Internal,
    Code.Unknown,
    Code.DeadlineExceeded,
    Code.ResourceExhausted,
    Code.Canceled,
    Code.DataLoss,
  ].map(nameOf),
);
const isFault = (code: string) => faultCodes.has(code) || code === "connection" || /^http 5/.test(code);

/** Conflicts that are reported with the code of a fault. See issue-credential.ts and import-credential.ts. */
const COLLISION = /^The credential was (invalidated while it was being issued|changed during the import)/;

export function createJournal(weather: Weather): Journal {
  const wrongs: string[] = [];
  const requests = new Map<string, number>();
  const errors = new Map<string, number>();
  const entries: Entry[] = [];
  const began = performance.now();

  const seconds = (at: number) => ((at - began) / 1000).toFixed(3);
  const show = ({ from, to, kind, about, request, answer }: Entry) =>
    `${seconds(from)}-${seconds(to)} ${kind} (${about}) ${text(request)} -> ${text(answer)}`;

  function remember(entry: Entry): void {
    entries.push(entry);
    if (entries.length > 2 * MEMORY) entries.splice(0, MEMORY);
    count(requests, entry.kind);
  }

  function report(entry: Entry, why: string): void {
    const before = entries.filter((each) => each !== entry);
    wrongs.push(
      [
        `WRONG: ${why}`,
        `  ${show(entry)}`,
        `  faults: ${weather.during(entry).join(", ") || "none"}`,
        "  about the same learner:",
        ...before
          .filter(({ about }) => about === entry.about)
          .slice(-SHOWN)
          .map((each) => `    ${show(each)}`),
        "  before it:",
        ...before.slice(-SHOWN).map((each) => `    ${show(each)}`),
      ].join("\n"),
    );
  }

  return {
    wrongs,
    requests,
    errors,
    complain: (complaint) => void wrongs.push(`WRONG: ${complaint}`),

    async call({ kind, about, request, send, lastHeard, judge, judgeRefusal }) {
      const from = performance.now();
      const sent = await send().then(
        (answer) => ({ answer }),
        (error: unknown) => ({ refusal: refusalOf(error) }),
      );
      const span = { from, to: performance.now() };
      const shown = "answer" in sent ? sent.answer : `${sent.refusal.code}: ${sent.refusal.message}`;
      const entry: Entry = { ...span, kind, about, request, answer: shown };
      remember(entry);
      try {
        if ("answer" in sent) {
          judge(sent.answer, span);
          return "answered";
        }
        const { code, message } = sent.refusal;
        if (!isFault(code) || COLLISION.test(message)) {
          if (!judgeRefusal) throw new WrongAnswer("nothing is wrong with what was asked");
          judgeRefusal(sent.refusal, span);
          return "refused";
        }
        const fault = weather.excuse(kind, code, { ...span, from: lastHeard?.() ?? from });
        if (fault === undefined) throw new WrongAnswer("no fault excuses it");
        count(errors, `${fault}: ${kind}: ${code}`);
        return "failed";
      } catch (error) {
        if (error instanceof WrongAnswer) report(entry, error.message);
        else report(entry, `the soak failed: ${error instanceof Error ? error.stack : error}`);
        return "failed";
      }
    },
  };
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ConnectError) return new Refusal(nameOf(error.code), error.rawMessage);
  const { message, cause } = error as Error;
  return new Refusal("connection", cause === undefined ? message : `${message}: ${(cause as Error).message}`);
}

function nameOf(code: Code): string {
  return Code[code].replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function text(value: unknown): string {
  const plain = (name: string, each: unknown) =>
    name === "$typeName" ? undefined : typeof each === "bigint" ? Number(each) : each;
  const written = typeof value === "string" ? value : JSON.stringify(value, plain);
  return (written ?? "").slice(0, 1500);
}
