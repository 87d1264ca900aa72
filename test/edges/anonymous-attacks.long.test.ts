import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { givenProgram, type Running } from "../main/program.js";
import {
  DATA,
  END_HEADERS,
  END_STREAM,
  type FrameConnection,
  frame,
  HEADERS,
  headersOfCall,
  hpackString,
  openFrames,
  plainHeaders,
} from "./grpc/http2-frames.js";

const METADATA = "/learning_credentials.v1.CredentialService/GetCredentialMetadata";
const REFLECT = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
const WATCH = "/grpc.health.v1.Health/Watch";

const MAX_MEMORY_MIB = 100;
/** Twenty thousand refused streams leave garbage, which a busy machine collects more slowly. */
const MAX_MEMORY_OF_STREAMS_MIB = 200;
/**
 * Maximum response time for other clients. Without the service's limits, it was half a minute. Time in which the
 * service waits for a core is excluded.
 */
const MAX_SILENCE_MS = 1_000;
const MAX_LOG_RATIO = 2;

const EMPTY = Buffer.alloc(5);
const LIST_SERVICES = Buffer.of(0, 0, 0, 0, 3, 0x3a, 1, 0x2a);
const callTo = (...call: Parameters<typeof headersOfCall>) => plainHeaders(headersOfCall(...call));

const program = givenProgram();
let service: Running;
let httpUrl: string;
let grpcPort: number;
beforeAll(async () => {
  const settings = { DATA_DIR: program.scratch("data"), HTTP_PORT: "0", GRPC_PORT: "0", LOG_LEVEL: "info" };
  service = program.start(["serve", "--no-worker"], settings);
  const [text, url = ""] = await service.says(/HTTP +(http:\S+)[\s\S]*Press Ctrl-C to stop\.\n/);
  httpUrl = url;
  grpcPort = Number(/gRPC\D+(?:\d+\.){3}\d+:(\d+)/.exec(text)?.[1]);
  const session = connect(`http://127.0.0.1:${grpcPort}`);
  // The baseline is the memory after the service has answered calls.
  for (let i = 0; i < 5_000; i++) await answerTo(session, METADATA);
  session.destroy();
});
afterAll(() => service?.end("SIGTERM"));

