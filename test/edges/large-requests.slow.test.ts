import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { beforeAll, describe, expect, test } from "vitest";
import { ListCredentialsRequestSchema } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { importContractData, issued } from "../contract/contract-data.js";
import { send } from "../contract/raw-request.js";
import { keptBytes } from "../support/kept-on-heap.js";
import { givenService, tokenOf } from "../support/service.js";

const V1 = "/api/learning_credentials/v1";
const UUID = issued.AVAILABLE.verifyUuid;
const MIB = 1024 * 1024;
/** The service reads at least this much of a large body before it refuses the request. */
const READ_BYTES = 65_536;
/** A request takes at least this much memory, besides its body. */
const REQUEST_BYTES = 4096;

const service = givenService();
let staff: string;
beforeAll(async () => {
  await importContractData(service);
  staff = await tokenOf({ username: "registrar", isStaff: true });
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

  const query = (target: string, headers: Record<string, string> = {}) =>
    send(service.httpUrl, {
      method: "GET",
      target,
      headers: { authorization: `Bearer ${staff}`, ...headers },
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
