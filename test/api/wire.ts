import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import {
  create,
  type DescMethod,
  getOption,
  hasOption,
  type Message,
  type MessageInitShape,
  toBinary,
  toJson,
  toJsonString,
} from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { http as httpRule } from "#gen/google/api/annotations_pb.js";
import type { TestService } from "../support/service.js";

/** Headers or metadata with which a caller authenticates. */
export type Shown = Readonly<Record<string, string>>;

/** A response, read without a client library. */
export interface Heard {
  /** The name of the gRPC code, or of the code that corresponds to the HTTP status. */
  readonly code: string;
  readonly message: string;
  /** Everything that the caller receives except the date: status, headers sorted by name, body and trailers. */
  readonly fullText: string;
}

/** A protocol for calling methods. */
export interface Transport {
  readonly name: string;
  has(method: DescMethod): boolean;
  /** @param withinMs a deadline that the service must enforce */
  call(method: DescMethod, requests: readonly object[], shown: Shown, withinMs?: number): Promise<Heard>;
}

/** All protocols of a service, over a few connections. */
export interface Wire {
  readonly transports: readonly Transport[];
  /** Calls any path of the gRPC port with a single message, which is sent unchanged. */
  grpc(path: string, message: Uint8Array, shown: Shown): Promise<Heard>;
  close(): void;
}

/** Returns whether the method may be called with GET. Only these calls may authenticate with cookies. */
export function isReadByGet({ methodKind, idempotency }: DescMethod): boolean {
  return methodKind === "unary" && idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
}

export function pathOf(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`;
}

export function openWire(service: TestService): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const session = connectHttp2(`http://${service.grpcAddress}`);
  const send = (request: Sent) => sendHttp(service.httpUrl, agent, request);
  return {
    transports: [
      {
        name: "gRPC",
        has: () => true,
        call: (method, requests, shown, withinMs) =>
          callGrpc(session, pathOf(method), enveloped(method, requests), shown, withinMs),
      },
      ...(["json", "proto"] as const).map((codec) => ({
        name: `Connect, ${codec}`,
        has: () => true,
        call: async (...call: Parameters<Transport["call"]>) =>
          hearConnect(call[0], await send(connect(codec, ...call))),
      })),
      {
        name: "Connect, GET",
        has: isReadByGet,
        call: async (method, requests, shown) =>
          hearConnect(method, await send(connectGet(method, requests, shown))),
      },
      {
        name: "gRPC-Web",
        has: () => true,
        call: async (...call) => hearWeb(await send(grpcWeb(...call))),
      },
      {
        name: "REST",
        has: (method) => hasOption(method, httpRule),
        call: async (method, requests, shown) => hearRest(await send(rest(method, requests, shown))),
      },
    ],
    grpc: (path, message, shown) => callGrpc(session, path, envelope(message), shown),
    close() {
      agent.destroy();
      session.destroy();
    },
  };
}

/** Returns the path that the console's pages use. Only the session cookie authenticates there. */
export function consoleTransport(service: TestService): Transport {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  return {
    name: "console",
    has: () => true,
    async call(method, requests, shown, withinMs) {
      const sent = connect("json", method, requests, shown, withinMs);
      const headers = { ...sent.headers, "sec-fetch-site": "same-origin" };
      const path = `/console/rpc${sent.path}`;
      return hearConnect(method, await sendHttp(service.httpUrl, agent, { ...sent, path, headers }));
    },
  };
}

interface Sent {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: Buffer;
}

interface Received {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

/** The id of all requests. With different ids, all responses would differ. */
const SAME_ID = { "x-request-id": "same" };

function messageOf({ input }: DescMethod, request: object): Message {
  return create(input, request as MessageInitShape<typeof input>);
}

function envelope(bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

function enveloped(method: DescMethod, requests: readonly object[]): Buffer {
  return Buffer.concat(requests.map((each) => envelope(toBinary(method.input, messageOf(method, each)))));
}

function connect(
  codec: "json" | "proto",
  method: DescMethod,
  requests: readonly object[],
  shown: Shown,
  withinMs?: number,
): Sent {
  const encode = (request: object) => {
    const message = messageOf(method, request);
    return codec === "json"
      ? Buffer.from(toJsonString(method.input, message))
      : Buffer.from(toBinary(method.input, message));
  };
  const isUnary = method.methodKind === "unary";
  return {
    method: "POST",
    path: pathOf(method),
    headers: {
      ...shown,
      "content-type": `application/${isUnary ? "" : "connect+"}${codec}`,
      ...(withinMs !== undefined && { "connect-timeout-ms": String(withinMs) }),
    },
    body: isUnary
      ? encode(requests[0] ?? {})
      : Buffer.concat(requests.map((request) => envelope(encode(request)))),
  };
}

function connectGet(method: DescMethod, [request = {}]: readonly object[], shown: Shown): Sent {
  const message = encodeURIComponent(toJsonString(method.input, messageOf(method, request)));
  return {
    method: "GET",
    path: `${pathOf(method)}?connect=v1&encoding=json&message=${message}`,
    headers: { ...shown },
  };
}

function grpcWeb(method: DescMethod, requests: readonly object[], shown: Shown, withinMs?: number): Sent {
  return {
    method: "POST",
    path: pathOf(method),
    headers: {
      ...shown,
      "content-type": "application/grpc-web+proto",
      ...(withinMs !== undefined && { "grpc-timeout": `${withinMs}m` }),
    },
    body: enveloped(method, requests),
  };
}

/** Puts the fields that the template names into the path, and the others into the query. */
function rest(method: DescMethod, [request = {}]: readonly object[], shown: Shown): Sent {
  const { pattern } = getOption(method, httpRule);
  if (pattern.case !== "get" && pattern.case !== "post") {
    throw new Error(`${pathOf(method)} has a route, but not by GET or POST`);
  }
  const fields = toJson(method.input, messageOf(method, request), { useProtoFieldName: true });
  const query = new URLSearchParams(fields as Record<string, string>);
  const path = pattern.value.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = query.get(name) ?? "";
    query.delete(name);
    return encodeURIComponent(value);
  });
  const target = `${path}/${query.size > 0 ? `?${query}` : ""}`;
  return { method: pattern.case === "get" ? "GET" : "POST", path: target, headers: { ...shown } };
}

