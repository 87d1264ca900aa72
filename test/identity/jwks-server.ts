import type { KeyObject } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A platform's key set, served on 127.0.0.1. */
export interface JwksServer {
  readonly url: string;
  /** Number of requests for the keys. */
  readonly requests: number;
  answer: RequestListener;
  /** Stops listening. `start` listens on the same port again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function startJwksServer(answer: RequestListener): Promise<JwksServer> {
  let requests = 0;
  let port = 0;
  const server = createServer((request, response) => {
    requests += 1;
    jwks.answer(request, response);
  });
  const jwks: JwksServer = {
    get url() {
      return `http://127.0.0.1:${port}/jwks.json`;
    },
    get requests() {
      return requests;
    },
    answer,
    start: () => new Promise((resolve) => server.listen(port, "127.0.0.1", resolve)),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await jwks.start();
  port = (server.address() as AddressInfo).port;
  return jwks;
}

export function serveKeys(...keys: readonly object[]): RequestListener {
  return (_request, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify({ keys }));
  };
}

export function publicJwk(publicKey: KeyObject, extra: object = {}): object {
  return { ...publicKey.export({ format: "jwk" }), ...extra };
}
