import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { listen, shut } from "../support/listen.js";

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What happens to a request instead of the normal response. */
export type Fault = Reply | "cut" | "hang" | undefined;

export interface ReceivedRequest {
  readonly method: string;
  readonly url: URL;
  readonly form: URLSearchParams;
  readonly authorization: string;
  readonly accept: string;
  readonly at: number;
}

/** A server whose responses and faults are determined by a test. */
export interface FaultyServer {
  readonly url: string;
  readonly received: ReceivedRequest[];
  /** Maximum number of simultaneous requests so far. */
  peak: number;
  delayMs: number;
  /** Called before each response. Returns the fault, if there is one. */
  fault: (received: ReceivedRequest, count: number) => Fault;
  /** May change a response. */
  rewrite: (received: ReceivedRequest, reply: Reply) => Reply;
  close(): Promise<void>;
}

export async function startFaultyServer(answer: (received: ReceivedRequest) => Reply): Promise<FaultyServer> {
  let open = 0;
  const server = createServer((request, response) => void serve(request, response));
  const faulty: FaultyServer = {
    url: "",
    received: [],
    peak: 0,
    delayMs: 0,
    fault: () => undefined,
    rewrite: (_, reply) => reply,
    close: () => shut(server),
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    open++;
    faulty.peak = Math.max(faulty.peak, open);
    response.on("close", () => open--);
    const sent = await text(request);
    const received: ReceivedRequest = {
      method: request.method ?? "",
      url: new URL(request.url ?? "", faulty.url),
      form: new URLSearchParams(sent),
      authorization: request.headers.authorization ?? "",
      accept: request.headers.accept ?? "",
      at: Date.now(),
    };
    faulty.received.push(received);
    const fault = faulty.fault(received, faulty.received.length);
    if (fault === "hang") return;
    if (faulty.delayMs > 0) await setTimeout(faulty.delayMs);
    const reply = fault === undefined || fault === "cut" ? faulty.rewrite(received, answer(received)) : fault;
    const body = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body);
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    if (fault === "cut") {
      response.write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy());
      return;
    }
    response.end(body);
  }

  return Object.assign(faulty, { url: `http://127.0.0.1:${await listen(server)}` });
}

export function ok(body: unknown): Reply {
  return { status: 200, body };
}

/** Escapes a name like Django and Moodle. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
