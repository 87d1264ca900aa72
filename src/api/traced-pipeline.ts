import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { propagation, ROOT_CONTEXT, SpanKind, type TextMapGetter, type Tracer } from "@opentelemetry/api";
import { beginSpan, type OpenSpan } from "../ops/span.js";
import type { Inbound, Pipeline } from "./pipeline.js";

/** The same pipeline, each of whose calls is a span, below that of a caller who sends W3C trace context. */
export function tracedPipeline(pipeline: Pipeline, tracer: Tracer): Pipeline {
  const begin = ({ parent, name }: DescMethod, inbound: Inbound) =>
    beginSpan(tracer, {
      name: `${parent.typeName}/${name}`,
      kind: SpanKind.SERVER,
      attributes: { "rpc.service": parent.typeName, "rpc.method": name },
      parent: propagation.extract(ROOT_CONTEXT, inbound, headerGetter),
    });

  return {
    ...pipeline,

    unary(method, inbound, bind) {
      const span = begin(method, inbound);
      return answered(
        span,
        span.inside(() => pipeline.unary(method, inbound, bind)),
      );
    },

    async *serverStream(method, inbound, bind) {
      const span = begin(method, inbound);
      const messages = pipeline.serverStream(method, inbound, bind)[Symbol.asyncIterator]();
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
        end(span, Code.Canceled); // whoever listened is gone, unless it has ended before
      }
    },

    clientStream(method, inbound, requests) {
      const span = begin(method, inbound);
      return answered(
        span,
        span.inside(() => pipeline.clientStream(method, inbound, requests)),
      );
    },
  };
}

const OK = 0;

/** The codes that are no fault of the caller, as OpenTelemetry has it for servers. */
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
