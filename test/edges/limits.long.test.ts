import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { connectionLimits } from "#edges/http/connection-limits.js";
import { readPasted } from "../main/pasted.js";
import { givenProgram, type Running } from "../main/program.js";
import { runDelayMs } from "./run-delay.js";

const MIB = 1024 * 1024;
const CREDENTIALS = "/learning_credentials.v1.CredentialService";
/** File descriptors reserved for this process. The service has its own limit of the same size. */
const OWN_FILES = 500;

const program = givenProgram();
let service: Running;
let httpUrl: string;
let httpPort: number;
let grpcPort: number;
let token: string;
let prober: Prober;

beforeAll(async () => {
  const settings = {
    DATA_DIR: program.scratch("data"),
    HTTP_PORT: "0",
    GRPC_PORT: "0",
    PUBLIC_RATE_LIMIT: "0",
    LOG_LEVEL: "error",
  };
  service = program.start(["serve", "--sample-data"], settings);
  const [text, url = ""] = await service.says(/HTTP +(http:\S+)[\s\S]*Press Ctrl-C to stop\.\n/);
  httpUrl = url;
  httpPort = Number(new URL(url).port);
  grpcPort = Number(/gRPC\D+(?:\d+\.){3}\d+:(\d+)/.exec(text)?.[1]);
  token = readPasted(service.stdout()).variables.SERVICE ?? "";
  prober = await openProber();
});
afterAll(async () => {
  await prober?.close();
  await service?.end("SIGTERM");
});

const opened: { destroy(): void }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) each.destroy();
  await sleep(500);
});

/** Calls the service continuously over both ports, on separate connections, like any other client. */
interface Prober {
  /**
   * Returns the longest response time since the last call of this function in milliseconds, excluding waits for a core.
   * Returns infinity if a response was wrong.
   */
  slowest(): number;
  close(): Promise<void>;
}

async function openProber(): Promise<Prober> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const session = connectHttp2(`http://127.0.0.1:${grpcPort}`);
  await once(session, "remoteSettings");
  let slowest = 0;
  let isOver = false;
  const probe = async () => {
    const started = performance.now();
    const delayed = runDelayMs(service.process.pid);
    const request = httpRequest(`${httpUrl}/api/learning_credentials/v1/metadata/unknown/`, { agent }).end();
    const [answer] = await once(request, "response");
    answer.resume();
    await once(answer, "end");
    const code = await statusOf(callGrpc(session, "GetCredentialMetadata", Buffer.alloc(5)));
    const isRight = answer.statusCode === 404 && code === "5";
    const took = performance.now() - started - (runDelayMs(service.process.pid) - delayed);
    slowest = Math.max(slowest, isRight ? took : Number.POSITIVE_INFINITY);
  };
  const probing = (async () => {
    while (!isOver) {
      await probe().catch(() => {
        slowest = Number.POSITIVE_INFINITY;
      });
      await sleep(50);
    }
  })();
  return {
    slowest() {
      const since = slowest;
      slowest = 0;
      return since;
    },
    async close() {
      isOver = true;
      await probing;
      session.destroy();
      agent.destroy();
    },
  };
}

/** Returns the memory of the service in MiB. */
function memory(): number {
  const status = readFileSync(`/proc/${service.process.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

function callGrpc(session: ClientHttp2Session, method: string, body?: Buffer): ClientHttp2Stream {
  const stream = session.request({
    ":method": "POST",
    ":path": `${CREDENTIALS}/${method}`,
    "content-type": "application/grpc",
    te: "trailers",
    authorization: `Bearer ${token}`,
  });
  stream.on("error", () => {});
  if (body) stream.end(body);
  return stream.resume();
}

async function statusOf(stream: ClientHttp2Stream): Promise<string | undefined> {
  let status: string | undefined;
  const note = (headers: Record<string, unknown>) => {
    status = headers["grpc-status"] === undefined ? status : String(headers["grpc-status"]);
  };
  stream.on("response", note).on("trailers", note);
  if (!stream.closed) await new Promise((resolve) => stream.once("close", resolve));
  return status;
}

function openSession(): ClientHttp2Session {
  const session = connectHttp2(`http://127.0.0.1:${grpcPort}`, { maxSessionMemory: 10_000 });
  session.on("error", () => {});
  opened.push(session);
  return session;
}

/** Opens idle connections, 500 at a time, from a different address than the prober's. */
async function openSockets(port: number, wanted: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < wanted) {
    const some = Array.from({ length: Math.min(500, wanted - sockets.length) }, () =>
      connect({ port, host: "127.0.0.1", localAddress: "127.0.0.2" }),
    );
    opened.push(...some);
    sockets.push(...some);
    await Promise.all(
      some.map(async (socket) => {
        socket.on("error", () => {}).resume();
        await Promise.race([once(socket, "connect"), once(socket, "close")]);
      }),
    );
  }
  return sockets;
}

