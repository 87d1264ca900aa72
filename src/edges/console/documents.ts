import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline as pipe } from "node:stream/promises";
import { create } from "@bufbuild/protobuf";
import type { Inbound, SemaphoreHolder } from "#api/pipeline/inbound.js";
import type { OpenDocument } from "#domain/credentials/download/open-document.js";
import { createFairSemaphore } from "#foundation/concurrency/semaphore.js";
import { tooManyRequests } from "#foundation/errors.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { contentDisposition } from "#infrastructure/files/content-disposition.js";
import type { HttpRoute } from "../http/routes.js";
import { isSameOrigin } from "../http/same-origin.js";
import { type ConsoleDeps, foreignPage } from "./session.js";

const ROUTE = { name: "POST /console/documents/", kind: "stream" } as const;

/** Maximum number of documents that are sent at the same time. One user gets at most a quarter. */
const MAX_DOCUMENTS = 32;

/**
 * `POST /console/documents/<uuid>` returns the PDF of a credential, which the console can't load from another origin,
 * such as an S3 bucket. The route calls GetDownloadUrl first, which checks and audits the access.
 *
 * The method is POST because over plain HTTP this route checks the `Origin` header, which browsers don't send with GET.
 */
export function documentsRoute(deps: ConsoleDeps & { readonly openDocument: OpenDocument }): HttpRoute {
  const { pipeline, publicUrl, openDocument } = deps;
  const sending = createFairSemaphore(MAX_DOCUMENTS);
  return {
    path: /^\/console\/documents\/(.*)$/,
    methods: ["POST"],
    async answer({ groups: [uuid = ""], request, response, inbound }) {
      if (!isSameOrigin(request, publicUrl)) {
        await pipeline.visit(ROUTE, inbound, async () => {
          throw foreignPage();
        });
      }
      const { name, share } = await mayRead(deps, uuid, request, inbound);
      await pipeline.visit(ROUTE, { ...inbound, isLimited: false }, async ({ signal }) => {
        if (!sending.tryAcquire(name, share)) throw tooManyRequests();
        try {
          await send(openDocument, uuid, response, signal);
        } finally {
          sending.release(name);
        }
      });
    },
  };
}

/** Checks and audits the access. Returns the user whose limit the document counts towards. */
async function mayRead(
  { pipeline, cookie }: ConsoleDeps,
  uuid: string,
  request: IncomingMessage,
  inbound: Inbound,
): Promise<SemaphoreHolder> {
  const credentials = { session: cookie().read(request) };
  const { getDownloadUrl } = CredentialService.method;
  const call = await pipeline.admit(getDownloadUrl, { ...inbound, credentials });
  const { name, share } = call.holder;
  await call.unary({ request: create(getDownloadUrl.input, { uuid }) });
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
