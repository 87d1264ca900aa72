import type { IncomingMessage } from "node:http";
import { ConnectError } from "@connectrpc/connect";
import type { Pipeline } from "#api/pipeline/pipeline.js";
import { WalletError } from "#domain/credentials/wallets/wallet-error.js";
import type { WalletFormat } from "#domain/credentials/wallets/wallet-offer-store.js";
import {
  TOKEN_LIFETIME_S,
  type WalletOffers,
  walletConfigurations,
} from "#domain/credentials/wallets/wallet-offers.js";
import { CREDENTIALS_CONTEXT, OPEN_BADGES_CONTEXT } from "#formats/badges/contexts.js";
import { Problem } from "#foundation/errors.js";
import { isObject } from "#foundation/text/is-object.js";
import type { Cors } from "../http/cors.js";
import type { Exchange, HttpRoute, RouteRefusal } from "../http/routes.js";
import { sendJson } from "../http/send-json.js";
import { mediaTypeOf, readSmallBody } from "../http/small-body.js";

interface WalletDeps {
  readonly pipeline: Pipeline;
  readonly cors: Cors;
  readonly offers: WalletOffers;
  /** Name and logo of the credential issuer. */
  readonly settings: {
    readonly platformName: string;
    readonly issuerProfile: { readonly image?: string | undefined };
  };
  readonly publicUrl: string;
}

type Json = Readonly<Record<string, unknown>>;

const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:pre-authorized_code";

const BEARER = /^Bearer +(.+)$/i;

/**
 * OpenID for Verifiable Credential Issuance 1.0 with pre-authorized codes. Any origin may use the endpoints. Requests
 * count towards the public rate limit.
 */
export function walletRoutes(deps: WalletDeps): HttpRoute[] {
  const { pipeline, cors, offers, publicUrl } = deps;
  const route = (
    method: "GET" | "POST",
    name: string,
    respond: (request: IncomingMessage) => Promise<Json>,
    path: string | RegExp = name,
  ): HttpRoute => ({
    path,
    methods: method === "GET" ? ["GET", "HEAD"] : [method],
    cors,
    async answer({ request, response, headers, inbound }) {
      const visited = { name: `${method} ${name}`, kind: "unary" } as const;
      const body = await pipeline.visit(visited, inbound, () => respond(request).catch(asProblem));
      sendJson(response, 200, body, headers);
    },
    refuse: refuseWallet,
  });
  return [
    // If the issuer's URL has a path, its documents are below the well-known path (RFC 8414, 3.1).
    route(
      "GET",
      "/.well-known/openid-credential-issuer",
      async () => issuerMetadata(deps),
      /^\/\.well-known\/openid-credential-issuer(?:\/.*)?$/,
    ),
    route(
      "GET",
      "/.well-known/oauth-authorization-server",
      async () => serverMetadata(publicUrl),
      /^\/\.well-known\/oauth-authorization-server(?:\/.*)?$/,
    ),
    route("POST", "/openid4vci/token", (request) => token(offers, request)),
    route("POST", "/openid4vci/nonce", async () => ({ c_nonce: offers.nonce() })),
    route("POST", "/openid4vci/credential", (request) => credential(offers, request)),
  ];
}

/** Converts an error of a wallet to a Problem `invalid`, for the log. */
function asProblem(error: unknown): never {
  throw error instanceof WalletError ? new Problem("invalid", error.message, { cause: error }) : error;
}

/** Sends an error in the format of OAuth 2.0. */
function refuseWallet({ request, response }: Exchange, refusal: RouteRefusal): void {
  const { status, message, headers, error } = refusal;
  const cause =
    error instanceof ConnectError && error.cause instanceof Problem ? error.cause.cause : undefined;
  const wrong = cause instanceof WalletError ? cause.code : undefined;
  const isToken = wrong === "invalid_token";
  const code =
    wrong ?? (status < 500 ? "invalid_request" : status === 503 ? "temporarily_unavailable" : "server_error");
  const challenge = isToken ? challengeTo(request) : [];
  const content = { error: code, error_description: describable(message) };
  sendJson(response, isToken ? 401 : status, content, [...challenge, ...headers]);
}

