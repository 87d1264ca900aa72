import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline as pipe } from "node:stream/promises";
import { create } from "@bufbuild/protobuf";
import {
  CredentialService,
  GetDownloadUrlRequestSchema as RequestSchema,
} from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { createFairSemaphore } from "../../concurrency/semaphore.js";
import type { OpenDocument } from "../../credentials/download/open-document.js";
import { tooManyRequests } from "../../errors.js";
import { contentDisposition } from "../../files/content-disposition.js";
import type { SemaphoreHolder } from "../../pipeline/admitted-call.js";
import type { Inbound } from "../../pipeline/inbound.js";
import { toInbound } from "../http/inbound.js";
import { sendFailure, sendJson } from "../http/send-json.js";
import type { HttpHandler } from "../http/server.js";
import { isSameOrigin } from "./same-origin.js";
import { type ConsoleDeps, foreignPage } from "./session.js";

const PREFIX = "/console/documents/";
const ROUTE = { name: `POST ${PREFIX}`, kind: "stream" } as const;

/** Documents that are sent at a time, to all readers. One reader gets up to a quarter. */
const MAX_DOCUMENTS = 32;

/**
 * `POST /console/documents/<uuid>`: the PDF of a credential for the console's own pages, which may read nothing from
 * elsewhere, such as a bucket. Who may use GetDownloadUrl may use this: its call is made first, with its access and
 * its audit.
 *
 * It is a POST because browsers mark the origin of a GET only over HTTPS.
 */
export function createDocumentsHandler(
  deps: ConsoleDeps & { readonly openDocument: OpenDocument },
): HttpHandler {
  const sending = createFairSemaphore(MAX_DOCUMENTS);

  async function answer(uuid: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const inbound = toInbound(request, response, deps.clientOf(request));
    if (!isSameOrigin(request, deps.publicUrl())) {
      await deps.pipeline.visit(ROUTE, inbound, async () => {
        throw foreignPage();
      });
    }
    const { name, share } = await mayRead(deps, uuid, request, inbound);
    await deps.pipeline.visit(ROUTE, { ...inbound, isLimited: false }, async ({ signal }) => {
      if (!sending.tryAcquire(name, share)) throw tooManyRequests();
      try {
        await send(deps.openDocument, uuid, response, signal);
      } finally {
        sending.release(name);
      }
    });
  }

  return (request, response) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    if (!path.startsWith(PREFIX)) return false;
    if (request.method !== "POST") {
      sendJson(response, 405, { detail: "Only POST is allowed here." }, ["Allow", "POST"]);
      return true;
    }
    answer(path.slice(PREFIX.length), request, response).catch((error) => {
      if (response.headersSent) response.destroy();
      else sendFailure(response, error);
    });
    return true;
  };
}

/** Makes the call of GetDownloadUrl. @returns for whom the document is counted */
async function mayRead(
  { pipeline, cookie }: ConsoleDeps,
  uuid: string,
  request: IncomingMessage,
  inbound: Inbound,
): Promise<SemaphoreHolder> {
  const credentials = { session: cookie().read(request) };
  const call = await pipeline.admit(CredentialService.method.getDownloadUrl, { ...inbound, credentials });
  const { name, share } = call.holder;
  await call.unary({ request: create(RequestSchema, { uuid }) });
  return { name, share };
}

async function send(
  openDocument: OpenDocument,
  uuid: string,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const { size, content } = await openDocument(uuid, signal);
  if (response.destroyed) {
    content.destroy();
    return;
  }
  response.writeHead(200, {
    "content-type": "application/pdf",
    "content-length": size,
    "content-disposition": contentDisposition(`${uuid}.pdf`),
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
  });
  await pipe(content, response);
}
