import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline as pipe } from "node:stream/promises";
import { Problem } from "../../errors.js";
import { contentDisposition } from "../../files/content-disposition.js";
import type { LocalFileStore, OpenFile } from "../../files/local/file-store.js";
import type { SignedLink } from "../../files/local/link-signature.js";
import type { Pipeline, PublicRoute } from "../../pipeline/pipeline.js";
import type { ClientOf } from "./client-address.js";
import { toInbound } from "./inbound.js";
import { sendFailure, sendJson } from "./send-json.js";

/** Serves the files of the local store to everybody with a link that it signed. */
export interface FilesHandler {
  /** Handles the request if its path is below `/files/`, and returns whether it does. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

const PREFIX = "/files/";

const route: PublicRoute = { name: "GET /files/", kind: "stream" };

/** A file is private, and never runs as a page of ours. */
const FILE_HEADERS = {
  "cache-control": "private, max-age=0",
  "content-security-policy": "default-src 'none'; sandbox",
};

export function createFilesHandler(deps: {
  store: LocalFileStore;
  pipeline: Pipeline;
  clientOf: ClientOf;
}): FilesHandler {
  const { store, pipeline, clientOf } = deps;
  return {
    handle(request, response) {
      const url = request.url ?? "";
      if (!url.startsWith(PREFIX)) return false;
      if (request.method !== "GET" && request.method !== "HEAD") {
        const detail = `Method "${request.method}" is not allowed; allowed are GET, HEAD.`;
        sendJson(response, 405, { detail }, ["Allow", "GET, HEAD"]);
        return true;
      }
      const inbound = toInbound(request, response, clientOf(request));
      pipeline
        .visit(route, inbound, () => serve(store, url, request, response))
        .catch((error) => fail(response, error));
      return true;
    },
  };
}

async function serve(
  store: LocalFileStore,
  url: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const link = parseLink(url);
  if (!link || !store.admits(link)) {
    throw new Problem(
      "permission-denied",
      "This link is not valid, or no longer: get a new one where you got it.",
    );
  }
  const file = await store.open(link.key);
  if (!file) throw new Problem("not-found", "The file no longer exists.");
  try {
    await send(file, request, response);
  } finally {
    await file.handle.close();
  }
}

/** The key is taken literally. Our links contain no escapes, so an escaped path is none of ours. */
function parseLink(url: string): SignedLink | undefined {
  const question = url.indexOf("?");
  if (question === -1) return undefined;
  const query = new URLSearchParams(url.slice(question));
  const [expires, ...moreExpires] = query.getAll("expires");
  const [signature, ...moreSignatures] = query.getAll("signature");
  if (expires === undefined || signature === undefined) return undefined;
  if (moreExpires.length > 0 || moreSignatures.length > 0) return undefined;
  return { key: url.slice(PREFIX.length, question), expires, signature };
}

async function send(file: OpenFile, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(200, {
    "content-type": file.contentType,
    "content-length": file.size,
    "content-disposition": contentDisposition(file.downloadName),
    ...FILE_HEADERS,
  });
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  await pipe(file.handle.createReadStream({ autoClose: false }), response);
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else sendFailure(response, error);
}
