import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import type { Inbound } from "#api/pipeline/inbound.js";
import type { Pipeline } from "#api/pipeline/pipeline.js";

/** Makes a call for an edge that knows the request from the headers alone. */
export async function callMethod<Request extends DescMessage, Response extends DescMessage>(
  pipeline: Pipeline,
  method: DescMethodUnary<Request, Response>,
  inbound: Inbound,
  request: MessageInitShape<Request>,
): Promise<MessageShape<Response>> {
  const call = await pipeline.admit(method, inbound);
  return (await call.unary({ request: create(method.input, request) })) as MessageShape<Response>;
}
