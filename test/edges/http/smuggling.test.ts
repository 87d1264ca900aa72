import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { givenService } from "../../support/service.js";

const service = givenService();

/** Sends one byte per character, and reads until the service closes the connection. */
async function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(service.httpUrl);
  const socket = connect(Number(port), hostname);
  socket.write(Buffer.from(bytes, "latin1"));
  return Buffer.concat(await socket.toArray()).toString("latin1");
}

/** Returns the statuses of all responses in the received text. */
function statusesIn(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

const get = (target: string, headers = "Host: x\r\n") =>
  `GET ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`;
const post = (headers: string, body = "") => `POST /livez HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`;
const CHUNKED = "Transfer-Encoding: chunked\r\n";
const LAST_CHUNK = "0\r\n\r\n";
/** A request that an attacker would hide in the body of another request. */
const SMUGGLED = get("/livez");

describe("proxy and service can't disagree on where a request ends", () => {
  // The POST gets 405. A second status would be the response to the smuggled request.
  test.each<[what: string, bytes: string, statuses: number[]]>([
    ["a length and chunks", post(`Content-Length: 5\r\n${CHUNKED}`, LAST_CHUNK), [400]],
    ["chunks and a length", post(`${CHUNKED}Content-Length: 5\r\n`, LAST_CHUNK), [400]],
    ["two lengths", post("Content-Length: 0\r\nContent-Length: 5\r\n"), [400]],
    ["a length twice", post("Content-Length: 0\r\nContent-Length: 0\r\n"), [400]],
    ["a list of lengths", post("Content-Length: 0, 0\r\n"), [400]],
    ["a length with a sign", post("Content-Length: +0\r\n"), [400]],
    ["a negative length", post("Content-Length: -1\r\n"), [400]],
    ["a length in hexadecimal", post("Content-Length: 0x0\r\n"), [400]],
    ["a length that is empty", post("Content-Length: \r\n"), [400]],
    ["a length of twenty digits", post("Content-Length: 99999999999999999999\r\n"), [400]],
    ["a length, and a space before its colon", post("Content-Length : 0\r\n"), [400]],
    ["chunks, and a space before the colon", post("Transfer-Encoding : chunked\r\n", LAST_CHUNK), [400]],
    ["chunks, after a vertical tab", post("Transfer-Encoding: \x0bchunked\r\n", LAST_CHUNK), [400]],
    ["chunks, on a folded line", post("Transfer-Encoding:\r\n chunked\r\n", LAST_CHUNK), [400]],
    [
      "chunks that are not the last coding",
      post("Transfer-Encoding: chunked, identity\r\n", LAST_CHUNK),
      [400],
    ],
    ["chunks and another coding, apart", post(`${CHUNKED}Transfer-Encoding: x\r\n`, LAST_CHUNK), [400]],
    ["a coding without chunks", post("Transfer-Encoding: identity\r\n"), [405]],
    ["an unknown coding", post("Transfer-Encoding: xchunked\r\n", LAST_CHUNK), [405]],
    ["a chunk of 0x0", post(CHUNKED, "0x0\r\n\r\n"), [405]],
    ["a chunk of -1", post(CHUNKED, "-1\r\n\r\n"), [405]],
    ["a chunk of 17 digits", post(CHUNKED, "FFFFFFFFFFFFFFFFF\r\n\r\n"), [405]],
    ["chunks that end in a line feed", post(CHUNKED, "0\n\n"), [405]],
    ["a line feed after a chunk's name", post(CHUNKED, "0;a\nb\r\n\r\n"), [405]],
  ])("%s", async (_, bytes, statuses) => {
    expect(statusesIn(await exchange(bytes + SMUGGLED))).toEqual(statuses);
  });

  test.each([
    ["chunks", post(CHUNKED, LAST_CHUNK), [405, 200]],
    ["chunks, and headers after them", post(CHUNKED, "0\r\nAuthorization: Bearer x\r\n\r\n"), [405, 200]],
    [
      "a body that looks like a request",
      post(`Content-Length: ${SMUGGLED.length}\r\n`, SMUGGLED),
      [405, 200],
    ],
  ])("a valid request is read to its end: %s", async (_, bytes, statuses) => {
    expect(statusesIn(await exchange(bytes + SMUGGLED))).toEqual(statuses);
  });
});

describe("odd request lines", () => {
  test.each<[what: string, bytes: string, statuses: number[]]>([
    ["a header on two lines", get("/livez", "Host: x\r\nX: a\r\n b\r\n"), [400]],
    ["a space in a header's name", get("/livez", "Host: x\r\nX Y: a\r\n"), [400]],
    ["a header without a colon", get("/livez", "Host: x\r\nX\r\n"), [400]],
    ["NUL in a header", get("/livez", "Host: x\r\nX: a\0b\r\n"), [400]],
    ["CR in a header", get("/livez", "Host: x\r\nX: a\rb\r\n"), [400]],
    ["LF in a header", get("/livez", "Host: x\r\nX: a\nY: b\r\n"), [400]],
    ["lines that end in LF", "GET /livez HTTP/1.1\nHost: x\nConnection: close\n\n", [400]],
    ["CR in the target", get("/livez\rX"), [400]],
    ["a tab in the target", get("/livez\tX"), [400]],
    ["a byte over 127 in the target", get("/verify/\xe9"), [400]],
    ["HTTP/1.0, without a host", "GET /livez HTTP/1.0\r\n\r\n", [200]],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400]],
    ["an upgrade to HTTP/2 is ignored", get("/livez", "Host: x\r\nUpgrade: h2c\r\n"), [200]],
    ["a tunnel is not opened", "CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test:443\r\n\r\n", []],
    [
      "another method by a header",
      post("X-HTTP-Method-Override: GET\r\nContent-Length: 0\r\nConnection: close\r\n"),
      [405],
    ],
    ["dots in the path are no way up", get("/verify/../livez"), [404]],
    ["nor are they when encoded", get("/verify/%2e%2e/livez"), [404]],
  ])("%s", async (_, bytes, statuses) => {
    expect(statusesIn(await exchange(bytes))).toEqual(statuses);
  });
});

