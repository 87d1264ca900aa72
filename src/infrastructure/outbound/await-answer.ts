import type { ClientRequest, IncomingMessage } from "node:http";
import { Refusal } from "./guard.js";

/**
 * Calls one of the two, whatever the other side does: without an answer, Node reports some ends, such as the one after
 * `101 Switching Protocols`, by the event `close` only. Only reading the body is left to the caller.
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
