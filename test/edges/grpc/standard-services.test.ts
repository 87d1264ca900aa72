import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { serveOps } from "#app/serve-ops.js";
import { ServerReflectionRequestSchema } from "#gen/grpc/reflection/v1/reflection_pb.js";
import { HealthCheckRequestSchema } from "#gen/health/v1/health_pb.js";
import { givenService, startTestService } from "../../support/service.js";

const REFLECT = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
const CHECK = "/grpc.health.v1.Health/Check";
const WATCH = "/grpc.health.v1.Health/Watch";
const METADATA = "/learning_credentials.v1.CredentialService/GetCredentialMetadata";
const DOCS = "/api/learning_credentials/v1/docs/";
const KIB = 1024;

/** gRPC status codes. */
const OK = "0";
const NOT_FOUND = "5";
const RESOURCE_EXHAUSTED = "8";
const UNIMPLEMENTED = "12";
const UNAVAILABLE = "14";

const envelope = (message: Uint8Array) => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
};
const reflectionRequest = (symbol: string) =>
  envelope(
    toBinary(
      ServerReflectionRequestSchema,
      create(ServerReflectionRequestSchema, {
        messageRequest: { case: "fileContainingSymbol", value: symbol },
      }),
    ),
  );
const send = reflectionRequest("learning_credentials.v1.CredentialService");
const health = (service = "") =>
  envelope(toBinary(HealthCheckRequestSchema, create(HealthCheckRequestSchema, { service })));

const lines: { method: string; code: string }[] = [];
const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });

const service = givenService({ settings: { ADMIN_PORT: "0" }, log });

const sessions: ClientHttp2Session[] = [];
afterEach(() => {
  for (const session of sessions.splice(0)) session.destroy();
});

function open(to = service, settings = {}): ClientHttp2Session {
  const session = connect(`http://${to.grpcAddress}`, { settings });
  session.on("error", () => {});
  sessions.push(session);
  return session;
}

function begin(session: ClientHttp2Session, path: string, metadata = {}): ClientHttp2Stream {
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
    ...metadata,
  });
  return stream.on("error", () => {});
}

/** Returns the gRPC status with which the call ends. */
async function statusOf(stream: ClientHttp2Stream): Promise<string> {
  let status = "none";
  const note = (headers: Record<string, unknown>) => {
    if (headers["grpc-status"] !== undefined) status = String(headers["grpc-status"]);
  };
  stream.on("response", note).on("trailers", note).resume();
  await new Promise<void>((resolve) => stream.once("close", resolve));
  return status;
}

function call(session: ClientHttp2Session, path: string, message: Buffer, metadata = {}): Promise<string> {
  const stream = begin(session, path, metadata);
  stream.end(message);
  return statusOf(stream);
}

test("health and reflection are logged and counted like other calls", async () => {
  const admin = await serveOps(service.app);
  const session = open();
  const calls: [path: string, message: Buffer, status: string, code: string][] = [
    [CHECK, health(), OK, "Ok"],
    [CHECK, health("no.Such"), NOT_FOUND, "NotFound"],
    ["/grpc.health.v1.Health/List", Buffer.alloc(5), OK, "Ok"],
    [REFLECT, send, OK, "Ok"],
    [REFLECT.replace("v1", "v1alpha"), send, OK, "Ok"],
  ];
  for (const [path, message, status] of calls) expect(await call(session, path, message)).toBe(status);
  const text = await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text();
  for (const [path, , , code] of calls) {
    const method = path.slice(1);
    expect(lines).toContainEqual(expect.objectContaining({ method, code, msg: "call" }));
    expect(text).toContain(`call_seconds_count{method="${method}",code="${code}"} 1`);
  }
});

test("requests to them have a small size limit", async () => {
  const session = open();
  const large = "x".repeat(1100);
  expect(await call(session, CHECK, health(large))).toBe(RESOURCE_EXHAUSTED);
  expect(await call(session, REFLECT, reflectionRequest(large))).toBe(RESOURCE_EXHAUSTED);
});