describe("neither Host headers nor CRLF in a redirect change where a response leads or add headers to it", () => {
  const METADATA = "/api/learning_credentials/v1/metadata/x";
  const evil =
    "Host: evil.test\r\nX-Forwarded-Host: evil.test\r\nX-Forwarded-Proto: javascript\r\nForwarded: host=evil.test\r\n";

  test.each<[what: string, bytes: string, status: number, location?: string]>([
    ["none", get("/livez", ""), 400],
    ["an empty one", get("/livez", "Host:\r\n"), 200],
    // RFC 9112 requires that these are refused. In this service, the host has no effect.
    ["two", get("/livez", "Host: x\r\nHost: evil.test\r\n"), 200],
    ["one that is none", get("/livez", "Host: a b/<i>@evil.test:99999\r\n"), 200],
    ["another one, in a target", get("http://evil.test/livez"), 200],
    ["with a user, in a target", get("http://user:password@evil.test:1/livez"), 200],
    ["by another protocol", get("ftp://evil.test/livez"), 404],
    ["as a target of its own", get("evil.test:80"), 400],
    ["another one, of a page", get("/verify/x", evil), 301, "/verify/x/"],
    ["another one, of a route", get(METADATA, evil), 301, `${METADATA}/`],
    ["another one, in the target of a page", get("http://evil.test/verify/x"), 301, "/verify/x/"],
    ["two slashes", get("//evil.test/verify/x"), 404],
    ["two slashes after a host", get("http://x//evil.test/verify/x"), 404],
    ["a backslash", get("/\\evil.test/verify/x"), 404],
    ["two slashes in a page", get("/verify//evil.test"), 404],
    ["CRLF, to a page", get("/verify/x%0d%0aSet-Cookie:%20a=b"), 301, "/verify/x%0d%0aSet-Cookie:%20a=b/"],
    ["CRLF, to a route", get(`${METADATA}%0d%0aSet-Cookie:%20a`), 301, `${METADATA}%0d%0aSet-Cookie:%20a/`],
    [
      "CRLF, in a query",
      get(`${METADATA}?a=%0d%0aSet-Cookie:%20a`),
      301,
      `${METADATA}/?a=%0d%0aSet-Cookie:%20a`,
    ],
  ])("%s", async (_, bytes, status, location) => {
    const received = await exchange(bytes);
    expect(statusesIn(received)).toEqual([status]);
    const [head = ""] = received.split("\r\n\r\n");
    expect(/^location: (.*)$/im.exec(head)?.[1]).toBe(location);
    expect(head).not.toMatch(/^set-cookie:/im);
    expect(received).not.toContain("evil.test");
  });
});
