import { context, propagation, ROOT_CONTEXT, SpanKind, type Tracer } from "@opentelemetry/api";
import { beginSpan } from "#foundation/tracing/span.js";
import type { Posting, PostResult } from "./post.js";

/**
 * Posts inside its own span. The receiver can continue the trace, because the request contains the W3C trace context.
 */
export async function postTraced(
  tracer: Tracer,
  posting: Posting,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<PostResult> {
  const span = beginSpan(tracer, {
    name: "webhook",
    kind: SpanKind.CLIENT,
    attributes: { "http.request.method": "POST" },
    parent: ROOT_CONTEXT,
  });
  return span.inside(async () => {
    const traced = { ...headers };
    propagation.inject(context.active(), traced);
    const result = await posting.post(traced, body);
    const { outcome, status } = result;
    span.end({
      isFault: outcome !== "delivered",
      attributes: {
        "webhook.outcome": outcome,
        ...(status !== null && { "http.response.status_code": status }),
      },
    });
    return result;
  });
}
