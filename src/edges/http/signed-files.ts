import { pipeline as pipe } from "node:stream/promises";
import type { Pipeline, PublicRoute } from "#api/pipeline/pipeline.js";
import { Problem } from "#foundation/errors.js";
import { contentDisposition } from "#infrastructure/files/content-disposition.js";
import type { LocalFileStore, OpenFile } from "#infrastructure/files/local/file-store.js";
import type { SignedLink } from "#infrastructure/files/local/link-signature.js";
import type { Exchange, HttpRoute } from "./routes.js";

const route: PublicRoute = { name: "GET /files/", kind: "stream" };

/** Files are private, and must never run as pages of this origin. */
const FILE_HEADERS = {
  "cache-control": "private, max-age=0",
  "content-security-policy": "default-src 'none'; sandbox",
};

/** `GET /files/…` returns a file of the local store to anyone who has a link signed by this service. */
export function filesRoute(store: LocalFileStore, pipeline: Pipeline): HttpRoute {
  return {
    path: /^\/files\/(.*)$/,
    answer: (exchange) => pipeline.visit(route, exchange.inbound, () => serve(store, exchange)),
  };
}

async function serve(store: LocalFileStore, exchange: Exchange): Promise<void> {
  const link = parseLink(exchange);
  if (!link || !store.admits(link)) {
    throw new Problem(
      "permission-denied",
      "This link is invalid or has expired: get a new one from the page where you found it.",
    );
  }
  const file = await store.open(link.key);
  if (!file) throw new Problem("not-found", "The file no longer exists.");
  try {
    await send(file, exchange);
  } finally {
    await file.handle.close();
  }
}

/** Uses the key as it is in the URL: signed links contain no escapes. */
function parseLink({ groups: [key = ""], query }: Exchange): SignedLink | undefined {
  const parameters = new URLSearchParams(query);
  const [expires, ...moreExpires] = parameters.getAll("expires");
  const [signature, ...moreSignatures] = parameters.getAll("signature");
  if (expires === undefined || signature === undefined) return undefined;
  if (moreExpires.length > 0 || moreSignatures.length > 0) return undefined;
  return { key, expires, signature };
}

async function send(file: OpenFile, { request, response }: Exchange): Promise<void> {
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
