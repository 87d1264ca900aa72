import { Code, ConnectError } from "@connectrpc/connect";
import {
  type Attributes,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  type TextMapGetter,
  type Tracer,
} from "@opentelemetry/api";
import { beginSpan, type OpenSpan } from "#foundation/tracing/span.js";
import type { AdmittedCall, Inbound } from "./inbound.js";
import type { Pipeline } from "./pipeline.js";

/** Records each call as a span. If the caller sends a W3C trace context, the span is a child of the caller's span. */
export function tracedPipeline(pipeline: Pipeline, tracer: Tracer): Pipeline {
  const begin = (name: string, attributes: Attributes, inbound: Inbound) =>
    beginSpan(tracer, {
      name,
      kind: SpanKind.SERVER,
      attributes,
      parent: propagation.extract(ROOT_CONTEXT, inbound, headerGetter),
    });

  return {
    ...pipeline,

    async admit(method, inbound) {
      const { parent, name } = method;
      const attributes = { "rpc.service": parent.typeName, "rpc.method": name };
      const span = begin(`${parent.typeName}/${name}`, attributes, inbound);
      try {
        return tracedCall(span, await span.inside(() => pipeline.admit(method, inbound)));
      } catch (error) {
        end(span, codeOf(error));
        throw error;
      }
    },

    visit(route, inbound, work) {
      const span = begin(route.name, {}, inbound);
      return answered(
        span,
        span.inside(() => pipeline.visit(route, inbound, work)),
      );
    },
  };
}

function tracedCall(span: OpenSpan, call: AdmittedCall): AdmittedCall {
  return {
    holder: call.holder,

    unary(decoded) {
      return answered(
        span,
        span.inside(() => call.unary(decoded)),
      );
    },

    serverStream: (decoded) => streamed(span, call.serverStream(decoded)),
    bidiStream: (requests) => streamed(span, call.bidiStream(requests)),

    clientStream(requests) {
      return answered(
        span,
        span.inside(() => call.clientStream(requests)),
      );
    },

    refuse(problem) {
      const error = call.refuse(problem);
      end(span, error.code);
      return error;
    },
  };
}

const OK = 0;

/** Codes that OpenTelemetry treats as server errors. */
const faults: ReadonlySet<number> = new Set([
  Code.Unknown,
  Code.DeadlineExceeded,
  Code.Unimplemented,
  Code.Internal,
  Code.Unavailable,
  Code.DataLoss,
]);

const headerGetter: TextMapGetter<Inbound> = {
  get: ({ header }, name) => header?.(name),
  keys: () => [],
};

async function* streamed<T>(span: OpenSpan, answers: AsyncIterable<T>): AsyncIterable<T> {
  const messages = answers[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await span.inside(() => messages.next());
      if (done) return end(span, OK);
      yield value;
    }
  } catch (error) {
    end(span, codeOf(error));
    throw error;
  } finally {
    await span.inside(() => messages.return?.());
    end(span, Code.Canceled); // if the span has not ended yet, the consumer has stopped reading
  }
}

async function answered<T>(span: OpenSpan, answer: Promise<T>): Promise<T> {
  try {
    const message = await answer;
    end(span, OK);
    return message;
  } catch (error) {
    end(span, codeOf(error));
    throw error;
  }
}

function end(span: OpenSpan, code: number): void {
  span.end({ isFault: faults.has(code), attributes: { "rpc.grpc.status_code": code } });
}

function codeOf(error: unknown): number {
  return error instanceof ConnectError ? error.code : Code.Unknown;
}
