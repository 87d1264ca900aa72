import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A proxy in front of an HTTP server. It passes requests on unchanged, and fails on demand. */
export interface FaultyProxy {
  readonly url: string;
  /** The requests received, in order. */
  readonly requests: { method: string; path: string; headers: IncomingHttpHeaders }[];
  /** Sets the faults of the next requests, one fault for each. Later requests are passed on. */
  failNext(...faults: Fault[]): void;
  /** Sets the fault of every request for which `failNext` set none. Undefined ends it. */
  failAlways(fault: Fault | undefined): void;
  /** Refuses connections until `start` is called. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export type Fault = (exchange: Exchange) => void | Promise<void>;

interface Exchange {
  readonly path: string;
  readonly response: ServerResponse;
  /** Forwards the request to the server, with its body changed if `change` is given. */
  forward(change?: (body: Buffer) => Buffer): Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export const faults = {
  /** Passes the request and the response on unchanged. */
  async passOn({ forward, response }) {
    const { status, headers, body } = await forward();
    response.writeHead(status, headers).end(body);
  },
  /** The server executes the request, but its response is lost. */
  async loseAnswer({ forward, response }) {
    await forward();
    response.destroy();
  },
  hang() {},
  /** Switches protocols. Node reports this only as the end of the connection. */
  switchProtocols({ response }) {
    response.socket?.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n");
  },
  async trickle({ response }) {
    response.writeHead(200, { "content-length": 1_000_000 });
    const timer = setInterval(() => response.write("x"), 20);
    response.once("close", () => clearInterval(timer));
  },
  async cutShort({ forward, response }) {
    const { status, headers, body } = await forward();
    response.writeHead(status, headers);
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
  },
  async corruptUpload({ forward, response }) {
    const { status, headers, body } = await forward(withOneBitFlipped);
    response.writeHead(status, headers).end(body);
  },
  async otherEtag({ forward, response }) {
    const { status, headers, body } = await forward();
    response.writeHead(status, { ...headers, etag: `"${"0".repeat(32)}"` }).end(body);
  },
  async corruptDownload({ forward, response }) {
    const { status, headers, body } = await forward();
    response.writeHead(status, headers).end(withOneBitFlipped(body));
  },
} satisfies Record<string, Fault>;

/** Responds with an S3 error instead of the server's response. */
export function refuse(status: number, code: string, headers: Record<string, string> = {}): Fault {
  const body = `<Error><Code>${code}</Code><Message>No.</Message></Error>`;
  return answerWith(status, body, "application/xml", headers);
}

/** Sends this response instead of the server's. */
export function answerWith(
  status: number,
  body: string,
  contentType = "text/html; charset=utf-8",
  headers: Record<string, string> = {},
): Fault {
  return ({ response }) => {
    response.writeHead(status, { "content-type": contentType, ...headers });
    response.end(body);
  };
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const due: Fault[] = [];
  let usual: Fault = faults.passOn;
  const requests: FaultyProxy["requests"] = [];
  const server = createServer(async (incoming, response) => {
    const { method = "", url: path = "", headers } = incoming;
    requests.push({ method, path, headers });
    const sent = await buffer(incoming);
    const fault = due.shift() ?? usual;
    await fault({
      path,
      response,
      forward: (change = (body) => body) => send(target, incoming, change(sent)),
    });
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    failNext: (...faults) => void due.push(...faults),
    failAlways(fault = faults.passOn) {
      usual = fault;
    },
    start: () => listen(port),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function withOneBitFlipped(body: Buffer): Buffer {
  const changed = Buffer.from(body);
  changed.writeUInt8(changed.readUInt8(body.length >> 1) ^ 1, body.length >> 1);
  return changed;
}

/** Sends the request with the caller's `Host` header, because the signature covers it. */
async function send(
  target: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<Answer> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const call = request(target, { method, path: url, headers, agent: false }, resolve);
    call.on("error", reject);
    call.end(body);
  });
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) };
}
