import type { IncomingMessage, ServerResponse } from "node:http";
import type { ReadDidDocument } from "../../credentials/badges/did-documents.js";
import { STATUS_MAX_AGE_S, type StatusLists } from "../../credentials/badges/status-lists.js";
import { Problem } from "../../errors.js";
import type { Call } from "../../pipeline/handlers.js";
import type { Pipeline, PublicRoute } from "../../pipeline/pipeline.js";
import type { ClientOf } from "../http/client-address.js";
import type { Cors } from "../http/cors.js";
import { toInbound } from "../http/inbound.js";
import { sendFailure, sendJson } from "../http/send-json.js";
import { sendText } from "../http/send-text.js";
import type { HttpHandler } from "../http/server.js";

/** Dependencies for the documents that verifiers of Open Badges fetch. */
export interface IssuerDeps {
  readonly pipeline: Pipeline;
  readonly cors: Cors;
  readonly clientOf: ClientOf;
  readonly readDidDocument: ReadDidDocument;
  readonly statusLists: StatusLists;
}

/** This delay is harmless: a new key is published one start before the start that signs with it. */
const DID_MAX_AGE_S = 300;

const statusPath = /^\/status\/(0|[1-9]\d{0,8})\/?$/;

/** An organisation that issues under a name of its own, and the rest of the path, as of the service itself. */
const organisationPath = /^\/organisations\/([^/]+)(\/.*)$/;

const MAX_ORGANISATION = 100;

/** A proxy that serves us below a path strips that path, as everywhere. */
const didPath = /^\/(?:\.well-known\/)?did\.json$/;

const didRoute: PublicRoute = { name: "GET /.well-known/did.json", kind: "unary" };
const organisationDidRoute: PublicRoute = { name: "GET /organisations/*/did.json", kind: "unary" };
const statusRoute: PublicRoute = { name: "GET /status/", kind: "unary" };
const organisationStatusRoute: PublicRoute = { name: "GET /organisations/*/status/", kind: "unary" };

/** A document and its response headers. */
interface Found {
  readonly route: PublicRoute;
  readonly contentType: string;
  readonly maxAge: number;
  readonly vary: readonly string[];
  find(call: Call): Promise<string | undefined>;
}

/**
 * `GET /.well-known/did.json`: the issuer's public keys. `GET /status/<list>`: a status list. Organisations
 * with keys have the same below `/organisations/<org>/`. All allow any origin.
 */
export function createIssuerHandler(deps: IssuerDeps): HttpHandler {
  const { readDidDocument, statusLists } = deps;
  function documentAt(url: string, accept: string): Found | undefined {
    const [, segment, below] = organisationPath.exec(url) ?? [];
    const organisation = segment === undefined ? undefined : decoded(segment);
    if (segment !== undefined && organisation === undefined) return undefined;
    const path = below ?? url;
    if (organisation === undefined ? didPath.test(path) : path === "/did.json") {
      const contentType = "application/did+json";
      const find = ({ cancellation }: Call) => readDidDocument(organisation, cancellation);
      const route = organisation === undefined ? didRoute : organisationDidRoute;
      return { route, contentType, maxAge: DID_MAX_AGE_S, vary: [], find };
    }
    const list = statusPath.exec(path)?.[1];
    if (list === undefined) return undefined;
    const contentType = listTypeFor(accept);
    const isJwt = contentType === LIST_JWT;
    return {
      route: organisation === undefined ? statusRoute : organisationStatusRoute,
      contentType,
      maxAge: STATUS_MAX_AGE_S,
      vary: ["Vary", "Accept"],
      find: ({ cancellation }) => statusLists({ list: Number(list), organisation, isJwt }, cancellation),
    };
  }
  return (request, response) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    const found = documentAt(path, request.headers.accept ?? "");
    if (!found) return false;
    if (request.method === "GET" || request.method === "HEAD") void answer(deps, found, request, response);
    else refuse(deps.cors, request, response);
    return true;
  };
}

const LIST_JWT = "application/vc+jwt";

/** Returns the media type of a list. It is a JWT only for those who ask for nothing else. */
function listTypeFor(accept: string): string {
  if (/\bapplication\/vc(?![\w+-])/.test(accept)) return "application/vc";
  if (accept.includes(LIST_JWT) && !accept.includes("json")) return LIST_JWT;
  // Some verifiers parse as JSON only what is labelled as JSON.
  return "application/json";
}

/** @returns undefined if no organisation is called this */
function decoded(segment: string): string | undefined {
  try {
    const name = decodeURIComponent(segment);
    return name.length <= MAX_ORGANISATION && /^[^\p{Cc}]+$/u.test(name) ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Never rejects. */
async function answer(
  { pipeline, cors, clientOf }: IssuerDeps,
  { route, contentType, maxAge, vary, find }: Found,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const shared = cors.answer(request.headers.origin, true);
  try {
    const body = await pipeline.visit(
      route,
      toInbound(request, response, clientOf(request)),
      async (call) => {
        const text = await find(call);
        if (text === undefined) throw new Problem("not-found", "Not found.");
        return text;
      },
    );
    const headers = ["Cache-Control", `public, max-age=${maxAge}`, ...vary, ...shared];
    sendText(response, { status: 200, contentType, headers, body, isConditional: true });
  } catch (error) {
    sendFailure(response, error, shared);
  }
}

function refuse(
  cors: Cors,
  { method, headers: { origin } }: IncomingMessage,
  response: ServerResponse,
): void {
  const allowed = ["GET", "HEAD"];
  if (method === "OPTIONS") {
    const preflight = cors.preflight(origin, true, allowed);
    response.writeHead(204, ["Allow", "GET, HEAD, OPTIONS", ...preflight, "Cache-Control", "no-store"]).end();
    return;
  }
  const headers = ["Allow", "GET, HEAD, OPTIONS", ...cors.answer(origin, true)];
  sendJson(response, 405, { detail: "Only GET and HEAD are allowed here." }, headers);
}
