import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openWire, type Wire } from "../../api/wire.js";
import { givenService } from "../../support/service.js";
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
  PING,
  plainHeaders,
  RST_STREAM,
  SETTINGS,
  WINDOW_UPDATE,
} from "./http2-frames.js";

const MIB = 1024 * 1024;
const METHOD = "/learning_credentials.v1.CredentialService/GetCredentialMetadata";
/** Maximum time in which the service must end a flood. A busy machine needs long for 60,000 frames. */
const PATIENCE_MS = 40_000;

const service = givenService();
let wire: Wire;
let connection: FrameConnection;
beforeAll(async () => {
  wire = openWire(service);
});
afterEach(() => connection.socket.destroy());
afterAll(async () => {
  wire.close();
});

const plain = headersOfCall(METHOD);
const call = plainHeaders(plain);
/** An empty message in its gRPC envelope. */
const message = Buffer.alloc(5);
const CANCEL = Buffer.of(0, 0, 0, 8);

/** Sends frames in packets of 20 until the count is reached or the service ends the connection. */
async function flood(count: number, frameOf: (index: number) => Buffer): Promise<void> {
  for (let i = 0; i < count; i += 20) {
    const packet = Array.from({ length: 20 }, (_, index) => frameOf(i + index));
    if (!(await connection.write(...packet))) return;
  }
}

/**
 * Returns the frame and the error with which the service ended the stream or the connection. Calls that were started
 * before a GOAWAY may still be answered after it.
 */
function verdict(): string | undefined {
  const goAway = connection.received.find(({ type }) => type === GOAWAY);
  if (goAway) return `GOAWAY ${goAway.payload.readUInt32BE(4)}`;
  const last = connection.received.findLast(({ type }) => [RST_STREAM, HEADERS].includes(type));
  if (last?.type === RST_STREAM) return `RST_STREAM ${last.payload.readUInt32BE(0)}`;
  if (last?.type === HEADERS) return "answered";
  return connection.socket.closed ? "closed" : undefined;
}

async function expectOthersServed(): Promise<void> {
  const { code } = await wire.grpc(METHOD, Buffer.alloc(0), {});
  expect(code).toBe("NotFound");
}

