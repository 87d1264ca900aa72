import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from "node:http2";
import { join } from "node:path";
import { promisify } from "node:util";
import { Code } from "@connectrpc/connect";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { givenService } from "../../support/service.js";
import { callGrpc } from "../transports.js";
import {
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  type FrameConnection,
  frame,
  GOAWAY,
  HEADERS,
  headersOfCall,
  hpackString,
  openFrames,
  plainHeaders,
  RST_STREAM,
} from "./http2-frames.js";

const METHOD = "/learning_credentials.v1.CredentialService/GetCredentialMetadata";
const ENHANCE_YOUR_CALM = 11;
const EMPTY = Buffer.alloc(5);
const MAX_FRAME = 16 * 1024;

const lines: string[] = [];
const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
const service = givenService({ log });

describe("metadata of a client that knows its limits", () => {
  let session: ClientHttp2Session;
  beforeEach(async () => {
    session = connect(`http://${service.grpcAddress}`);
    session.on("error", () => {});
    await once(session, "remoteSettings");
  });
  afterEach(() => session.destroy());

  async function call(metadata: OutgoingHttpHeaders): Promise<string> {
    const stream = session.request({
      ":method": "POST",
      ":path": METHOD,
      "content-type": "application/grpc",
      te: "trailers",
      ...metadata,
    });
    let answer = "nothing";
    const note = (headers: Record<string, unknown>) => {
      if (headers["grpc-status"] !== undefined) answer = `status ${headers["grpc-status"]}`;
    };
    stream
      .on("response", note)
      .on("trailers", note)
      .on("error", () => {});
    stream.end(EMPTY).resume();
    await new Promise<void>((resolve) => stream.once("close", resolve));
    return stream.rstCode === 0 ? answer : `reset ${stream.rstCode}`;
  }

  test("receives them", () => {
    expect(session.remoteSettings.maxHeaderListSize).toBe(16 * 1024);
  });

  test.each<[what: string, metadata: OutgoingHttpHeaders, answer: string]>([
    ["of 15 KiB", { "x-large": "x".repeat(15 * 1024) }, "status 5"],
    ["of 17 KiB", { "x-large": "x".repeat(17 * 1024) }, `reset ${ENHANCE_YOUR_CALM}`],
    ["of 60 KiB", { "x-large": "x".repeat(60 * 1024) }, `reset ${ENHANCE_YOUR_CALM}`],
    ["of 90 headers", headers(90), "status 5"],
    ["of 110 headers", headers(110), `reset ${ENHANCE_YOUR_CALM}`],
  ])("%s", async (_, metadata, answer) => {
    const beside = call({});
    expect(await call(metadata)).toBe(answer);
    expect([await beside, await call({})]).toEqual(["status 5", "status 5"]);
  });
});

test.each([17, 60])(
  "too much metadata, %i KiB of it, is RESOURCE_EXHAUSTED to a gRPC client",
  async (kib) => {
    const { code } = await callGrpc(service.grpcPort, CredentialService.method.getCredentialMetadata, [{}], {
      header: { "x-large": "x".repeat(kib * 1024) },
    });
    expect(code).toBe(Code.ResourceExhausted);
  },
);

test("a client that does not know the limits yet receives them", async () => {
  const session = connect(`http://${service.grpcAddress}`);
  const stream = session.request({
    ":method": "POST",
    ":path": METHOD,
    "content-type": "application/grpc",
    "x-large": "x".repeat(17 * 1024),
  });
  const [answer] = await once(stream, "response");
  expect(answer).toMatchObject({
    "grpc-status": String(Code.ResourceExhausted),
    "grpc-message": "The metadata is too large: at most 16 KiB.",
  });
  session.destroy();
});

test("a header that ends the connection in HTTP/2 is reported, and logged, and leaves no client waiting", async () => {
  const connection = await openFrames(service.grpcPort);
  lines.length = 0;
  const block = plainHeaders(headersOfCall(METHOD, ["x-large", "x".repeat(66_000)]));
  const parts = Array.from({ length: Math.ceil(block.length / MAX_FRAME) }, (_, index) =>
    block.subarray(index * MAX_FRAME, (index + 1) * MAX_FRAME),
  );
  const frames = parts.map((part, index) =>
    frame(index === 0 ? HEADERS : CONTINUATION, index === parts.length - 1 ? END_HEADERS : 0, 1, part),
  );
  await connection.write(...frames, frame(DATA, END_STREAM, 1, EMPTY));
  await connection.ended;
  expect(connection.received.map(({ type }) => type)).toContain(GOAWAY);
  expect(lines.join("")).toContain(
    "calls refused before they started: metadata too large, or headers malformed",
  );
});

