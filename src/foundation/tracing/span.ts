import {
  type Attributes,
  type Context,
  context,
  type SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";

/** A span in progress. */
export interface OpenSpan {
  /** Runs the work; spans that it begins become children of this one. */
  inside<T>(work: () => T): T;
  /**
   * Only the first end counts.
   * @param end.isFault whether what it was about failed here; the words of errors stay in the log, as they may name someone
   */
  end(end: { isFault: boolean; attributes?: Attributes }): void;
}

/** What a span is about. */
export interface SpanSubject {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  readonly parent: Context;
}

export function beginSpan(tracer: Tracer, { name, kind, attributes, parent }: SpanSubject): OpenSpan {
  const span = tracer.startSpan(name, { kind, attributes }, parent);
  const inner = trace.setSpan(parent, span);
  let hasEnded = false;
  return {
    inside: (work) => context.with(inner, work),
    end({ isFault, attributes: more }) {
      if (hasEnded) return;
      hasEnded = true;
      if (more) span.setAttributes(more);
      if (isFault) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}
