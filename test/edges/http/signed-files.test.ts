import { readdir, readlink } from "node:fs/promises";
import { get, request } from "node:http";
import { connect } from "node:net";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPipeline } from "#api/pipeline/pipeline.js";
import { createClientOf } from "#edges/http/client-address.js";
import { createRoutes } from "#edges/http/routes.js";
import { createHttpServer, type HttpEdge, type HttpHandler } from "#edges/http/server.js";
import { filesRoute } from "#edges/http/signed-files.js";
import { createLocalFileStore, type LocalFileStore } from "#infrastructure/files/local/file-store.js";
import { anonymous } from "#infrastructure/identity/caller.js";
import { givenDirectory } from "../../support/directory.js";

const KEY = "learning_credentials/6f0c/0123456789abcdef.pdf";
const CONTENT = Buffer.from("%PDF-1.7 …");
const FORBIDDEN = {
  detail: "This link is invalid or has expired: get a new one from the page where you found it.",
};
const isLinux = process.platform === "linux";

const directory = givenDirectory("files-edge");
let port: number;
let store: LocalFileStore;
const log = pino({ level: "silent" });
const notOurs: HttpHandler = (_, response) => !!response.writeHead(418).end();
let edge: HttpEdge;

beforeAll(async () => {
  edge = await createHttpServer({ host: "127.0.0.1", port: 0, log });
  port = edge.port;
  store = createLocalFileStore({
    directory,
    publicUrl: `http://127.0.0.1:${port}`,
    secrets: ["a".repeat(32)],
    customDomain: undefined,
  });
  const pipeline = createPipeline({ mounts: [], authenticate: () => anonymous, log });
  const handle = createRoutes({ clientOf: createClientOf(0), log }, [filesRoute(store, pipeline)]);
  edge.answer([handle, notOurs]);
  await store.put(KEY, CONTENT, { contentType: "application/pdf", downloadName: 'Софія "S".pdf' });
});
afterAll(() => edge.close(0));

/** Sends the target unchanged, because `fetch` would normalise it. */
function send(target: string, method = "GET") {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const call = request({ host: "127.0.0.1", port, path: target, method }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          });
        });
      });
      call.on("error", reject);
      call.end();
    },
  );
}

async function targetOf(key: string, now?: Date): Promise<string> {
  const { url } = await store.downloadUrl(key, now);
  const { pathname, search } = new URL(url);
  return pathname + search;
}

