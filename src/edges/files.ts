import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import { Problem } from "../errors.js";
import { contentDisposition } from "../files/content-disposition.js";
import type { SignedLink } from "../files/link-signature.js";
import type { LocalFileStore, OpenFile } from "../files/local-file-store.js";

/** The files of the local store, for whoever holds a link that it signed. */
export interface FilesHandler {
  /** Takes the request when its path lies under `/files/`; tells whether it did. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

const PREFIX = "/files/";

/** What writing to a response fails with when its connection has ended. */
const CALLER_GONE =
  /^(ERR_STREAM_PREMATURE_CLOSE|ERR_STREAM_UNABLE_TO_PIPE|ERR_STREAM_DESTROYED|ECONNRESET|EPIPE)$/;

/** A file is somebody's own, and never runs as a page of ours. */
const FILE_HEADERS = {
  "cache-control": "private, max-age=0",
  "content-security-policy": "default-src 'none'; sandbox",
};

export function createFilesHandler(store: LocalFileStore, log: Logger): FilesHandler {
  return {
    handle(request, response) {
      const url = request.url ?? "";
      if (!url.startsWith(PREFIX)) return false;
      serve(store, url, request, response).catch((error) => fail(response, error, log));
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
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    return sendDetail(response, 405, `Method "${request.method}" is not allowed; allowed are GET, HEAD.`);
  }
  const link = parseLink(url);
  if (!link || !store.admits(link)) {
    return sendDetail(response, 403, "This link is not valid, or no longer: get a new one where you got it.");
  }
  const file = await store.open(link.key);
  if (!file) return sendDetail(response, 404, "The file no longer exists.");
  try {
    await send(file, request, response);
  } finally {
    await file.handle.close();
  }
}

/** The key is taken as it stands: our links encode nothing, so what is encoded is not one of them. */
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
  await pipeline(file.handle.createReadStream({ autoClose: false }), response);
}

function fail(response: ServerResponse, error: unknown, log: Logger): void {
  if (CALLER_GONE.test((error as NodeJS.ErrnoException).code ?? "")) return;
  log.error({ err: error }, "serving a file failed");
  if (response.headersSent) response.destroy();
  else if (error instanceof Problem) sendDetail(response, 503, error.message);
  else sendDetail(response, 500, "internal error");
}

function sendDetail(response: ServerResponse, status: number, detail: string): void {
  const body = JSON.stringify({ detail });
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
  });
  response.end(body);
}
