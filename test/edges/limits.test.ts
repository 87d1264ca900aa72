import { once } from "node:events";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { Code, ConnectError } from "@connectrpc/connect";
import { pino } from "pino";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createPipeline } from "#api/pipeline/pipeline.js";
import { createGrpcServer, type GrpcEdge } from "#edges/grpc/server.js";
import { connectionShares } from "#edges/http/connection-limits.js";
import { createHttpServer, type HttpEdge } from "#edges/http/server.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { ALGEBRA, importContractData, issued } from "../contract/contract-data.js";
import { send } from "../contract/raw-request.js";
import { type Lock, lockTables } from "../db/lock.js";
import { givenService, tokenOf } from "../support/service.js";
import { callGrpc } from "./transports.js";

const V1 = "/api/learning_credentials/v1";
const UUID = issued.AVAILABLE.verifyUuid;
const TOO_MANY = "There are too many requests at once: try again in a second.";
const WATCH = "/grpc.health.v1.Health/Watch";
const MAX_CALLS = 3;

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