describe("a signed link", () => {
  test("serves the file as an attachment under its name, and forbids caching", async () => {
    const { status, headers, body } = await send(await targetOf(KEY));
    expect(status).toBe(200);
    expect(body).toEqual(CONTENT);
    expect(headers).toMatchObject({
      "content-type": "application/pdf",
      "content-length": String(CONTENT.length),
      "content-disposition": `attachment; filename="_____ _S_.pdf"; filename*=UTF-8''%D0%A1%D0%BE%D1%84%D1%96%D1%8F%20%22S%22.pdf`,
      "cache-control": "private, max-age=0",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
  });

  test("answers HEAD with only the headers", async () => {
    const { status, headers, body } = await send(await targetOf(KEY), "HEAD");
    expect(status).toBe(200);
    expect(headers["content-length"]).toBe(String(CONTENT.length));
    expect(body.length).toBe(0);
  });

  test("serves an empty file, and a file of many chunks", async () => {
    const large = Buffer.alloc(5_000_000, "abcdefg");
    const attributes = { contentType: "application/pdf", downloadName: "a.pdf" };
    await store.put("empty", Buffer.alloc(0), attributes);
    await store.put("large", large, attributes);
    expect(await send(await targetOf("empty"))).toMatchObject({ status: 200, body: Buffer.alloc(0) });
    expect((await send(await targetOf("large"))).body.equals(large)).toBe(true);
  });

  test("still works with an additional parameter", async () => {
    expect((await send(`${await targetOf(KEY)}&utm_source=mail`)).status).toBe(200);
  });

  test("gives 404 if the file is gone", async () => {
    const { status, headers, body } = await send(await targetOf("learning_credentials/gone.pdf"));
    expect(status).toBe(404);
    expect(headers["content-type"]).toBe("application/json");
    expect(JSON.parse(body.toString())).toEqual({ detail: "The file no longer exists." });
  });

  test.each(["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])("refuses %s", async (method) => {
    const { status, headers, body } = await send(await targetOf(KEY), method);
    expect(status).toBe(405);
    expect(headers.allow).toBe("GET, HEAD");
    expect(JSON.parse(body.toString())).toEqual({ detail: "Only GET and HEAD are allowed here." });
  });
});

describe("gets 403, whether or not the file exists", () => {
  const cases: [string, (signed: string) => string | Promise<string>][] = [
    ["no query", () => `/files/${KEY}`],
    ["no signature", (signed) => signed.replace(/&signature=.*/, "")],
    ["no expiry", (signed) => signed.replace(/expires=\d+&/, "")],
    ["another key", (signed) => signed.replace("abcdef.pdf", "abcdee.pdf")],
    ["a later expiry", (signed) => signed.replace(/expires=\d+/, "expires=9999999999")],
    ["an expiry that is no number", (signed) => signed.replace(/expires=\d+/, "expires=Infinity")],
    [
      "a changed signature",
      (signed) => signed.replace(/signature=./, (start) => `signature=${start.endsWith("A") ? "B" : "A"}`),
    ],
    ["a longer signature", (signed) => `${signed}x`],
    ["two signatures", (signed) => `${signed}&signature=x`],
    ["two expiries", (signed) => `${signed}&expires=9999999999`],
    ["an expired link", () => targetOf(KEY, new Date(Date.now() - 601_000))],
    ["parent directories", (signed) => signed.replace(KEY, `../files/${KEY}`)],
    ["encoded parent directories", (signed) => signed.replace(KEY, "%2e%2e/%2e%2e/etc/passwd")],
    ["a doubly encoded slash", (signed) => signed.replace("/6f0c/", "%252f6f0c/")],
    ["an encoded key", (signed) => signed.replace("learning_credentials", "learning%5Fcredentials")],
    ["an encoded NUL", (signed) => signed.replace(".pdf", ".pdf%00")],
    ["a broken encoding", (signed) => signed.replace(".pdf", "%")],
    ["the attributes", (signed) => signed.replace(KEY, `.attributes/${KEY}.json`)],
    ["no key", () => "/files/?expires=9999999999&signature=x"],
    ["another URL in it", (signed) => signed.replace(KEY, "http://example.org/")],
    ["a very long signature", (signed) => `${signed}${"x".repeat(10_000)}`],
  ];
  test.each(cases)("%s", async (_name, target) => {
    const { status, headers, body } = await send(await target(await targetOf(KEY)));
    expect(status).toBe(403);
    expect(headers["content-type"]).toBe("application/json");
    expect(JSON.parse(body.toString())).toEqual(FORBIDDEN);
  });
});

test("other paths are left to other handlers", async () => {
  for (const target of ["/", "/files", "/filesystem/x", "/api/files/x"]) {
    expect((await send(target)).status).toBe(418);
  }
});

describe("a client that disconnects", () => {
  const large = "learning_credentials/large.bin";
  beforeAll(() =>
    store.put(large, Buffer.alloc(50_000_000), { contentType: "application/pdf", downloadName: "a.pdf" }),
  );

  test.skipIf(!isLinux)("leaves no open file descriptor", async () => {
    const path = await targetOf(large);
    for (let round = 0; round < 20; round++) {
      await new Promise<void>((resolve) => {
        const call = get({ host: "127.0.0.1", port, path }, (response) => {
          response.once("data", () => call.destroy());
          response.once("error", () => resolve());
        });
        call.on("error", () => {});
      });
      const socket = connect(port, "127.0.0.1");
      socket.end(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
      socket.once("connect", () => setImmediate(() => socket.destroy()));
    }
    await expect.poll(() => openFilesIn(directory)).toEqual([]);
  });

  test.skipIf(!isLinux)("or does not read has no data buffered ahead for it", async () => {
    const target = await targetOf(large);
    const before = process.memoryUsage().rss;
    const sockets = Array.from({ length: 10 }, () => {
      const socket = connect(port, "127.0.0.1");
      socket.pause();
      socket.write(`GET ${target} HTTP/1.1\r\nhost: x\r\n\r\n`);
      return socket;
    });
    await expect.poll(() => openFilesIn(directory)).toHaveLength(10);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => openFilesIn(directory)).toEqual([]);
  });
});

async function openFilesIn(path: string): Promise<string[]> {
  const descriptors = await readdir("/proc/self/fd");
  const targets = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")));
  return targets.filter((target) => target.startsWith(path));
}
