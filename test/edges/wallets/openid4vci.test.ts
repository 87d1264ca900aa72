import { randomBytes } from "node:crypto";
import { Code } from "@connectrpc/connect";
import { importJWK, SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { CredentialService, CredentialVerdict } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { givenAcademy } from "../../support/academy.js";
import { startTestService, tokenOf } from "../../support/service.js";
import { type Json, type Key, newKey, receive } from "./foreign-wallet.js";

const ISSUER = "https://credentials.test";
const LOGO = "https://harbour-light.test/logo.png";
const GRANT = "urn:ietf:params:oauth:grant-type:pre-authorized_code";
const LDP = "OpenBadgeCredential_ldp_vc";
const JWT = "OpenBadgeCredential_jwt_vc_json";

const academy = givenAcademy({
  signs: true,
  settings: { PUBLIC_URL: ISSUER, PLATFORM_NAME: "Harbour Light", ISSUER_IMAGE: LOGO },
});
beforeAll(async () => {
  await academy.configure({ validity: "P1Y" });
});

const asHolder = async (username: string) =>
  academy.service.client(CredentialService, await tokenOf({ username }));

async function issued(username: string): Promise<string> {
  return (await academy.issued(username)).uuid;
}

/** Issues a credential and creates a credential offer for it as its holder. */
async function offered(username: string) {
  const uuid = await issued(username);
  const { offerUri, txCode, expireTime } = await (await asHolder(username)).createWalletOffer({ uuid });
  const offer = JSON.parse(new URL(offerUri).searchParams.get("credential_offer") ?? "");
  return { uuid, offerUri, txCode, expireTime, code: offer.grants[GRANT]["pre-authorized_code"] as string };
}

/** Converts a URL of the issuer's host to a URL of the service under test. */
const local = (url: string) => {
  expect(url.startsWith(ISSUER)).toBe(true);
  return academy.service.httpUrl + url.slice(ISSUER.length);
};

describe("a foreign wallet", () => {
  test.each(["ES256", "EdDSA"] as const)(
    "receives both formats with a key for %s, bound to that key",
    async (alg) => {
      const key = await newKey(alg);
      const { offerUri, txCode } = await offered(`wallet-${alg}`);
      for (const credential of await receive(key, local, offerUri, [LDP, JWT], txCode)) {
        const text = typeof credential === "string" ? credential : JSON.stringify(credential);
        const { verdict } = await academy.credentials.verifyCredential({
          subject: { case: "file", value: Buffer.from(text) },
        });
        expect(verdict).toBe(CredentialVerdict.GENUINE);
        const said =
          typeof credential === "string"
            ? JSON.parse(Buffer.from(credential.split(".")[1] ?? "", "base64url").toString())
            : credential;
        const did: string = said.credentialSubject.id;
        const bound = JSON.parse(Buffer.from(did.slice("did:jwk:".length), "base64url").toString());
        expect(bound).toMatchObject({ x: key.publicJwk.x });
        expect(said.credentialSubject.identifier[0].identityHash).toBe(`Learner wallet-${alg}`);
        expect(Date.parse(said.validUntil)).toBeGreaterThan(Date.now());
        expect(said.exp).toBe(
          typeof credential === "string" ? Date.parse(said.validUntil) / 1000 : undefined,
        );
      }
    },
  );
});

/** Sends a request as a wallet that follows no rules. */
const post = (path: string, body: string | object, headers: Record<string, string> = {}) =>
  fetch(academy.service.httpUrl + path, {
    method: "POST",
    headers: {
      "content-type": typeof body === "string" ? "application/x-www-form-urlencoded" : "application/json",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

const redeem = (code: string, txCode: string) =>
  post(
    "/openid4vci/token",
    new URLSearchParams({ grant_type: GRANT, "pre-authorized_code": code, tx_code: txCode }).toString(),
  );

async function refusal(answer: Response): Promise<[number, string]> {
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const { error, error_description: description } = (await answer.json()) as Json;
  expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  return [answer.status, error];
}

async function accessToken(username: string): Promise<string> {
  const { code, txCode } = await offered(username);
  const { access_token, token_type } = (await (await redeem(code, txCode)).json()) as Json;
  expect(token_type).toBe("Bearer");
  return access_token;
}

const freshNonce = async () =>
  ((await (await post("/openid4vci/nonce", "")).json()) as Json).c_nonce as string;

async function proof(
  change: { claims?: Json; header?: Json; key?: Key; signedBy?: Key } = {},
): Promise<string> {
  const key = change.key ?? (await newKey("ES256"));
  const claims = {
    aud: ISSUER,
    iat: Math.floor(Date.now() / 1000),
    nonce: await freshNonce(),
    ...change.claims,
  };
  const header = { alg: key.alg, typ: "openid4vci-proof+jwt", jwk: key.publicJwk, ...change.header };
  return new SignJWT(JSON.parse(JSON.stringify(claims)))
    .setProtectedHeader(JSON.parse(JSON.stringify(header)))
    .sign(await importJWK((change.signedBy ?? key).privateJwk, key.alg));
}

const requestWith = (token: string, body: object) =>
  post("/openid4vci/credential", body, { authorization: `Bearer ${token}` });

const request = (token: string, jwt: unknown, id: unknown = LDP) =>
  requestWith(token, { credential_configuration_id: id, proofs: { jwt: [jwt] } });

describe("a code", () => {
  test("is redeemed only once, also by concurrent requests", async () => {
    const { code, txCode } = await offered("once");
    const answers = await Promise.all(Array.from({ length: 5 }, () => redeem(code, txCode)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await refusal(await redeem(code, txCode))).toEqual([400, "invalid_grant"]);
  });

  test("becomes invalid after five wrong transaction codes, even if the next is right", async () => {
    const { code, txCode } = await offered("guessed");
    const wrong = txCode === "000000" ? "000001" : "000000";
    for (let times = 0; times < 5; times++) {
      expect(await refusal(await redeem(code, wrong))).toEqual([400, "invalid_grant"]);
    }
    expect(await refusal(await redeem(code, txCode))).toEqual([400, "invalid_grant"]);
  });

  test("made with a transaction code is not redeemed without it, and that is an attempt", async () => {
    const { code, txCode } = await offered("bare");
    const form = new URLSearchParams({ grant_type: GRANT, "pre-authorized_code": code }).toString();
    for (let times = 0; times < 5; times++) {
      expect(await refusal(await post("/openid4vci/token", form))).toEqual([400, "invalid_request"]);
    }
    expect(await refusal(await redeem(code, txCode))).toEqual([400, "invalid_grant"]);
  });

  test("expires after ten minutes", async () => {
    const { code, txCode, expireTime } = await offered("late");
    expect(Math.abs(Number(expireTime?.seconds) - Date.now() / 1000 - 600)).toBeLessThan(60);
    await academy.service.app.database.knex.raw(
      "update wallet_offers set expires_at = now() - interval '1 second'",
    );
    expect(await refusal(await redeem(code, txCode))).toEqual([400, "invalid_grant"]);
  });

  test("and its access token appear nowhere in the database", async () => {
    const { code, txCode } = await offered("hidden");
    const { access_token: token } = (await (await redeem(code, txCode)).json()) as Json;
    const { rows } = await academy.service.app.database.knex.raw(
      "select wallet_offers::text as row from wallet_offers",
    );
    const all = rows.map(({ row }: { row: string }) => row).join();
    for (const secret of [code, token]) {
      expect(all).not.toContain(Buffer.from(secret, "base64url").toString("hex"));
      expect(all).not.toContain(Buffer.from(secret).toString("hex"));
    }
  });

  test.each([
    ["without a code", { grant_type: GRANT, tx_code: "1" }, "invalid_request"],
    ["of another grant", { grant_type: "authorization_code", code: "x" }, "unsupported_grant_type"],
    [
      "that was never issued",
      { grant_type: GRANT, "pre-authorized_code": "x", tx_code: "1" },
      "invalid_grant",
    ],
  ])("%s is refused", async (_how, form, error) => {
    const answer = await post("/openid4vci/token", new URLSearchParams(form as never).toString());
    expect(await refusal(answer)).toEqual([400, error]);
  });
});

describe("a proof is refused", () => {
  let token: string;
  beforeAll(async () => {
    token = await accessToken("prover");
  });

  test.each([
    ["for another issuer", async () => proof({ claims: { aud: "https://evil.test" } })],
    ["that is old", async () => proof({ claims: { iat: Math.floor(Date.now() / 1000) - 400 } })],
    ["of the future", async () => proof({ claims: { iat: Math.floor(Date.now() / 1000) + 400 } })],
    ["without a date", async () => proof({ claims: { iat: null } })],
    ["without a nonce", async () => proof({ claims: { nonce: null } })],
    ["of another type", async () => proof({ header: { typ: "JWT" } })],
    ["by a foreign key", async () => proof({ signedBy: await newKey("ES256") })],
    ["with a key twice", async () => proof({ header: { kid: "did:key:z6Mk" } })],
    ["without a key", async () => proof({ header: { jwk: undefined } })],
    [
      "that shows its private key",
      async () => {
        const key = await newKey("ES256");
        return proof({ key, header: { jwk: key.privateJwk } });
      },
    ],
    [
      "by an unknown kind of DID",
      async () => proof({ header: { jwk: undefined, kid: "did:web:evil.test#1" } }),
    ],
    [
      "without a signature",
      async () => {
        const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
        const { publicJwk } = await newKey("ES256");
        const header = { alg: "none", typ: "openid4vci-proof+jwt", jwk: publicJwk };
        return `${part(header)}.${part({ aud: ISSUER, iat: Math.floor(Date.now() / 1000), nonce: await freshNonce() })}.`;
      },
    ],
    ["that is none", async () => "x"],
  ])("%s", async (_which, make) => {
    expect(await refusal(await request(token, await make()))).toEqual([400, "invalid_proof"]);
  });

  test("with a nonce that was used before, is not from this issuer, or is spelt differently", async () => {
    const nonce = await freshNonce();
    const other = await accessToken("nonces");
    expect((await request(other, await proof({ claims: { nonce } }))).status).toBe(200);
    expect(await refusal(await request(token, await proof({ claims: { nonce } })))).toEqual([
      400,
      "invalid_nonce",
    ]);
    for (const forged of ["x", `${await freshNonce()}=`, randomBytes(54).toString("base64url")]) {
      const refused = await request(token, await proof({ claims: { nonce: forged } }));
      expect(await refusal(refused)).toEqual([400, "invalid_nonce"]);
    }
  });

  test("and the token stays valid, once for each format", async () => {
    expect((await request(token, await proof(), LDP)).status).toBe(200);
    expect((await request(token, await proof({ key: await newKey("EdDSA") }), JWT)).status).toBe(200);
    expect(await refusal(await request(token, await proof(), LDP))).toEqual([
      400,
      "credential_request_denied",
    ]);
  });
});

test("wallets of drafts before 1.0, which send one proof, receive both formats", async () => {
  const token = await accessToken("earlier");
  for (const id of [LDP, JWT]) {
    const body = { credential_configuration_id: id, proof: { proof_type: "jwt", jwt: await proof() } };
    expect((await requestWith(token, body)).status).toBe(200);
  }
});

describe("a request for a credential is refused", () => {
  test("without a token, with a wrong one, and with an expired one", async () => {
    for (const headers of [{}, { authorization: "Basic eDp5" }]) {
      const bare = await post("/openid4vci/credential", {}, headers);
      expect(bare.headers.get("www-authenticate")).toBe("Bearer");
      expect(await refusal(bare)).toEqual([401, "invalid_token"]);
    }
    for (const wrong of ["x", "x y", "x".repeat(101)]) {
      const refused = await request(wrong, await proof());
      expect(refused.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
      expect(await refusal(refused)).toEqual([401, "invalid_token"]);
    }
    const token = await accessToken("tired");
    await academy.service.app.database.knex.raw(
      "update wallet_offers set token_expires_at = now() - interval '1 second' where token_hash is not null",
    );
    expect(await refusal(await request(token, await proof()))).toEqual([401, "invalid_token"]);
  });

  test("already when the code is redeemed, if the credential was invalidated since the offer", async () => {
    const { uuid, code, txCode } = await offered("soon-gone");
    await academy.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
    expect(await refusal(await redeem(code, txCode))).toEqual([400, "invalid_grant"]);
  });

  test("for an unknown configuration, and after the credential was invalidated", async () => {
    const { uuid, code, txCode } = await offered("gone");
    const { access_token: token } = (await (await redeem(code, txCode)).json()) as Json;
    expect(await refusal(await request(token, await proof(), "x"))).toEqual([
      400,
      "unknown_credential_configuration",
    ]);
    expect(await refusal(await request(token, await proof(), "constructor"))).toEqual([
      400,
      "unknown_credential_configuration",
    ]);
    expect(await refusal(await request(token, await proof(), 7))).toEqual([
      400,
      "invalid_credential_request",
    ]);
    expect(await refusal(await request(token, 7))).toEqual([400, "invalid_proof"]);
    await academy.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
    expect(await refusal(await request(token, await proof()))).toEqual([400, "credential_request_denied"]);
  });

  test.each([
    ["to encrypt the response", { credential_response_encryption: {} }, "invalid_encryption_parameters"],
    [
      "by an identifier",
      { credential_identifier: "x", credential_configuration_id: undefined },
      "unknown_credential_identifier",
    ],
    ["by an identifier and a configuration", { credential_identifier: "x" }, "invalid_credential_request"],
    ["with two proofs", { proofs: { jwt: ["x", "y"] } }, "invalid_proof"],
    [
      "with a proof of another type",
      { proofs: undefined, proof: { proof_type: "cwt", cwt: "x" } },
      "invalid_proof",
    ],
    ["with a proof that is none", { proofs: undefined, proof: 7 }, "invalid_proof"],
  ])("%s", async (_how, body, error) => {
    const token = await accessToken(`asker-${error}`);
    const requested = { credential_configuration_id: LDP, proofs: { jwt: [await proof()] }, ...body };
    expect(await refusal(await requestWith(token, requested))).toEqual([400, error]);
  });

  test("with another content type, with too many bytes, or by another method", async () => {
    const token = await accessToken("odd");
    const authorization = `Bearer ${token}`;
    const url = `${academy.service.httpUrl}/openid4vci/credential`;
    const plain = await fetch(url, { method: "POST", headers: { authorization }, body: "{}" });
    expect(await refusal(plain)).toEqual([400, "invalid_request"]);
    const large = await post("/openid4vci/credential", { x: "x".repeat(40_000) }, { authorization });
    expect((await refusal(large))[0]).toBe(413);
    expect((await fetch(url)).status).toBe(405);
  });
});

describe("an offer", () => {
  test("is open to the holder, staff and services that may write; others can't find out whether it exists", async () => {
    const uuid = await issued("owner");
    await (await asHolder("owner")).createWalletOffer({ uuid });
    await academy.credentials.createWalletOffer({ uuid });
    await expect((await asHolder("eve")).createWalletOffer({ uuid })).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: "Credential not found.",
    });
    await expect(academy.service.client(CredentialService).createWalletOffer({ uuid })).rejects.toMatchObject(
      { code: Code.Unauthenticated },
    );
  });

  test("is refused for a credential without a badge, and if the issuer has no HTTPS name", async () => {
    const uuid = await issued("nobadge");
    await academy.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
    await expect(academy.credentials.createWalletOffer({ uuid })).rejects.toMatchObject({
      code: Code.FailedPrecondition,
    });
    const plain = await startTestService({
      beside: academy.service,
      signs: true,
      settings: { PUBLIC_URL: "http://credentials.test" },
    });
    try {
      const staff = plain.client(CredentialService, await tokenOf({ username: "registrar", isStaff: true }));
      const live = await issued("plain");
      await expect(staff.createWalletOffer({ uuid: live })).rejects.toMatchObject({
        code: Code.FailedPrecondition,
        rawMessage: expect.stringMatching(/https/),
      });
      expect((await fetch(`${plain.httpUrl}/.well-known/openid-credential-issuer`)).status).toBe(404);
    } finally {
      await plain.stop();
    }
  });
});

test("metadata can be read from any origin, also if the issuer's URL has a path", async () => {
  for (const path of [
    "openid-credential-issuer",
    "oauth-authorization-server",
    "openid-credential-issuer/below",
  ]) {
    const answer = await fetch(`${academy.service.httpUrl}/.well-known/${path}`, {
      headers: { origin: "https://wallet.test" },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const { credential_issuer, issuer, display } = (await answer.json()) as Json;
    expect(credential_issuer ?? issuer).toBe(ISSUER);
    if (credential_issuer) expect(display).toEqual([{ name: "Harbour Light", logo: { uri: LOGO } }]);
  }
});