/** Returns the memory of the service in MiB. */
function memory(): number {
  const status = readFileSync(`/proc/${service.process.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/**
 * Checks that the service responds. Runs in a separate thread, because the attacker keeps this thread busy. From each
 * response time, it subtracts the time for which the service's thread or the separate thread was ready to run but
 * waited for a core. Linux reports this time as `run_delay` in `schedstat`; on other systems, nothing is subtracted.
 */
const prober = `
  const { readFileSync } = require("node:fs");
  const { parentPort, workerData: { url, pid } } = require("node:worker_threads");
  const { Agent, get } = require("node:http");
  const delayOf = (thread) => {
    try {
      return Number(readFileSync("/proc/" + thread + "/schedstat", "utf8").split(" ")[1]) / 1e6;
    } catch {
      return 0;
    }
  };
  const delays = () => delayOf(pid) + delayOf("thread-self");
  const agent = new Agent({ keepAlive: true });
  let isOver = false;
  parentPort.on("message", () => (isOver = true));
  let slowest = 0;
  const ask = () => {
    const delayed = delays();
    const started = performance.now();
    const told = () => {
      slowest = Math.max(slowest, performance.now() - started - (delays() - delayed));
      if (!isOver) return setTimeout(ask, 20);
      agent.destroy();
      parentPort.postMessage(slowest);
      parentPort.close();
    };
    get(url, { agent }, (answer) => answer.resume().once("end", told)).once("error", () => {
      slowest = Infinity;
      told();
    });
  };
  ask();
`;

/**
 * @returns the longest response time of another client during the attack in milliseconds, excluding waits for a core
 */
async function slowestDuring(attack: () => Promise<unknown>): Promise<number> {
  const requested = { url: `${httpUrl}/livez`, pid: service.process.pid };
  const worker = new Worker(prober, { eval: true, workerData: requested });
  try {
    await once(worker, "online");
    await attack();
    worker.postMessage("over");
    const [slowest] = await once(worker, "message");
    return slowest;
  } finally {
    await worker.terminate();
  }
}

const opened: { destroy(): void }[] = [];
let before: { memory: number; log: number; slowest: number };
let bytesSent: number;
beforeEach(async () => {
  const slowest = await slowestDuring(() => sleep(2_000));
  before = { memory: memory(), log: service.stderr().length, slowest };
  bytesSent = 0;
});
afterEach(() => {
  for (const each of opened.splice(0)) each.destroy();
});

async function openConnection(): Promise<FrameConnection> {
  const connection = await openFrames(grpcPort);
  opened.push(connection.socket);
  return connection;
}

function openSession(): ClientHttp2Session {
  const session = connect(`http://127.0.0.1:${grpcPort}`, { settings: { initialWindowSize: 0 } });
  session.on("error", () => {});
  opened.push(session);
  return session;
}

function begin(session: ClientHttp2Session, path: string): ClientHttp2Stream {
  const headers = { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" };
  return session.request(headers).on("error", () => {});
}

async function answerTo(session: ClientHttp2Session, path: string): Promise<unknown> {
  const stream = begin(session, path);
  stream.end(EMPTY);
  const [answer] = await once(stream, "response");
  if (answer["grpc-status"] === undefined) stream.close();
  else if (!stream.resume().closed) await once(stream, "close");
  return answer["grpc-status"];
}

/** Sends all frames, or as many as the service reads before it ends the connection. */
async function sendAll(connection: FrameConnection, frames: readonly Buffer[]): Promise<void> {
  for (let i = 0; i < frames.length; i += 50) {
    const packet = Buffer.concat(frames.slice(i, i + 50));
    bytesSent += packet.length;
    if (!(await connection.write(packet))) return;
  }
  await Promise.race([connection.ended, sleep(2_000)]);
}

async function expectOthersAnswered(): Promise<void> {
  const session = connect(`http://127.0.0.1:${grpcPort}`);
  expect(await answerTo(session, METADATA)).toBe("5");
  session.destroy();
}

async function expectUnharmed(slowest: number): Promise<void> {
  await expectOthersAnswered();
  const memoryGrown = Math.round(memory() - before.memory);
  const logged = service.stderr().length - before.log;
  console.log(
    `sent ${Math.round(bytesSent / 1024)} KiB: +${memoryGrown} MiB, slowest answer ${Math.round(slowest)} ms, before ${Math.round(before.slowest)} ms, ` +
      `${Math.round(logged / 1024)} KiB of log`,
  );
  expect(memoryGrown).toBeLessThan(MAX_MEMORY_MIB);
  expect(slowest).toBeLessThan(MAX_SILENCE_MS);
  expect(logged).toBeLessThan(Math.max(MAX_LOG_RATIO * bytesSent, 100_000));
}

test("streams of reflection whose responses are not read are harmless, and end", async () => {
  let ended = 0;
  const slowest = await slowestDuring(async () => {
    const session = openSession();
    const streams = Array.from({ length: 100 }, () => begin(session, REFLECT).resume());
    for (const stream of streams) {
      stream.once("close", () => ended++);
      stream.write(Buffer.concat(Array(12_000).fill(LIST_SERVICES)));
    }
    bytesSent += 100 * 12_000 * LIST_SERVICES.length;
    // Meanwhile, streams beyond the limit are refused.
    await expect.poll(() => ended, { timeout: 60_000 }).toBeGreaterThanOrEqual(50);
    await sleep(5_000);
  });
  await expectUnharmed(slowest);
  const session = openSession();
  // The slots of the ended streams are free again.
  await expect.poll(() => answerTo(session, REFLECT), { timeout: 90_000, interval: 1_000 }).not.toBe("8");
});

// On a busy machine, threads that collect garbage wait for a core, and the service waits for them.
test("25,000 calls over one connection with indexed headers are harmless", { retry: 2 }, async () => {
  const call = callTo(METADATA);
  const remembered = Buffer.concat([Buffer.of(0x40), hpackString("x"), hpackString("y".repeat(3_900))]);
  for (const times of [110, 90]) {
    const request = (index: number, block: Buffer) =>
      Buffer.concat([
        frame(HEADERS, END_HEADERS, 2 * index + 1, Buffer.concat([call, block])),
        frame(DATA, END_STREAM, 2 * index + 1, EMPTY),
      ]);
    const flood = Array.from({ length: 25_000 }, (_, index) =>
      request(index, index === 0 ? remembered : Buffer.alloc(times, 0xbe)),
    );
    const slowest = await slowestDuring(async () => sendAll(await openConnection(), flood));
    await expectUnharmed(slowest);
  }
});

test("300 KB of bytes above 0x7f neither flood the log nor appear in it", async () => {
  const call = callTo(METADATA, ["authorization", "Bearer secret\u00e9"], ["x-many", "\u00e9".repeat(3_000)]);
  const flood = Array.from({ length: 100 }, (_, index) =>
    Buffer.concat([
      frame(HEADERS, END_HEADERS, 2 * index + 1, call),
      frame(DATA, END_STREAM, 2 * index + 1, EMPTY),
    ]),
  );
  // The first call sends a header of 3.9 kB, which the server keeps in its index (HPACK). Each later call refers to
  // this header three times, with a single byte each time.
  const remembered = Buffer.concat([Buffer.of(0x40), hpackString("x"), hpackString("\u00e9".repeat(3_900))]);
  const amplified = Array.from({ length: 3_000 }, (_, index) =>
    Buffer.concat([
      frame(
        HEADERS,
        END_HEADERS,
        2 * index + 1,
        Buffer.concat([callTo(METADATA), index === 0 ? remembered : Buffer.alloc(3, 0xbe)]),
      ),
      frame(DATA, END_STREAM, 2 * index + 1, EMPTY),
    ]),
  );
  const slowest = await slowestDuring(async () => {
    await sendAll(await openConnection(), flood);
    await sendAll(await openConnection(), amplified);
  });
  await expectUnharmed(slowest);
  const log = service.stderr().slice(before.log);
  expect(log).not.toMatch(/secret|\u00e9/);
});

test("of 20,000 watches of health at most 200 are kept", async () => {
  const sessions = Array.from({ length: 20 }, openSession);
  const streams = sessions.flatMap((session) => Array.from({ length: 1_000 }, () => begin(session, WATCH)));
  let ended = 0;
  for (const stream of streams) {
    stream.resume().once("close", () => ended++);
    stream.end(EMPTY);
  }
  await expect.poll(() => ended, { timeout: 90_000 }).toBeGreaterThanOrEqual(20_000 - 200);
  await expectOthersAnswered();
  expect(memory() - before.memory).toBeLessThan(MAX_MEMORY_OF_STREAMS_MIB);
});