/** Returns the requested number, limited to what this process can open. */
function affordable(wanted: number): number {
  const files = connectionLimits().http < 10_000 ? Math.floor((connectionLimits().http * 8) / 5) : 16_000;
  const number = Math.min(wanted, files - OWN_FILES);
  if (number < wanted)
    console.log(`${number} connections in place of ${wanted}: this process can't open more`);
  return number;
}

test("the number of idle connections over HTTP is bounded at 20,000, and other clients are served", async () => {
  prober.slowest();
  const before = memory();
  const sockets = await openSockets(httpPort, affordable(20_000));
  await sleep(1_000);
  const open = sockets.filter((socket) => !socket.closed).length;
  expect(open).toBeLessThanOrEqual(5_500);
  const newcomer = await fetch(`${httpUrl}/livez`);
  expect(newcomer.status).toBe(200);
  expect(prober.slowest()).toBeLessThan(3_000);
  expect(memory() - before).toBeLessThan(400);
  console.log(`${open} of ${sockets.length} stayed open, for ${Math.round(memory() - before)} MiB`);
  await expect
    .poll(() => sockets.every((socket) => socket.closed), { timeout: 40_000, interval: 500 })
    .toBe(true);
});

test("the number of idle connections over gRPC is bounded at 5,000", async () => {
  prober.slowest();
  const before = memory();
  const sockets = await openSockets(grpcPort, affordable(5_000));
  await sleep(1_000);
  const open = sockets.filter((socket) => !socket.closed).length;
  expect(open).toBeLessThanOrEqual(1_500);
  expect(prober.slowest()).toBeLessThan(3_000);
  console.log(`${open} of ${sockets.length} stayed open, for ${Math.round(memory() - before)} MiB`);
});

test("1,000 requests whose headers arrive slowly are dropped", async () => {
  prober.slowest();
  const sockets = await openSockets(httpPort, 1_000);
  const answers: string[] = [];
  for (const socket of sockets) {
    socket.on("data", (data) => answers.push(String(data)));
    socket.write("GET /livez HTTP/1.1\r\nhost: x\r\nx-slow: ");
  }
  const trickle = setInterval(
    () => sockets.forEach((socket) => void (socket.writable && socket.write("x"))),
    1_000,
  );
  await expect
    .poll(() => sockets.every((socket) => socket.closed), { timeout: 40_000, interval: 500 })
    .toBe(true);
  clearInterval(trickle);
  expect(answers.filter((answer) => answer.startsWith("HTTP/1.1 408 "))).toHaveLength(1_000);
  expect(prober.slowest()).toBeLessThan(3_000);
});

test("requests over gRPC that never become complete are dropped, and don't fill the memory", async () => {
  prober.slowest();
  const before = memory();
  const part = Buffer.alloc(3 * MIB, 1);
  part.set([0, 0, 64, 0, 0]); // each message has 4 MiB
  let most = 0;
  const measuring = setInterval(() => {
    most = Math.max(most, memory() - before);
  }, 50);
  const statuses = await Promise.all(
    Array.from({ length: 4 }, openSession).flatMap((session) =>
      Array.from({ length: 500 }, () => {
        const stream = callGrpc(session, "ListCredentials");
        stream.write(part);
        return statusOf(stream);
      }),
    ),
  );
  clearInterval(measuring);
  expect(statuses.filter((status) => status !== "4" && status !== "8")).toEqual([]);
  console.log(`6 GB of requests cut short took ${Math.round(most)} MiB`);
  expect(most).toBeLessThan(2_000);
  expect(prober.slowest()).toBeLessThan(20_000);
});

