import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The parsed body: an event, or a list of them. */
  readonly parsed: ReceivedEvent;
  /** The status of the response. Undefined if the receiver did not respond. */
  readonly status: number | undefined;
}

/** A CloudEvent in the form in which receivers see it. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly data: { readonly position: number; readonly [name: string]: unknown };
  readonly [name: string]: unknown;
}

/** A program that receives webhooks on this machine. */
export interface Receiver {
  readonly url: string;
  /** In order of arrival. */
  readonly received: Received[];
  readonly connections: () => number;
  close(): Promise<void>;
}

/** The response to a request: a status, or a function that responds itself or breaks the connection. */
export type Answer = number | ((response: ServerResponse, request: IncomingMessage) => number | undefined);

/** @param answer chooses the response to each request. Default: 204 */
export async function startReceiver(
  answer: (body: string, headers: Received["headers"], count: number) => Answer | Promise<Answer> = () => 204,
  port = 0,
): Promise<Receiver> {
  const received: Received[] = [];
  let connections = 0;
  const server: Server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const headers = request.headers as Record<string, string>;
    const decided = await answer(body, headers, received.length);
    let status: number | undefined;
    if (typeof decided === "number") {
      status = decided;
      response.writeHead(status).end();
    } else {
      status = decided(response, request);
    }
    received.push({ headers, body, parsed: JSON.parse(body), status });
  });
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    connections: () => connections,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