test("the service stops reading requests of a stream whose responses are not read", async () => {
  const session = open(service, { initialWindowSize: 0 });
  const stream = begin(session, REFLECT).pause();
  const requests = Buffer.concat(Array(200_000).fill(send));
  stream.write(requests);
  expect(await call(open(), METADATA, Buffer.alloc(5))).toBe(NOT_FOUND);
  let left = stream.writableLength;
  for (let before = -1; before !== left; left = stream.writableLength) {
    before = left;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const { outboundQueueSize = 0 } = session.state;
  expect(requests.length - left).toBeLessThan(256 * KIB + outboundQueueSize);
});

test("the requests of one stream are limited", async () => {
  const stream = begin(open(), REFLECT);
  stream.end(Buffer.concat(Array(1_001).fill(reflectionRequest("no.Such"))));
  expect(await statusOf(stream)).toBe(RESOURCE_EXHAUSTED);
});

test.each([
  ["reflection", REFLECT, 12],
  ["watches of health", WATCH, 50],
])(
  "one client can open a limited number of streams of %s, and other clients are still served",
  async (_, path, most) => {
    const session = open();
    const streams = Array.from({ length: most + 10 }, () => begin(session, path));
    const ended: string[] = [];
    for (const stream of streams) {
      stream[path === WATCH ? "end" : "write"](path === WATCH ? health() : send);
      void statusOf(stream).then((status) => ended.push(status));
    }
    await expect.poll(() => ended).toEqual(Array(10).fill(RESOURCE_EXHAUSTED));
    expect(await call(session, METADATA, Buffer.alloc(5))).toBe(NOT_FOUND);
    expect(await call(session, CHECK, health())).toBe(OK);
  },
);

test("reflection uses the limit of public calls, health does not", async () => {
  const limited = await startTestService({ settings: { PUBLIC_RATE_LIMIT: "3", TRUSTED_PROXIES: "1" } });
  const session = open(limited);
  const reflectFor = (client: string) => call(session, REFLECT, send, { "x-forwarded-for": client });
  for (let i = 0; i < 3; i++) expect(await reflectFor("192.0.2.1")).toBe(OK);
  expect(await reflectFor("192.0.2.1")).toBe(RESOURCE_EXHAUSTED);
  expect(await reflectFor("192.0.2.2")).toBe(OK);
  expect(await reflectFor("203.0.113.9, 192.0.2.1")).toBe(RESOURCE_EXHAUSTED);
  for (let i = 0; i < 5; i++) expect(await call(session, CHECK, health())).toBe(OK);
  session.destroy();
  await limited.stop();
});

test("on shutdown a watch of health is notified immediately, and open streams end without delaying it", async () => {
  const stopping = await startTestService();
  const session = open(stopping);
  const reported: Buffer[] = [];
  const watch = begin(session, WATCH).on("data", (bytes) => reported.push(bytes));
  watch.end(health());
  const reflecting = begin(session, REFLECT);
  reflecting.write(send);
  const ends = Promise.all([statusOf(watch), statusOf(reflecting)]);
  await once(reflecting, "data");
  await expect.poll(() => reported.length).toBe(1);
  stopping.app.readiness.markStopping();
  await expect.poll(() => Buffer.concat(reported).at(-1)).toBe(2); // NOT_SERVING
  expect(await call(session, METADATA, Buffer.alloc(5))).toBe(NOT_FOUND);
  await stopping.stop();
  expect(await ends).toEqual([UNAVAILABLE, UNAVAILABLE]);
});

test("API_DOCS switches off reflection and the description of the API", async () => {
  const silent = await startTestService({ settings: { API_DOCS: "False" } });
  const pages = [DOCS, DOCS.slice(0, -1), DOCS.replace("docs/", "openapi.json")];
  for (const page of pages) expect((await fetch(silent.httpUrl + page)).status).toBe(404);
  const session = open(silent);
  expect(await call(session, REFLECT, send)).toBe(UNIMPLEMENTED);
  expect(await call(session, CHECK, health())).toBe(OK);
  session.destroy();
  await silent.stop();
  expect((await fetch(service.httpUrl + DOCS)).status).toBe(200);
});
