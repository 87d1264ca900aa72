import { once } from "node:events";
import { Agent, get, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpServer, type HttpEdge, type HttpHandler } from "#edges/http/server.js";
import { Problem } from "#foundation/errors.js";

const log = pino({ level: "silent" });
let edge: HttpEdge | undefined;
afterEach(async () => {
  await edge?.close(0);
  edge = undefined;
});

async function open(...handlers: HttpHandler[]): Promise<string> {
  edge = await createHttpServer({ handlers, host: "127.0.0.1", port: 0, log });
  return `http://127.0.0.1:${edge.port}`;
}

describe("dispatch", () => {
  it("gives a request to the first handler that accepts it", async () => {
    const url = await open(
      (request) => request.url === "/never",
      (request, response) => request.url === "/a" && !!response.end("first"),
      (_, response) => !!response.end("second"),
    );
    expect(await (await fetch(`${url}/a`)).text()).toBe("first");
    expect(await (await fetch(`${url}/b`)).text()).toBe("second");
  });

  it("accepts an absolute target and uses its path", async () => {
    const url = new URL(await open((request, response) => !!response.end(request.url)));
    for (const [target, path] of [
      ["http://elsewhere.example/a/?b=http://c/", "/a/?b=http://c/"],
      ["HTTPS://elsewhere.example", "/"],
      ["http://elsewhere.example?b", "/?b"],
    ]) {
      const [response] = await once(get({ port: url.port, path: target }), "response");
      expect(await response.toArray().then(String)).toBe(path);
    }
  });

  it("responds with 404 if no handler accepts it", async () => {
    const response = await fetch(`${await open()}/nothing`);
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.text()).toBe('{"detail":"Not found."}');
  });

  it("responds with 500 without internals if a handler throws", async () => {
    const url = await open((_, response) => {
      response.setHeader("x-secret", "1");
      throw new Error("secret");
    });
    const response = await fetch(url);
    expect([response.status, response.headers.get("x-secret")]).toEqual([500, null]);
    expect(await response.text()).toBe('{"detail":"Internal server error."}');
  });

  it("cuts off a response whose handler throws midway", async () => {
    const url = await open((_, response) => {
      response.writeHead(200).write("half");
      throw new Error("secret");
    });
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
  });
});

describe("a request that is not valid HTTP", () => {
  it.each([
    ["nonsense", "nonsense\r\n\r\n", 400],
    ["a space in the path", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["no host", "GET / HTTP/1.1\r\n\r\n", 400],
    ["headers that are too large", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(100_000)}\r\n\r\n`, 431],
    [
      "two lengths",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      400,
    ],
  ])("gets a response: %s", async (_, sent, status) => {
    const url = new URL(await open((_, response) => !!response.end("fine")));
    const socket = connect(Number(url.port), url.hostname);
    socket.end(sent);
    let received = "";
    for await (const chunk of socket) received += chunk;
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(received).not.toMatch(/HPE_|Error:|node/);
  });
});

describe("opening", () => {
  it("names the setting to change when the port is in use", async () => {
    const { port } = new URL(await open());
    const second = createHttpServer({ handlers: [], host: "127.0.0.1", port: Number(port), log });
    await expect(second).rejects.toEqual(
      new Problem(
        "failed-precondition",
        `HTTP can't listen on 127.0.0.1:${port}: the port is in use. Set HTTP_PORT to another port, or to 0 for any free one.`,
      ),
    );
  });

  it("reports an address that this machine does not have", async () => {
    const elsewhere = createHttpServer({ handlers: [], host: "192.0.2.1", port: 0, log });
    await expect(elsewhere).rejects.toThrow(
      "HTTP can't listen on 192.0.2.1:0: this machine does not have that address. Set HOST to an address of this machine.",
    );
  });
});

describe("closing", () => {
  it("lets requests in progress finish, closes idle connections, and accepts no more", async () => {
    const agent = new Agent({ keepAlive: true });
    let slow: ServerResponse | undefined;
    const url = await open((request, response) => {
      if (request.url === "/slow") slow = response;
      else response.end();
      return true;
    });
    const [idle] = await once(get(`${url}/fast`, { agent }), "response");
    await once(idle.resume(), "end");
    const inProgress = get(`${url}/slow`);
    const answered = once(inProgress, "response");
    while (!slow) await delay(5);

    const closed = edge?.close(5000);
    await expect(fetch(url)).rejects.toThrow();
    slow.end("done");
    const [response] = await answered;
    expect([response.statusCode, response.headers.connection]).toEqual([200, "close"]);
    response.resume();
    await closed;
    edge = undefined;
    agent.destroy();
  });

  it("cuts off the remaining requests after its deadline", async () => {
    let isInProgress = false;
    const url = await open(() => {
      isInProgress = true;
      return true;
    });
    const cutOff = expect(fetch(url)).rejects.toThrow();
    while (!isInProgress) await delay(5);
    const started = performance.now();
    await edge?.close(200);
    await cutOff;
    expect(performance.now() - started).toBeGreaterThan(150);
  });
});

it("refuses HTTP/0.9, whose responses have neither status nor headers", async () => {
  const url = new URL(await open((_, response) => !!response.end("a page")));
  const socket = connect(Number(url.port), url.hostname);
  socket.end("GET /livez\r\n\r\n");
  let answer = "";
  for await (const chunk of socket) answer += chunk;
  expect(answer).toMatch(/^HTTP\/1\.1 (505|400) /);
  expect(answer).not.toContain("a page");
});
