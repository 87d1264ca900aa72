import type { ClientRequest, IncomingMessage } from "node:http";
import { Refusal } from "./guard.js";

/**
 * Calls exactly one of the two callbacks, whatever the server does: without a response, Node reports some ends, for
 * example after `101 Switching Protocols`, only by the event `close`. Reading the body is left to the caller.
 */
export function awaitAnswer(
  request: ClientRequest,
  onAnswer: (response: IncomingMessage) => void,
  onFailure: (error: Error) => void,
): void {
  const closed = () => onFailure(new Refusal("the connection was closed without an answer"));
  request.on("close", closed);
  request.on("error", onFailure);
  request.on("upgrade", (_, socket) => {
    socket.destroy();
    onFailure(new Refusal("it answered 101 Switching Protocols, which was not requested"));
  });
  request.on("response", (response) => {
    request.off("close", closed);
    onAnswer(response);
  });
}
