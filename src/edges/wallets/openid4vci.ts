import type { IncomingMessage, ServerResponse } from "node:http";
import { ConnectError } from "@connectrpc/connect";
import { CREDENTIALS_CONTEXT, OPEN_BADGES_CONTEXT } from "../../badges/contexts.js";
import { WalletError, type WalletErrorCode } from "../../credentials/wallets/wallet-error.js";
import type { WalletFormat } from "../../credentials/wallets/wallet-offer-store.js";
import {
  TOKEN_LIFETIME_S,
  type WalletOffers,
  walletConfigurations,
} from "../../credentials/wallets/wallet-offers.js";
import { Problem } from "../../errors.js";
import type { Pipeline, PublicRoute } from "../../pipeline/pipeline.js";
import type { ClientOf } from "../http/client-address.js";
import type { Cors } from "../http/cors.js";
import { httpStatusOf } from "../http/http-status.js";
import { toInbound } from "../http/inbound.js";
import { retryAfterOf, sendJson } from "../http/send-json.js";
import type { HttpHandler } from "../http/server.js";
import { readSmallBody } from "./small-body.js";

/** What handing badges to wallets needs. */
export interface WalletDeps {
  readonly pipeline: Pipeline;
  readonly cors: Cors;
  readonly clientOf: ClientOf;
  readonly offers: WalletOffers;
  /** The name under which credentials are issued. */
  readonly platformName: string;
  readonly issuerProfile: { readonly image?: string | undefined };
  publicUrl(): string;
}

type Json = Readonly<Record<string, unknown>>;

interface Endpoint {
  readonly method: "GET" | "POST";
  readonly route: PublicRoute;
  respond(request: IncomingMessage): Promise<Json>;
}

const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:pre-authorized_code";

const BEARER = /^Bearer +(.+)$/i;

const statuses: Partial<Record<WalletErrorCode, number>> = { invalid_token: 401 };

/**
 * OpenID for Verifiable Credential Issuance 1.0 with pre-authorized codes: the two metadata documents, and the endpoints for
 * tokens, nonces and credentials. They are for any origin, and count for the public limit.
 */
export function createWalletHandler(deps: WalletDeps): HttpHandler {
  const { offers, publicUrl } = deps;
  const endpoint = (method: Endpoint["method"], name: string, respond: Endpoint["respond"]): Endpoint => ({
    method,
    route: { name: `${method} ${name}`, kind: "unary" },
    respond,
  });
  const issuer = endpoint("GET", "/.well-known/openid-credential-issuer", async () => issuerMetadata(deps));
  const server = endpoint("GET", "/.well-known/oauth-authorization-server", async () =>
    serverMetadata(publicUrl()),
  );
  const endpoints: Readonly<Record<string, Endpoint>> = {
    "/openid4vci/token": endpoint("POST", "/openid4vci/token", async (request) => token(offers, request)),
    "/openid4vci/nonce": endpoint("POST", "/openid4vci/nonce", async () => ({ c_nonce: offers.nonce() })),
    "/openid4vci/credential": endpoint("POST", "/openid4vci/credential", (request) =>
      credential(offers, request),
    ),
  };
  return (request, response) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    // An issuer with a path has its documents below the well-known one (RFC 8414, 3.1).
    const wellKnown = /^\/\.well-known\/(openid-credential-issuer|oauth-authorization-server)(?:\/.*)?$/.exec(
      path,
    );
    const found = wellKnown
      ? wellKnown[1] === "openid-credential-issuer"
        ? issuer
        : server
      : Object.hasOwn(endpoints, path)
        ? endpoints[path]
        : undefined;
    if (!found) return false;
    void answer(deps, found, request, response);
    return true;
  };
}

/** Never rejects. */
async function answer(
  { pipeline, cors, clientOf }: WalletDeps,
  { method, route, respond }: Endpoint,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const shared = cors.answer(request.headers.origin, true);
  const isRead = method === "GET" && request.method === "HEAD";
  if (request.method === "OPTIONS") {
    const preflight = cors.preflight(request.headers.origin, true, [method]);
    response.writeHead(204, ["Allow", `${method}, OPTIONS`, ...preflight, "Cache-Control", "no-store"]).end();
    return;
  }
  if (request.method !== method && !isRead) {
    const error = { code: "invalid_request", message: `Only ${method} is allowed here.` };
    return sendError(response, 405, error, ["Allow", `${method}, OPTIONS`, ...shared]);
  }
  try {
    let refusal: WalletError | undefined;
    const body = await pipeline
      .visit(route, toInbound(request, response, clientOf(request)), async () => {
        try {
          return await respond(request);
        } catch (error) {
          if (!(error instanceof WalletError)) throw error;
          refusal = error;
          throw new Problem("invalid", error.message);
        }
      })
      .catch((error) => {
        if (refusal) throw refusal;
        throw error;
      });
    sendJson(response, 200, body, shared);
  } catch (error) {
    if (error instanceof WalletError) {
      const challenge = error.code === "invalid_token" ? challengeTo(request) : [];
      return sendError(response, statuses[error.code] ?? 400, error, [...challenge, ...shared]);
    }
    const failure = ConnectError.from(error);
    const status = httpStatusOf(failure);
    const code =
      status < 500 ? "invalid_request" : status === 503 ? "temporarily_unavailable" : "server_error";
    const told = { code, message: failure.rawMessage };
    sendError(response, status, told, [...retryAfterOf(failure), ...shared]);
  }
}

/** A request that has sent no token is not told that its token is wrong (RFC 6750, 3.1). */
function challengeTo({ headers: { authorization = "" } }: IncomingMessage): string[] {
  return ["WWW-Authenticate", BEARER.test(authorization) ? 'Bearer error="invalid_token"' : "Bearer"];
}

