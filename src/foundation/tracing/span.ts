import {
  type Attributes,
  type Context,
  context,
  type SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";

export interface OpenSpan {
  /** Spans that the work starts become children of this span. */
  inside<T>(work: () => T): T;
  /**
   * Ends the span. Only the first call has an effect.
   * @param end.isFault true if the operation failed here. Error messages are only in the log, because they may
   *   contain names
   */
  end(end: { isFault: boolean; attributes?: Attributes }): void;
}

interface SpanSubject {
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
