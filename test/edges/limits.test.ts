import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { pino } from "pino";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createPipeline } from "#api/pipeline/pipeline.js";
import { createGrpcServer, type GrpcEdge } from "#edges/grpc/server.js";
import { connectionShares } from "#edges/http/connection-limits.js";
import { createHttpServer, type HttpEdge } from "#edges/http/server.js";
import {
  CredentialService,
  ListCredentialsRequestSchema,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { ALGEBRA, importContractData, issued } from "../contract/contract-data.js";
import { send } from "../contract/raw-request.js";
import { type Lock, lockTables } from "../db/lock.js";
import { keptBytes } from "../support/kept-on-heap.js";
import { givenService, tokenOf } from "../support/service.js";
import { callGrpc } from "./transports.js";

const V1 = "/api/learning_credentials/v1";
const UUID = issued.AVAILABLE.verifyUuid;
const TOO_MANY = "There are too many requests at once: try again in a second.";
const WATCH = "/grpc.health.v1.Health/Watch";
const MIB = 1024 * 1024;
const MAX_CALLS = 3;
/** The service reads at least this much of a large body before it refuses the request. */
const READ_BYTES = 65_536;
/** A request takes at least this much memory, besides its body. */
const REQUEST_BYTES = 4096;

const service = givenService({ settings: { MAX_CONCURRENT_CALLS: String(MAX_CALLS) } });
let staff: string;
/** As many staff users as there are slots, because each gets only a share of them. */
let registrars: string[];
beforeAll(async () => {
  await importContractData(service);
  staff = await tokenOf({ username: "registrar", isStaff: true });
  registrars = await Promise.all(
    Array.from({ length: MAX_CALLS }, (_, i) => tokenOf({ username: `registrar-${i}`, isStaff: true })),
  );
});

const query = (target: string, headers: Record<string, string> = {}) =>
  send(service.httpUrl, {
    method: "GET",
    target,
    headers: { authorization: `Bearer ${staff}`, ...headers },
  });

describe("MAX_CONCURRENT_CALLS", () => {
  let lock: Lock;
  beforeEach(async () => {
    lock = await lockTables(service.app.database.url, "credentials", "credential_configurations");
  });
  afterEach(() => lock.release());

  const configured = () => query(`${V1}/configured/${ALGEBRA}/`);

  test("refuses calls over the limit immediately, in each protocol's way, until a place is free", async () => {
    const { listCredentials } = CredentialService.method;
    const list = (token = staff) => callGrpc(service.grpcPort, listCredentials, [{}], { token });
    const held = registrars.map((token) => list(token));
    await expect.poll(() => lock.waiting()).toBe(MAX_CALLS);

    const rest = await query(`${V1}/metadata/${UUID}/`);
    expect([rest.status, rest.headers["retry-after"], JSON.parse(rest.body)]).toEqual([
      503,
      "1",
      { error: TOO_MANY },
    ]);
    expect(await list()).toMatchObject({
      code: Code.ResourceExhausted,
      message: TOO_MANY,
    });
    const overConnect = service.client(CredentialService, staff).listCredentials({});
    const refusal = (await overConnect.catch(ConnectError.from)) as ConnectError;
    expect([refusal.code, refusal.rawMessage, refusal.metadata.get("retry-after")]).toEqual([
      Code.ResourceExhausted,
      TOO_MANY,
      "1",
    ]);
    const download = await query(`/download/credential/${issued.AVAILABLE.uuid}/`);
    expect([download.status, download.headers["retry-after"]]).toEqual([503, "1"]);
    expect((await query("/livez")).status).toBe(200);

    await lock.release();
    expect((await Promise.all(held)).map(({ code }) => code)).toEqual([undefined, undefined, undefined]);
    expect((await configured()).status).toBe(200);
  });

  test("limits streams separately, so that neither kind keeps the other out", async () => {
    const abort = new AbortController();
    const list = (token = staff) =>
      callGrpc(service.grpcPort, EligibilityService.method.listEligibleLearners, [{ configurationId: 1 }], {
        token,
        signal: abort.signal,
      });
    const held = registrars.map((token) => list(token));
    await expect.poll(() => lock.waiting()).toBe(MAX_CALLS);
    expect(await list()).toMatchObject({ code: Code.ResourceExhausted, message: TOO_MANY });
    const unary = configured();
    await expect.poll(() => lock.waiting()).toBe(MAX_CALLS + 1);
    abort.abort();
    expect((await Promise.all(held)).map(({ code }) => code)).toEqual([1, 1, 1]);
    await lock.release();
    expect((await unary).status).toBe(200);
  });
});

describe("a request that is too large is refused, and no part of it is kept", () => {
  const large = "x".repeat(5 * MIB);
  const post = async (path: string, body: Buffer, headers: Record<string, string>) => {
    const answer = await fetch(service.httpUrl + path, {
      method: "POST",
      headers: { authorization: `Bearer ${staff}`, ...headers },
      body: new Uint8Array(body),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const unary = "/learning_credentials.v1.CredentialService/ListCredentials";
  const stream = "/learning_credentials.v1.EligibilityService/ListEligibleLearners";
  const json = Buffer.from(JSON.stringify({ username: large }));
  const bomb = gzipSync(Buffer.alloc(200 * MIB));
  const envelope = (flags: number, message: Buffer) => {
    const head = Buffer.alloc(5);
    head[0] = flags;
    head.writeUInt32BE(message.length, 1);
    return Buffer.concat([head, message]);
  };

  /** Expects that each request takes little memory, and that many of them leave less behind than half of them. */
  async function expectNothingKept(request: () => Promise<void>, body: Buffer): Promise<void> {
    const size = Math.min(Math.max(body.length, REQUEST_BYTES), READ_BYTES);
    const before = process.memoryUsage().rss;
    await request();
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * MIB);
    for (let i = 0; i < 2; i++) await request();
    const times = (2 * MIB) / size;
    const kept = await keptBytes();
    for (let i = 0; i < times; i++) await request();
    await expect.poll(async () => (await keptBytes()) - kept).toBeLessThan((times * size) / 2);
  }

  test.each<
    [what: string, path: string, body: Buffer, headers: Record<string, string>, status: number, text: string]
  >([
    [
      "a body over Connect",
      unary,
      json,
      { "content-type": "application/json" },
      429,
      '"code":"resource_exhausted"',
    ],
    [
      "a bomb over Connect",
      unary,
      bomb,
      { "content-type": "application/json", "content-encoding": "gzip" },
      429,
      '"code":"resource_exhausted"',
    ],
    [
      "a message of a stream over Connect",
      stream,
      envelope(0, json),
      { "content-type": "application/connect+json" },
      200,
      '"code":"resource_exhausted"',
    ],
    [
      "a bomb in a stream over Connect",
      stream,
      envelope(1, bomb),
      { "content-type": "application/connect+json", "connect-content-encoding": "gzip" },
      200,
      '"code":"resource_exhausted"',
    ],
    [
      "a message over gRPC-Web",
      unary,
      envelope(0, json),
      { "content-type": "application/grpc-web+json" },
      200,
      "grpc-status: 8\r\n",
    ],
    [
      "a bomb over gRPC-Web",
      unary,
      envelope(1, bomb),
      { "content-type": "application/grpc-web+proto", "grpc-encoding": "gzip" },
      200,
      "grpc-status: 8\r\n",
    ],
    // The length announces four gigabytes. The service does not wait for them.
    [
      "a length over gRPC-Web",
      unary,
      Buffer.from([0, 255, 255, 255, 255, 1]),
      { "content-type": "application/grpc-web+proto" },
      200,
      "grpc-status: 8\r\n",
    ],
  ])("%s", async (_, path, body, headers, status, text) => {
    const refused = { status, text: expect.stringContaining(text) };
    await expectNothingKept(async () => expect(await post(path, body, headers)).toEqual(refused), body);
  });

  test.each<[what: string, body: Buffer, headers: Record<string, string>]>([
    [
      "a message over gRPC",
      envelope(
        0,
        Buffer.from(
          toBinary(ListCredentialsRequestSchema, create(ListCredentialsRequestSchema, { username: large })),
        ),
      ),
      {},
    ],
    ["a bomb over gRPC", envelope(1, bomb), { "grpc-encoding": "gzip" }],
  ])("%s", async (_, body, headers) => {
    await expectNothingKept(
      async () => expect(await rawGrpc(service.grpcPort, body, headers)).toBe("8"),
      body,
    );
  });

  test("a message over gRPC-Web, whose connection can then be used again", async () => {
    const { hostname, port } = new URL(service.httpUrl);
    const socket = connect(Number(port), hostname);
    let received = "";
    socket.on("data", (data) => (received += data));
    const body = Buffer.alloc(MIB, 255);
    const head = [
      `POST ${unary} HTTP/1.1`,
      "host: x",
      `authorization: Bearer ${staff}`,
      "content-type: application/grpc-web+proto",
      `content-length: ${body.length}`,
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    socket.write(body.subarray(0, 6));
    await expect.poll(() => received).toContain("grpc-status: 8");
    received = "";
    socket.write(body.subarray(6));
    socket.write("GET /livez HTTP/1.1\r\nhost: x\r\n\r\n");
    await expect.poll(() => received).toContain("HTTP/1.1 200 OK");
    socket.destroy();
  });

  test("a body over REST, a URL, and headers", async () => {
    const reported = { "content-length": String(1024 * MIB), expect: "100-continue" };
    const request = httpRequest(`${service.httpUrl}${V1}/metadata/${UUID}/`, {
      method: "GET",
      headers: reported,
    });
    request.flushHeaders();
    const [answer] = await once(request, "response");
    expect([answer.statusCode, answer.headers.connection]).toEqual([200, "close"]);
    request.destroy();
    expect((await query(`${V1}/metadata/${"x".repeat(9_000)}/`)).status).toBe(414);
    expect((await query(`${V1}/metadata/${UUID}/`, { "x-filler": "x".repeat(20_000) })).status).toBe(431);
  });
});

/**
 * Sends one message unchanged.
 * @returns the gRPC status
 */
async function rawGrpc(port: number, body: Buffer, headers: Record<string, string>): Promise<string> {
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  const stream = session.request({
    ":method": "POST",
    ":path": "/learning_credentials.v1.CredentialService/ListCredentials",
    "content-type": "application/grpc",
    te: "trailers",
    authorization: `Bearer ${staff}`,
    ...headers,
  });
  let status = "";
  for (const event of ["response", "trailers"]) {
    stream.on(event, (given) => {
      status = String(given["grpc-status"] ?? status);
    });
  }
  stream.resume().end(body);
  await once(stream, "close");
  session.close();
  return status;
}

describe("connections", () => {
  const log = pino({ level: "silent" });
  const opened: (Socket | ClientHttp2Session)[] = [];
  let http: HttpEdge | undefined;
  let grpc: GrpcEdge | undefined;
  afterEach(async () => {
    for (const connection of opened.splice(0)) connection.destroy();
    await http?.close(0);
    await grpc?.close(0);
    http = grpc = undefined;
  });

  async function openSocket(port: number, first = "", localAddress = "127.0.0.1"): Promise<Socket> {
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    opened.push(socket.on("error", () => {}));
    await once(socket, "connect");
    if (first === "") socket.resume();
    else socket.write(first);
    return socket;
  }

  test("over HTTP are bounded, and a new one replaces the one that was idle longest", async () => {
    const waiting = new Set<() => void>();
    http = await createHttpServer({
      handlers: [
        (request, response) => {
          if (request.url === "/wait") waiting.add(() => response.end("waited"));
          else response.end("now");
          return true;
        },
      ],
      host: "127.0.0.1",
      port: 0,
      maxConnections: 3,
      log,
    });
    const busy = await openSocket(http.port, "GET /wait HTTP/1.1\r\nhost: x\r\n\r\n");
    await expect.poll(() => waiting.size).toBe(1);
    const oldest = await openSocket(http.port, "GET / HTTP/1.1\r\nhost: x\r\nx-drop: ");
    const used = await openSocket(http.port, "GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    await once(used, "data");

    const newcomer = await fetch(`http://127.0.0.1:${http.port}/`);
    expect(await newcomer.text()).toBe("now");
    await expect.poll(() => oldest.closed).toBe(true);
    expect([busy.closed, used.closed]).toEqual([false, false]);
    for (let i = 0; i < 20; i++) await openSocket(http.port);
    const [answer] = await Promise.all([once(busy, "data"), [...waiting].map((answerNow) => answerNow())]);
    expect(String(answer)).toContain("waited");
  });

  const pipeline = createPipeline({ mounts: [], authenticate: () => ({ kind: "anonymous" }), log });

  test("over gRPC are bounded, and a new one replaces the one that was idle longest", async () => {
    grpc = await createGrpcServer({ pipeline, host: "127.0.0.1", port: 0, maxConnections: 3, log });
    const { port } = grpc;
    const busy = await openSession(port);
    const watch = busy.request({ ":method": "POST", ":path": WATCH, "content-type": "application/grpc" });
    watch.end(Buffer.alloc(5));
    await once(watch, "data");
    const oldest = await openSocket(port);
    const used = await openSession(port);
    for (const served of [true, true, true]) expect(await isServed(port)).toBe(served);
    await expect.poll(() => [oldest.closed, used.closed]).toEqual([true, true]);
    expect([busy.closed, watch.closed]).toEqual([false, false]);
    watch.close();
    await once(watch, "close");
    for (let i = 0; i < 3; i++) await openSocket(port);
    await expect.poll(() => busy.closed).toBe(true);
  });

  test("with a call in progress are never replaced", async () => {
    grpc = await createGrpcServer({ pipeline, host: "127.0.0.1", port: 0, maxConnections: 2, log });
    const { port } = grpc;
    for (let i = 0; i < 2; i++) {
      const watch = (await openSession(port)).request({
        ":method": "POST",
        ":path": WATCH,
        "content-type": "application/grpc",
      });
      watch.end(Buffer.alloc(5));
      await once(watch, "data");
    }
    expect(await isServed(port)).toBe(false);
  });

  test.each(["HTTP", "gRPC"])(
    "over %s are limited for each client, so that others get some",
    async (transport) => {
      const options = { host: "127.0.0.1", port: 0, maxConnections: 4, shares: connectionShares(0), log };
      http = await createHttpServer({ handlers: [], ...options });
      grpc = await createGrpcServer({ pipeline, ...options });
      const { port } = transport === "HTTP" ? http : grpc;
      const [ana, mallory] = ["127.0.0.2", "127.0.0.3"];
      const others = [await openSocket(port, "", ana)];
      const many: Socket[] = [];
      for (let i = 0; i < 20; i++) many.push(await openSocket(port, "", mallory));
      await expect.poll(() => many.filter((socket) => !socket.closed).length).toBe(1);
      expect(many.at(-1)?.closed).toBe(false);
      others.push(await openSocket(port, "", "127.0.0.4"));
      for (const other of others) expect(other.closed).toBe(false);
      for (const first of [ana, mallory]) await openSocket(port, "", first);
      // Each new connection replaces one of the same client's connections.
      await expect.poll(() => [others[0]?.closed, many.at(-1)?.closed]).toEqual([true, true]);
    },
  );

  test("from trusted proxies are exempt from the share of one client", () => {
    expect(connectionShares(1)).toMatchObject({ share: 1 });
    expect(connectionShares(1).clientAt("192.0.2.1")).toBe(connectionShares(1).clientAt("192.0.2.2"));
    expect(connectionShares(0).clientAt("::ffff:192.0.2.1")).toBe(connectionShares(0).clientAt("192.0.2.1"));
  });

  async function openSession(port: number): Promise<ClientHttp2Session> {
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    opened.push(session.on("error", () => {}));
    await once(session, "remoteSettings");
    return session;
  }

  /** Returns whether a call over a new connection is answered. */
  async function isServed(port: number): Promise<boolean> {
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    opened.push(session.on("error", () => {}));
    const call = session.request({
      ":method": "POST",
      ":path": "/none/at/all",
      "content-type": "application/grpc",
    });
    call.end();
    return once(call, "response").then(
      () => true,
      () => false,
    );
  }
});
