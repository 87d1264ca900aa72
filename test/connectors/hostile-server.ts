import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { listen, shut } from "../support/listen.js";

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A platform that is controlled by an attacker. */
export interface HostileServer {
  readonly url: string;
  received: number;
  answer: Answer;
  close(): Promise<void>;
}

export async function startHostileServer(answer: Answer): Promise<HostileServer> {
  const server = createServer((request, response) => {
    hostile.received++;
    request.resume().once("end", () => hostile.answer(request, response));
  });
  const hostile: HostileServer = {
    url: `http://127.0.0.1:${await listen(server)}`,
    received: 0,
    answer,
    close: () => shut(server),
  };
  return hostile;
}

export function bytes(body: Buffer | string, headers: Record<string, string | number> = {}): Answer {
  return (_, response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers });
    response.on("error", () => {}); // the client disconnects before the end
    response.end(body);
  };
}

const encodings = {
  gzip: (text: string) => gzipSync(text, { level: 9 }),
  deflate: (text: string) => deflateSync(text, { level: 9 }),
  br: (text: string) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
};

function compressed(text: string, encoding: keyof typeof encodings = "gzip"): Answer {
  return bytes(encodings[encoding](text), { "content-encoding": encoding });
}

/** Sends a byte now and then, but never the last one. */
export const dripping: Answer = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.write("[");
  const drip = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(drip));
};

/** Returns `[{},{},…]`: 66 MB, for which a server sends 64 KB. */
const emptyObjects = (count: number) => `[${"{},".repeat(count - 1)}{}]`;

/** Responses that cost a server only a few kilobytes, and the limit that each of them exceeds. */
export const bombs: readonly (readonly [name: string, answer: () => Answer, bound: RegExp])[] = [
  ["22 million objects, as 64 KB of gzip", () => compressed(emptyObjects(22_000_000)), /1000000 values/],
  ["the same as Brotli", () => compressed(emptyObjects(22_000_000), "br"), /1000000 values/],
  ["the same as deflate", () => compressed(emptyObjects(22_000_000), "deflate"), /1000000 values/],
  ["60 million brackets", () => compressed("[".repeat(60_000_000)), /32 levels/],
  ["a text of 60 MB", () => compressed(`["${"x".repeat(60_000_000)}"]`), /32 MiB/],
  ["a text of escapes", () => compressed(`["${'\\"'.repeat(30_000_000)}"]`), /32 MiB/],
  [
    "a million keys",
    () => {
      const keys = Array.from({ length: 1_200_000 }, (_, index) => `"k${index}":0`);
      return compressed(`{${keys.join()}}`);
    },
    /1000000 values/,
  ],
  ["64 MiB that are not compressed", () => bytes(" ".repeat(64 * 1024 * 1024)), /32 MiB/],
  [
    "64 MiB without a length",
    () => (_, response) => {
      response.writeHead(200);
      response.on("error", () => {});
      for (let count = 0; count < 64; count++) response.write(" ".repeat(1024 * 1024));
      response.end();
    },
    /32 MiB/,
  ],
];

/** The largest responses that are parsed. They are within all limits, but never have the expected form. */
export const within: readonly (readonly [name: string, answer: () => Answer])[] = [
  ["half a million objects", () => compressed(emptyObjects(499_000))],
  [
    "objects of which each has a key of its own",
    () => {
      const each = Array.from({ length: 330_000 }, (_, index) => `{"k${index}":${index}}`);
      return compressed(`[${each.join()}]`);
    },
  ],
  [
    "half a million keys",
    () => {
      const keys = Array.from({ length: 990_000 }, (_, index) => `"k${index}":0`);
      return compressed(`{${keys.join()}}`);
    },
  ],
  ["a text of 31 MiB", () => compressed(`["${"ж".repeat(15_500_000)}"]`)],
];
