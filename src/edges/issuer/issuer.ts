import type { Call } from "#api/pipeline/handlers.js";
import type { Pipeline } from "#api/pipeline/pipeline.js";
import type { ReadDidDocument } from "#domain/credentials/badges/did-documents.js";
import { STATUS_MAX_AGE_S, type StatusLists } from "#domain/credentials/badges/status-lists.js";
import { Problem } from "#foundation/errors.js";
import { acceptedWeight, JSON_PATTERN } from "../http/accept.js";
import type { Cors } from "../http/cors.js";
import { decodePercent } from "../http/percent.js";
import type { Exchange, HttpRoute } from "../http/routes.js";
import { type HttpAnswer, sendAnswer } from "../http/send-answer.js";

interface IssuerDeps {
  readonly pipeline: Pipeline;
  readonly cors: Cors;
  readonly readDidDocument: ReadDidDocument;
  readonly statusLists: StatusLists;
}

/** How long caches may lack a new key. Therefore, a new key must be published at least this long before it signs. */
const DID_MAX_AGE_S = 300;

const MAX_ORGANISATION = 100;

/**
 * `GET /.well-known/did.json` returns the issuer's public keys (`GET /did.json` if the public URL has a path). `GET
 * /status/<list>` returns a status list. Organisations with their own keys have both below `/organisations/<org>/`. Any
 * origin may read them. The routes don't include the path of the public URL, because a proxy removes it.
 */
export function issuerRoutes({ pipeline, cors, readDidDocument, statusLists }: IssuerDeps): HttpRoute[] {
  const route = (name: string, path: RegExp, find: Find): HttpRoute => ({
    path,
    cors,
    async answer({ groups, request: { headers: requested }, response, headers, inbound }) {
      const found = await pipeline.visit({ name: `GET ${name}`, kind: "unary" }, inbound, (call) =>
        find(groups, requested.accept ?? "", call),
      );
      sendAnswer(response, {
        ...found,
        headers: [...found.headers, ...headers],
        isConditional: true,
      });
    },
  });
  const didDocument: Find = async ([segment], _, { cancellation }) => ({
    contentType: "application/did+json",
    headers: ["Cache-Control", `public, max-age=${DID_MAX_AGE_S}`],
    body: (await readDidDocument(organisationIn(segment), cancellation)) ?? notFound(),
  });
  const statusList: Find = async ([segment, list], accept, { cancellation }) => {
    const contentType = listTypeFor(accept);
    const isJwt = contentType === LIST_JWT;
    const name = { list: Number(list), organisation: organisationIn(segment), isJwt };
    return {
      contentType,
      headers: ["Cache-Control", `public, max-age=${STATUS_MAX_AGE_S}`, "Vary", "Accept"],
      body: (await statusLists(name, cancellation)) ?? notFound(),
    };
  };
  return [
    route("/.well-known/did.json", /^\/(?:\.well-known\/)?did\.json$/, didDocument),
    route("/organisations/*/did.json", /^\/organisations\/([^/]+)\/did\.json$/, didDocument),
    route("/status/", /^()\/status\/(0|[1-9]\d{0,8})\/?$/, statusList),
    route("/organisations/*/status/", /^\/organisations\/([^/]+)\/status\/(0|[1-9]\d{0,8})\/?$/, statusList),
  ];
}

type Find = (
  groups: Exchange["groups"],
  accept: string,
  call: Call,
) => Promise<Pick<HttpAnswer, "contentType" | "headers" | "body">>;

const LIST_JWT = "application/vc+jwt";

/** Returns the media type that the client prefers; on a tie, first `application/vc`, then `application/json`. */
function listTypeFor(accept: string): string {
  const json = acceptedWeight(accept, JSON_PATTERN);
  const jwt = acceptedWeight(accept, /^application\/vc\+jwt$/);
  const vc = acceptedWeight(accept, /^application\/vc$/);
  if (vc > 0 && vc >= Math.max(json, jwt)) return "application/vc";
  // Some verifiers can parse only `application/json`.
  return jwt > Math.max(json, vc) ? LIST_JWT : "application/json";
}

/**
 * @returns undefined for the service itself
 * @throws Problem `not-found` if the text can't be the name of an organisation
 */
function organisationIn(segment: string | undefined): string | undefined {
  if (!segment) return undefined;
  const name = decodePercent(segment);
  return name !== undefined && name.length <= MAX_ORGANISATION && /^[^\p{Cc}]+$/u.test(name)
    ? name
    : notFound();
}

function notFound(): never {
  throw new Problem("not-found", "Not found.");
}