function sendError(
  response: ServerResponse,
  status: number,
  { code, message }: { readonly code: string; readonly message: string },
  headers: readonly string[],
): void {
  sendJson(response, status, { error: code, error_description: describable(message) }, headers);
}

/** Of ASCII, a description has no quotes and no backslash, and it has nothing else (RFC 6749, 5.2; OpenID4VCI 1.0, 8.3.1.2). */
function describable(message: string): string {
  return message.replaceAll('"', "'").replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/gu, "?");
}

function issuerMetadata({ publicUrl, platformName, issuerProfile: { image } }: WalletDeps): Json {
  const issuer = publicUrl();
  const common = (format: WalletFormat) => ({
    format,
    // Wallets tell 1.0 from its drafts by this.
    credential_metadata: { display: [{ name: "Open Badge" }] },
    cryptographic_binding_methods_supported: ["jwk", "did:jwk", "did:key"],
    proof_types_supported: { jwt: { proof_signing_alg_values_supported: ["ES256", "EdDSA"] } },
  });
  const type = ["VerifiableCredential", "OpenBadgeCredential"];
  const forms: Record<WalletFormat, Json> = {
    ldp_vc: {
      ...common("ldp_vc"),
      credential_signing_alg_values_supported: ["eddsa-rdfc-2022"],
      credential_definition: { "@context": [CREDENTIALS_CONTEXT, OPEN_BADGES_CONTEXT], type },
    },
    jwt_vc_json: {
      ...common("jwt_vc_json"),
      credential_signing_alg_values_supported: ["ES256"],
      credential_definition: { type },
    },
  };
  return {
    credential_issuer: issuer,
    credential_endpoint: `${issuer}/openid4vci/credential`,
    nonce_endpoint: `${issuer}/openid4vci/nonce`,
    display: [{ name: platformName, ...(image !== undefined && { logo: { uri: image } }) }],
    credential_configurations_supported: Object.fromEntries(
      Object.entries(walletConfigurations).map(([id, format]) => [id, forms[format]]),
    ),
  };
}

function serverMetadata(issuer: string): Json {
  return {
    issuer,
    token_endpoint: `${issuer}/openid4vci/token`,
    grant_types_supported: [GRANT_TYPE],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ["none"],
    "pre-authorized_grant_anonymous_access_supported": true,
  };
}

async function token(offers: WalletOffers, request: IncomingMessage): Promise<Json> {
  const form = new URLSearchParams(await readSmallBody(request, "application/x-www-form-urlencoded"));
  const given = (name: string) => {
    const [value, ...more] = form.getAll(name);
    if (value === undefined || value === "" || more.length > 0) {
      throw new WalletError("invalid_request", `${name} must be given once.`);
    }
    return value;
  };
  if (given("grant_type") !== GRANT_TYPE) {
    throw new WalletError("unsupported_grant_type", `grant_type has to be ${GRANT_TYPE}.`);
  }
  const txCode = form.has("tx_code") ? given("tx_code") : undefined;
  const accessToken = await offers.token(given("pre-authorized_code"), txCode);
  return { access_token: accessToken, token_type: "Bearer", expires_in: TOKEN_LIFETIME_S };
}

async function credential(offers: WalletOffers, request: IncomingMessage): Promise<Json> {
  const [, accessToken = ""] = BEARER.exec(request.headers.authorization ?? "") ?? [];
  if (!/^[\w-]{1,100}$/.test(accessToken))
    throw new WalletError("invalid_token", "An access token must be given as Bearer.");
  const asked = parseJson(await readSmallBody(request, "application/json"));
  if (asked.credential_response_encryption !== undefined) {
    throw new WalletError(
      "invalid_encryption_parameters",
      "credential_response_encryption is not supported: leave it out.",
    );
  }
  const format = formatOf(asked);
  const badge = await offers.credential(accessToken, format, proofOf(asked));
  return { credentials: [{ credential: format === "ldp_vc" ? JSON.parse(badge) : badge }] };
}

/** Tokens from here come without `credential_identifiers`, so no wallet has one to ask with (OpenID4VCI 1.0, 8.2). */
function formatOf({
  credential_configuration_id: id,
  credential_identifier: identifier,
}: Json): WalletFormat {
  if (identifier !== undefined && id !== undefined) {
    throw new WalletError(
      "invalid_credential_request",
      "credential_identifier and credential_configuration_id exclude each other.",
    );
  }
  if (identifier !== undefined) {
    throw new WalletError(
      "unknown_credential_identifier",
      "There are no credential identifiers here: ask with credential_configuration_id.",
    );
  }
  if (typeof id !== "string") {
    throw new WalletError("invalid_credential_request", "credential_configuration_id must be given.");
  }
  const format = Object.hasOwn(walletConfigurations, id) ? walletConfigurations[id] : undefined;
  if (!format) throw new WalletError("unknown_credential_configuration", "There is no such configuration.");
  return format;
}

/** Drafts before 1.0 have `proof`, with the one proof in it. */
function proofOf({ proofs, proof: earlier }: Json): string {
  const { jwt, ...others } = objectOf(proofs ?? proofsFrom(objectOf(earlier)));
  const [proof, ...more] = Array.isArray(jwt) ? jwt : [];
  if (typeof proof !== "string" || more.length > 0 || Object.keys(others).length > 0) {
    throw new WalletError("invalid_proof", "proofs must contain one jwt.");
  }
  return proof;
}

function proofsFrom({ proof_type: type, jwt }: Json): Json {
  return type === "jwt" ? { jwt: [jwt] } : {};
}

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function parseJson(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Json;
  } catch {
    // told below
  }
  throw new WalletError("invalid_credential_request", "The request has to be a JSON object.");
}