/** Returns the challenge. If the request has no token, the challenge must not contain an error (RFC 6750, 3.1). */
function challengeTo({ headers: { authorization = "" } }: IncomingMessage): string[] {
  return ["WWW-Authenticate", BEARER.test(authorization) ? 'Bearer error="invalid_token"' : "Bearer"];
}

/** Returns the message in ASCII, without quotes and backslashes (RFC 6749, 5.2; OpenID4VCI 1.0, 8.3.1.2). */
function describable(message: string): string {
  return message.replaceAll('"', "'").replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/gu, "?");
}

function issuerMetadata({ publicUrl, settings: { platformName, issuerProfile } }: WalletDeps): Json {
  const { image } = issuerProfile;
  const issuer = publicUrl;
  const common = (format: WalletFormat) => ({
    format,
    // Wallets recognise version 1.0 of OpenID4VCI by this property, which drafts lack.
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
  const form = new URLSearchParams(await readBody(request, "application/x-www-form-urlencoded"));
  const parameter = (name: string) => {
    const [value, ...more] = form.getAll(name);
    if (value === undefined || value === "" || more.length > 0) {
      throw new WalletError("invalid_request", `${name} must be set exactly once.`);
    }
    return value;
  };
  if (parameter("grant_type") !== GRANT_TYPE) {
    throw new WalletError("unsupported_grant_type", `grant_type must be ${GRANT_TYPE}.`);
  }
  const txCode = form.has("tx_code") ? parameter("tx_code") : undefined;
  const accessToken = await offers.token(parameter("pre-authorized_code"), txCode);
  return { access_token: accessToken, token_type: "Bearer", expires_in: TOKEN_LIFETIME_S };
}

async function credential(offers: WalletOffers, request: IncomingMessage): Promise<Json> {
  const [, accessToken = ""] = BEARER.exec(request.headers.authorization ?? "") ?? [];
  if (!/^[\w-]{1,100}$/.test(accessToken))
    throw new WalletError("invalid_token", "The Authorization header must contain a Bearer access token.");
  const credentialRequest = parseJson(await readBody(request, "application/json"));
  if (credentialRequest.credential_response_encryption !== undefined) {
    throw new WalletError(
      "invalid_encryption_parameters",
      "credential_response_encryption is not supported: remove it.",
    );
  }
  const format = formatOf(credentialRequest);
  const badge = await offers.credential(accessToken, format, proofOf(credentialRequest));
  return { credentials: [{ credential: format === "ldp_vc" ? JSON.parse(badge) : badge }] };
}

/** @throws WalletError `invalid_request` if the media type is wrong; Problem if the body is too large or slow */
async function readBody(request: IncomingMessage, mediaType: string): Promise<string> {
  if (mediaTypeOf(request) === mediaType) return readSmallBody(request);
  throw new WalletError("invalid_request", `The Content-Type must be ${mediaType}.`);
}

/**
 * Requests can't contain a `credential_identifier`, because our token responses have no `credential_identifiers`
 * (OpenID4VCI 1.0, 8.2).
 */
function formatOf({
  credential_configuration_id: id,
  credential_identifier: identifier,
}: Json): WalletFormat {
  if (identifier !== undefined && id !== undefined) {
    throw new WalletError(
      "invalid_credential_request",
      "credential_identifier and credential_configuration_id can't be used together.",
    );
  }
  if (identifier !== undefined) {
    throw new WalletError(
      "unknown_credential_identifier",
      "Credential identifiers are not supported: use credential_configuration_id.",
    );
  }
  if (typeof id !== "string") {
    throw new WalletError("invalid_credential_request", "credential_configuration_id must be a string.");
  }
  const format = Object.hasOwn(walletConfigurations, id) ? walletConfigurations[id] : undefined;
  if (!format)
    throw new WalletError(
      "unknown_credential_configuration",
      "credential_configuration_id is not in the issuer's metadata.",
    );
  return format;
}

/** Returns the wallet's proof. Drafts before 1.0 have a single `proof` instead of `proofs`. */
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
  return isObject(value) ? value : {};
}

function parseJson(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // reported below
  }
  throw new WalletError("invalid_credential_request", "The request must be a JSON object.");
}
