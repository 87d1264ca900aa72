import type { IncomingMessage, ServerResponse } from "node:http";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const json =
  (body: string): Answer =>
  (_, response) => {
    response.on("error", () => {}); // the client disconnects before the end
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  };

const raw =
  (head: string): Answer =>
  ({ socket }) =>
    void socket.write(`${head.replaceAll("\n", "\r\n")}\r\n\r\n`);

const many = (one: string, count: number) => Array.from({ length: count }, () => one).join(",");

/** Responses of a platform, or of a server that impersonates it. None of them is a valid response to any request. */
export const hostileAnswers: readonly (readonly [string, Answer])[] = [
  ["101 Switching Protocols", raw("HTTP/1.1 101 Switching Protocols\nUpgrade: h2c\nConnection: Upgrade")],
  ["101 without Upgrade", raw("HTTP/1.1 101 Switching Protocols")],
  ["a connection that is closed", ({ socket }) => void socket.destroy()],
  ["a connection that is closed in its headers", ({ socket }) => void socket.end("HTTP/1.1 200 O")],
  ["half of its body", ({ socket }) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{")],
  ["two lengths", raw("HTTP/1.1 200 OK\ncontent-length: 2\ncontent-length: 3")],
  ["no HTTP", raw("220 mail.example ESMTP")],
  ["headers of 100 KB", raw(`HTTP/1.1 200 OK\n${`x-a: ${"b".repeat(99)}\n`.repeat(1_000)}content-length: 0`)],
  ["690,000 empty members", json(`{"members":[${many("{}", 690_000)}]}`)],
  ["a million zeros", json(`[${many("0", 1_000_000)}]`)],
  ["600,000 empty lists", json(`{"keys":[${many("[]", 600_000)}]}`)],
  ["a million open brackets", json("[".repeat(1_000_000))],
  ["a hundred levels", json(`${'{"members":'.repeat(100)}[]${"}".repeat(100)}`)],
  ["a text of 3 MB", json(`{"access_token":"${"a".repeat(3_000_000)}"}`)],
  ["a redirect", (_, response) => void response.writeHead(302, { location: "/jwks" }).end()],
  ["an error with 3 MB", (_, response) => void response.writeHead(500).end("x".repeat(3_000_000))],
  ["null", json("null")],
  ["a number", json("1e999")],
  ["half of JSON", json('{"members":[{"user_id":"1"')],
  ["a page", (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>")],
];