function sendHttp(baseUrl: string, agent: Agent, { method, path, headers, body }: Sent): Promise<Received> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const options = { hostname, port, agent, method, path, headers: { ...SAME_ID, ...headers } };
    const sent = httpRequest(options, async (response: IncomingMessage) => {
      try {
        const chunks = (await response.toArray()) as Buffer[];
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      } catch (error) {
        reject(error);
      }
    });
    sent.on("error", reject).end(body);
  });
}

function fullTextOf({ status, headers, body }: Received, trailers: object = {}): string {
  const shown = [...Object.entries(headers), ...Object.entries(trailers)]
    .filter(([name]) => name !== "date")
    .map(([name, value]) => `${name}: ${value}`);
  return [status, ...shown.sort(), "", body.toString("latin1")].join("\n");
}

/** `permission_denied` -> `PermissionDenied` */
function codeNamed(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function hearConnect({ methodKind }: DescMethod, received: Received): Heard {
  const fullText = fullTextOf(received);
  const text = methodKind === "unary" ? received.body.toString() : endOf(received.body, 2);
  const isRefused = methodKind !== "unary" || received.status !== 200;
  const { error, code, message } = isRefused ? JSON.parse(text) : {};
  const fault = methodKind === "unary" ? { code, message } : (error ?? {});
  return { code: codeNamed(fault.code ?? "OK"), message: fault.message ?? "", fullText };
}

function hearWeb(received: Received): Heard {
  const trailers = new Headers(
    endOf(received.body, 0x80)
      .trim()
      .split("\r\n")
      .map((line) => line.split(/: ?/, 2) as [string, string]),
  );
  const status = trailers.get("grpc-status") ?? received.headers["grpc-status"];
  const message = trailers.get("grpc-message") ?? received.headers["grpc-message"] ?? "";
  return grpcStatus(Number(status), String(message), fullTextOf(received));
}

function grpcStatus(status: number, message: string, fullText: string): Heard {
  const code = status === 0 ? "OK" : (Code[status] ?? `grpc-status ${status}`);
  return { code, message: decodeURIComponent(message), fullText };
}

/** Returns the contents of the last envelope, which has this flag. */
function endOf(body: Buffer, flag: number): string {
  let at = 0;
  while (at + 5 <= body.length) {
    const end = at + 5 + body.readUInt32BE(at + 1);
    if (((body[at] ?? 0) & flag) !== 0) return body.toString("utf8", at + 5, end);
    at = end;
  }
  return "";
}

const codeOfStatus: Record<number, string> = {
  200: "OK",
  201: "OK",
  400: "InvalidArgument",
  403: "PermissionDenied",
  404: "NotFound",
  409: "AlreadyExists",
};

function hearRest(received: Received): Heard {
  const { detail, error } = JSON.parse(received.body.toString()) as { detail?: string; error?: string };
  const code = codeOfStatus[received.status] ?? `HTTP ${received.status}`;
  return { code, message: detail ?? error ?? "", fullText: fullTextOf(received) };
}

/** @param body messages, each in its envelope */
function callGrpc(
  session: ClientHttp2Session,
  path: string,
  body: Buffer,
  shown: Shown,
  withinMs?: number,
): Promise<Heard> {
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
    ...(withinMs !== undefined && { "grpc-timeout": `${withinMs}m` }),
    ...SAME_ID,
    ...shown,
  });
  let status = 0;
  const headers: Record<string, string | string[] | undefined> = {};
  const trailers: Record<string, string | string[] | undefined> = {};
  const chunks: Buffer[] = [];
  stream.on("response", (given) => {
    status = given[":status"] ?? 0;
    Object.assign(headers, given);
  });
  stream.on("trailers", (given) => Object.assign(trailers, given));
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  // A response that arrives before the end of the request closes the stream while the request is still being written.
  stream.on("error", () => {});
  stream.end(body);
  return new Promise((resolve) => {
    stream.once("close", () => {
      const all = { ...headers, ...trailers };
      const fullText = fullTextOf({ status, headers, body: Buffer.concat(chunks) }, trailers);
      resolve(grpcStatus(Number(all["grpc-status"]), String(all["grpc-message"] ?? ""), fullText));
    });
  });
}