test("bodies of a gigabyte are not kept, whoever the sender is", async () => {
  prober.slowest();
  const before = memory();
  const chunk = Buffer.alloc(MIB, "x");
  async function sendGigabyte(path: string, headers: Record<string, string>): Promise<number | undefined> {
    const request = httpRequest(httpUrl + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
    });
    opened.push(request);
    const answered = once(request, "response").then(([response]) => response.resume().statusCode);
    const sending = (async () => {
      for (let i = 0; i < 1024 && request.writable; i++) {
        if (request.write(chunk) || request.destroyed) continue;
        await new Promise((resolve) => request.once("drain", resolve).once("close", resolve));
      }
      request.end();
    })();
    request.on("error", () => {});
    const status = await answered.catch(() => undefined);
    await sending.catch(() => {});
    return status;
  }
  /** Returns the status, with retries: the end of the connection may overtake the response, which is then lost. */
  async function statusOfGigabyte(path: string, headers: Record<string, string> = {}) {
    for (let more = 4; more > 0; more--) {
      const status = await sendGigabyte(path, headers);
      if (status !== undefined) return status;
    }
    return undefined;
  }
  const statuses = await Promise.all([
    statusOfGigabyte(`${CREDENTIALS}/ListCredentials`, { authorization: `Bearer ${token}` }),
    statusOfGigabyte(`${CREDENTIALS}/ListCredentials`),
    statusOfGigabyte("/api/learning_credentials/v1/metadata/x/"),
    statusOfGigabyte("/nowhere"),
  ]);
  expect(statuses).toEqual([429, 401, 405, 404]);
  expect(memory() - before).toBeLessThan(300);
  expect(prober.slowest()).toBeLessThan(5_000);
});

test("100 compression bombs of a gigabyte are not decompressed", async () => {
  prober.slowest();
  const before = memory();
  const bomb = new Uint8Array(gzipSync(Buffer.alloc(1024 * MIB)));
  const explode = async () => {
    const answer = await fetch(`${httpUrl}${CREDENTIALS}/ListCredentials`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "content-encoding": "gzip",
        authorization: `Bearer ${token}`,
      },
      body: bomb,
    }).catch((error) => error.cause?.code);
    return answer.status ?? answer;
  };
  const answers = await Promise.all(Array.from({ length: 100 }, explode));
  // While the body is still being sent, the reset of a connection may overtake the response.
  expect(answers).toContain(429);
  expect(answers.filter((each) => ![429, "EPIPE", "ECONNRESET"].includes(each))).toEqual([]);
  console.log(`100 bombs took ${Math.round(memory() - before)} MiB`);
  expect(memory() - before).toBeLessThan(1_000);
  expect(prober.slowest()).toBeLessThan(30_000);
});

test("of 10,000 streams of one service 500 are served simultaneously, and the others are refused", async () => {
  prober.slowest();
  const before = memory();
  const streams = Array.from({ length: 10 }, openSession).flatMap((session) =>
    Array.from({ length: 1_000 }, () => callGrpc(session, "WatchCredentialEvents", Buffer.alloc(5))),
  );
  const refused: (string | undefined)[] = [];
  for (const stream of streams) void statusOf(stream).then((status) => refused.push(status));
  await expect.poll(() => refused.length, { timeout: 60_000, interval: 500 }).toBeGreaterThanOrEqual(9_500);
  await sleep(1_000);
  // If the database is slow, as on a busy machine, some of the 500 streams end with `unavailable`.
  expect(refused.filter((status) => status === "8").length).toBeGreaterThanOrEqual(9_000);
  expect(refused.filter((status) => status !== "8" && status !== "14")).toEqual([]);
  console.log(`10,000 streams took ${Math.round(memory() - before)} MiB`);
  expect(prober.slowest()).toBeLessThan(30_000);
});
