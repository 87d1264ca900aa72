import { type DescMethod, type Message, toBinary, toJson } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Logger } from "pino";
import { toRpcError } from "../api/codes.js";

/**
 * Refuses a response that does not fit its type: connect-node would tell the caller what is wrong with it, which is ours
 * to know.
 */
export function checkEncodable(
  method: DescMethod,
  response: Message,
  context: HandlerContext,
  log: Logger,
): void {
  try {
    if (context.responseHeader.get("content-type")?.endsWith("json")) toJson(method.output, response);
    else toBinary(method.output, response);
  } catch (error) {
    log.error(
      { method: `${method.parent.typeName}/${method.name}`, err: error },
      "response can't be encoded",
    );
    throw toRpcError(error);
  }
}
