import { once } from "node:events";
import { connect } from "node:http2";
import { connect as connectSocket, type Socket } from "node:net";
import { pino } from "pino";
import { afterEach, expect, test, vi } from "vitest";
import type { Pipeline } from "#api/pipeline/pipeline.js";
import { createGrpcServer } from "#edges/grpc/server.js";

afterEach(() => vi.useRealTimers());

/** A pipeline without services. The server adds the health service, which the tests watch. */
const withoutServices: Pipeline = {
  services: [],
  admit: () => Promise.reject(new Error("there is no method")),
  visit: () => Promise.reject(new Error("there is no page")),
  endWatches() {},
};

/** Ways in which a watcher disconnects. */
const ways: [string, (socket: Socket) => void][] = [
  ["drops its connection", (socket) => socket.destroy()],
  ["ends its connection", (socket) => socket.end()],
];

/** Opens a connection that watches the health of the server. */
async function watch(port: number): Promise<Socket> {
  const socket = connectSocket(port, "127.0.0.1");
  const session = connect("http://x", { createConnection: () => socket });
  session.on("error", () => {});
  const stream = session.request({
    ":method": "POST",
    ":path": "/grpc.health.v1.Health/Watch",
    "content-type": "application/grpc",
    te: "trailers",
  });
  stream.on("error", () => {});
  stream.end(Buffer.alloc(5));
  await once(stream, "data");
  return socket;
}

/** No timer fires in this test, so anything that waits for a timer waits forever. */
test.each(ways)("stops without waiting for a watcher who %s at that moment", async (_, leave) => {
  let stopped = 0;
  for (let times = 0; times < 40; times++) {
    const grpc = await createGrpcServer({
      pipeline: withoutServices,
      host: "127.0.0.1",
      port: 0,
      log: pino({ level: "silent" }),
    });
    const socket = await watch(grpc.port);
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    if (times % 2 === 0) leave(socket);
    const closed = grpc.close(10_000);
    if (times % 2 === 1) leave(socket);
    await closed;
    stopped++;
    vi.useRealTimers();
  }
  expect(stopped).toBe(40);
});
