import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SignJWT } from "jose";
import { forge, hmac } from "../../identity/forge.js";
import { publicJwk } from "../../identity/jwks-server.js";
import { JWT_SECRET } from "../../support/service.js";

export const CLIENT_ID = "learning-credentials";
export const CLIENT_SECRET = "a secret of the client";

/** An authorization server for one client. It supports OpenID Connect and, at `/oauth2/`, the endpoints of Open edX. */
export interface IdentityProvider {
  readonly url: string;
  /** Claims of the next user to sign in. */
  claims: Readonly<Record<string, unknown>>;
  /** Claims of the ID token that are replaced, so that the token is refused. */
  idToken: Readonly<Record<string, unknown>>;
  /** Signs ID tokens with a key that is not published. */
  signsWrongly: boolean;
  /** Functions that respond instead of the provider, by path. */
  readonly impostors: Map<string, (request: IncomingMessage, response: ServerResponse) => void>;
  /** Parameters of the last request to the authorization endpoint. */
  asked: URLSearchParams;
  /** Returns the address to which the browser is sent after the user's consent. */
  consent(authorizationUrl: string): Promise<string>;
  stop(): Promise<void>;
}

interface Grant {
  readonly challenge: string;
  readonly nonce: string | null;
  readonly redirectUri: string;
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const others = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const grants = new Map<string, Grant>();

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams } = new URL(request.url ?? "", url);
    const json = (body: object, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const impostor = self.impostors.get(pathname);
    if (impostor) return impostor(request.resume(), response);
    switch (pathname) {
      case "/.well-known/openid-configuration":
        return json({
          issuer: url,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
          end_session_endpoint: `${url}/end-session`,
          jwks_uri: `${url}/jwks`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["RS256"],
          code_challenge_methods_supported: ["S256"],
        });
      case "/jwks":
        return json({ keys: [{ ...publicJwk(keys.publicKey, { kid: "1" }), alg: "RS256", use: "sig" }] });
      case "/authorize":
      case "/oauth2/authorize/": {
        self.asked = searchParams;
        const code = randomBytes(16).toString("hex");
        const redirectUri = searchParams.get("redirect_uri") ?? "";
        grants.set(code, {
          challenge: searchParams.get("code_challenge") ?? "",
          nonce: searchParams.get("nonce"),
          redirectUri,
        });
        const location = new URL(redirectUri);
        location.searchParams.set("code", code);
        location.searchParams.set("state", searchParams.get("state") ?? "");
        return response.writeHead(302, { location: location.href }).end();
      }
      case "/end-session": {
        const isOurs = searchParams.get("client_id") === CLIENT_ID;
        const location = searchParams.get("post_logout_redirect_uri");
        if (!isOurs || location === null) return json({ error: "invalid_request" }, 400);
        return response.writeHead(302, { location }).end();
      }
      case "/token":
      case "/oauth2/access_token/": {
        const form = new URLSearchParams(await text(request));
        const grant = grants.get(form.get("code") ?? "");
        grants.delete(form.get("code") ?? "");
        const challenge = createHash("sha256")
          .update(form.get("code_verifier") ?? "")
          .digest("base64url");
        const isRight =
          grant?.challenge === challenge &&
          grant.redirectUri === form.get("redirect_uri") &&
          form.get("client_id") === CLIENT_ID &&
          form.get("client_secret") === CLIENT_SECRET;
        if (!isRight) return json({ error: "invalid_grant" }, 400);
        const now = Math.floor(Date.now() / 1000);
        if (pathname !== "/token") {
          if (form.get("token_type") !== "jwt") return json({ error: "invalid_request" }, 400);
          const token = forge(
            { alg: "HS256" },
            { iss: url, exp: now + 60, ...self.claims },
            hmac(JWT_SECRET),
          );
          return json({ access_token: token, token_type: "JWT", expires_in: 60, scope: "user_id" });
        }
        const claims = {
          iss: url,
          aud: CLIENT_ID,
          iat: now,
          exp: now + 60,
          nonce: grant.nonce,
          ...self.claims,
          ...self.idToken,
        };
        const signer = new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "1" });
        const idToken = await signer.sign((self.signsWrongly ? others : keys).privateKey);
        return json({ access_token: "opaque", token_type: "Bearer", expires_in: 60, id_token: idToken });
      }
      default:
        return json({}, 404);
    }
  }

  const self: IdentityProvider = {
    url,
    claims: {},
    idToken: {},
    signsWrongly: false,
    impostors: new Map(),
    asked: new URLSearchParams(),
    async consent(authorizationUrl) {
      const { headers } = await fetch(authorizationUrl, { redirect: "manual" });
      return headers.get("location") ?? "";
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return self;
}
