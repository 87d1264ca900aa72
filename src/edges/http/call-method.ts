import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import type { Inbound } from "#api/pipeline/inbound.js";
import type { Pipeline } from "#api/pipeline/pipeline.js";

/** Calls a method with a request that is built from the URL and headers alone. */
export async function callMethod<Request extends DescMessage, Response extends DescMessage>(
  pipeline: Pipeline,
  method: DescMethodUnary<Request, Response>,
  inbound: Inbound,
  request: MessageInitShape<Request>,
): Promise<MessageShape<Response>> {
  const call = await pipeline.admit(method, inbound);
  return (await call.unary({ request: create(method.input, request) })) as MessageShape<Response>;
}