/** Debian's python3-grpcio uses gRPC's C-core, as do gRPC for PHP, Ruby and C++. */
const PYTHON = "/usr/bin/python3";
const hasGrpcio = spawnSync(PYTHON, ["-c", "import grpc"]).status === 0;

test.skipIf(!hasGrpcio)("no size of metadata leaves grpcio waiting for its deadline", async () => {
  const { stdout } = await promisify(execFile)(PYTHON, [
    join(import.meta.dirname, "large-metadata.py"),
    service.grpcAddress,
    METHOD,
    ...[20_000, 64_000, 66_000, 200_000].map(String),
  ]);
  expect(stdout.trim().split("\n")).toEqual([
    "20000 RESOURCE_EXHAUSTED, then NOT_FOUND",
    "64000 RESOURCE_EXHAUSTED, then NOT_FOUND",
    "66000 UNAVAILABLE, then NOT_FOUND",
    "200000 UNAVAILABLE, then NOT_FOUND",
  ]);
});

describe("metadata of a client that ignores the limits", () => {
  let connection: FrameConnection;
  beforeEach(async () => {
    connection = await openFrames(service.grpcPort);
  });
  afterEach(() => connection.socket.destroy());

  const call = plainHeaders(headersOfCall(METHOD));
  /** A header of 4 kB that the server indexes. After this, a single byte refers to it. */
  const remembered = Buffer.concat([Buffer.of(0x40), hpackString("x"), hpackString("y".repeat(3_900))]);
  const again = (times: number) => Buffer.alloc(times, 0xbe);
  const request = (stream: number, block: Buffer) =>
    Buffer.concat([
      frame(HEADERS, END_HEADERS, stream, Buffer.concat([call, block])),
      frame(DATA, END_STREAM, stream, EMPTY),
    ]);
  const received = (type: number) => connection.received.filter((each) => each.type === type);

  test("gets a response while its size is moderate", async () => {
    await connection.write(request(1, Buffer.concat([remembered, again(5)])), request(3, again(2)));
    await expect.poll(() => received(HEADERS).map(({ stream }) => stream)).toEqual([1, 3]);
    expect(received(GOAWAY)).toEqual([]);
  });

  test("costs the client its connection when it becomes a flood", async () => {
    const flood = Array.from({ length: 2_000 }, (_, index) => request(2 * index + 3, again(90)));
    await connection.write(request(1, remembered), ...flood);
    await connection.ended;
    expect(received(GOAWAY)[0]?.payload.readUInt32BE(4)).toBe(ENHANCE_YOUR_CALM);
    expect(received(RST_STREAM).length).toBeLessThan(100);
  });
});

test("bytes that are not text stay out of the log, and don't flood it or the console", async () => {
  const written: string[] = [];
  const { error } = console;
  console.error = (...texts: unknown[]) => void written.push(texts.join(" "));
  const connection = await openFrames(service.grpcPort);
  try {
    lines.length = 0;
    const secrets = [
      ["authorization", "Bearer secret\u00e9"],
      ["x-learner", "Ana Kova\u00e9 ana@example.org"],
      ["x-many", "\u00e9".repeat(4_000)],
    ] as const;
    const block = plainHeaders(headersOfCall(METHOD, ...secrets));
    const calls = Array.from({ length: 100 }, (_, index) => [
      frame(HEADERS, END_HEADERS, 2 * index + 1, block),
      frame(DATA, END_STREAM, 2 * index + 1, EMPTY),
    ]);
    await connection.write(...calls.flat());
    await expect.poll(() => connection.received.filter(({ type }) => type === HEADERS).length).toBe(100);
  } finally {
    console.error = error;
    connection.socket.destroy();
  }
  expect(written).toEqual([]);
  const log = lines.join("");
  expect(log).toContain("grpc-js reported a problem");
  expect(log).not.toMatch(/secret|Ana|example\.org|\u00e9\u00e9/);
  expect(log.match(/grpc-js reported a problem/g)?.length).toBeLessThan(5);
});

function headers(count: number): OutgoingHttpHeaders {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, "y"]));
}
