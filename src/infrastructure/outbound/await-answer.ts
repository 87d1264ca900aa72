import type { ClientRequest, IncomingMessage } from "node:http";
import { AddressRefusal } from "./guard.js";

/**
 * Calls at least one of the two callbacks, whatever the server does. A failure may be reported twice, because Node
 * emits `close` after each error, and sometimes emits only `close`. The caller reads the body.
 */
export function awaitAnswer(
  request: ClientRequest,
  onAnswer: (response: IncomingMessage) => void,
  onFailure: (error: Error) => void,
): void {
  const closed = () => onFailure(new AddressRefusal("the connection was closed without a response"));
  request.on("close", closed);
  request.on("error", onFailure);
  request.on("upgrade", (_, socket) => {
    socket.destroy();
    onFailure(
      new AddressRefusal("it responded with status 101 (Switching Protocols), which was not requested"),
    );
  });
  request.on("response", (response) => {
    request.off("close", closed);
    onAnswer(response);
  });
}