/** Returns the number of calls that reached the pipeline. */
async function callsCounted(): Promise<number> {
  const counts = (await service.app.metrics.text()).matchAll(/call_seconds_count\{.*\} (\d+)/g);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

const opened = () => connection.write(frame(HEADERS, END_HEADERS, 1, call));

/** A client that floods a connection loses it. Other clients are not affected. */
describe("a flood over gRPC", () => {
  test.each<[of: string, attack: () => Promise<unknown>, verdicts: RegExp]>([
    [
      "calls that are reset at once",
      () =>
        flood(20_000, (index) => {
          const stream = 2 * index + 1;
          return Buffer.concat([
            frame(HEADERS, END_HEADERS, stream, call),
            frame(DATA, END_STREAM, stream, message),
            frame(RST_STREAM, 0, stream, CANCEL),
          ]);
        }),
      /^GOAWAY/,
    ],
    [
      "continued headers",
      async () => {
        await connection.write(frame(HEADERS, 0, 1, call));
        await flood(5_000, (index) =>
          frame(CONTINUATION, 0, 1, plainHeaders([[`x-${index}`, "y".repeat(16_000)]])),
        );
      },
      /^GOAWAY|closed/,
    ],
    [
      "continued headers that are empty",
      async () => {
        await connection.write(frame(HEADERS, 0, 1, call));
        await flood(100_000, () => frame(CONTINUATION, 0, 1));
      },
      /^GOAWAY|closed/,
    ],
    ["settings", () => flood(100_000, () => frame(SETTINGS, 0, 0)), /^GOAWAY|closed/],
    ["pings", () => flood(100_000, () => frame(PING, 0, 0, Buffer.alloc(8))), /^GOAWAY|closed/],
    [
      "pings whose answers are not read",
      async () => {
        connection.socket.pause();
        const pinging = flood(400_000, () => frame(PING, 0, 0, Buffer.alloc(8)));
        await Promise.race([pinging, delay(2_000)]);
        connection.socket.resume();
      },
      /^GOAWAY|closed/,
    ],
    [
      "empty parts of a message",
      async () => {
        await opened();
        await flood(100_000, () => frame(DATA, 0, 1));
      },
      /^GOAWAY|closed/,
    ],
    [
      // Each byte at the end of the headers represents four kilobytes.
      "headers that unpack to 40 MB",
      async () => {
        const remembered = Buffer.concat([Buffer.of(0x40), hpackString("x"), hpackString("y".repeat(3_900))]);
        const bomb = Buffer.concat([call, remembered, Buffer.alloc(10_000, 0xbe)]);
        await connection.write(frame(HEADERS, END_HEADERS | END_STREAM, 1, bomb));
      },
      /^(GOAWAY|RST_STREAM) /,
    ],
  ])("of %s", async (_, attack, verdicts) => {
    connection = await openFrames(service.grpcPort);
    const [memory, calls] = [process.memoryUsage().rss, await callsCounted()];
    const attacking = attack();
    await expectOthersServed();
    await attacking;
    await expect.poll(() => verdict() ?? "nothing", { timeout: PATIENCE_MS }).toMatch(verdicts);
    await expectOthersServed();
    expect((await callsCounted()) - calls).toBeLessThan(1_500);
    expect(process.memoryUsage().rss - memory).toBeLessThan(200 * MIB);
  });
});

describe("odd frames and headers over gRPC do no harm", () => {
  const request = (headers: Parameters<typeof plainHeaders>[0]) => [
    frame(HEADERS, END_HEADERS, 1, plainHeaders(headers)),
    frame(DATA, END_STREAM, 1, message),
  ];
  const without = (name: string) => plain.filter(([each]) => each !== name);
  const PROTOCOL_ERROR = 1;

  test.each<[what: string, frames: Buffer[], answer: string]>([
    ["a call as it should be", request(plain), "answered"],
    ["GET", request([[":method", "GET"], ...without(":method")]), "answered"],
    ["no content type", request(without("content-type")), "answered"],
    ["a header in capitals", request([...plain, ["X-A", "b"]]), `RST_STREAM ${PROTOCOL_ERROR}`],
    [
      "CRLF in a path",
      request([...without(":path"), [":path", `${METHOD}\r\na: b`]]),
      `RST_STREAM ${PROTOCOL_ERROR}`,
    ],
    // Only this header is dropped.
    ["CRLF in a header", request([...plain, ["x-request-id", "a\r\nset-cookie: b"]]), "answered"],
    [
      "a header of HTTP/1.1",
      request([...plain, ["transfer-encoding", "chunked"]]),
      `RST_STREAM ${PROTOCOL_ERROR}`,
    ],
    ["no path", request(without(":path")), `RST_STREAM ${PROTOCOL_ERROR}`],
    ["two paths", request([[":path", "/x"], ...plain]), `RST_STREAM ${PROTOCOL_ERROR}`],
    ["a wrong length", request([...plain, ["content-length", "7"]]), `RST_STREAM ${PROTOCOL_ERROR}`],
    ["a message without a call", [frame(DATA, END_STREAM, 5, message)], `GOAWAY ${PROTOCOL_ERROR}`],
    ["a call under an even number", [frame(HEADERS, END_HEADERS, 2, call)], "GOAWAY 2, or 1"],
    [
      "a window beyond its bounds",
      [frame(WINDOW_UPDATE, 0, 0, Buffer.of(127, 255, 255, 255))],
      "GOAWAY 2, or 3",
    ],
    ["a request by HTTP/1.1", [Buffer.from("GET / HTTP/1.1\r\nHost: x\r\n\r\n")], "GOAWAY 6"],
  ])("%s", async (_, frames, answer) => {
    connection = await openFrames(service.grpcPort);
    await connection.write(...frames);
    // Later versions of Node.js report more exactly what was wrong.
    const [first = "", other = ""] = answer.split(", or ");
    await expect.poll(verdict, { timeout: PATIENCE_MS }).toMatch(new RegExp(`^${first}$|^GOAWAY ${other}$`));
    await expectOthersServed();
  });
});
