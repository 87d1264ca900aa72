import { createPublicKey } from "node:crypto";
import { verifyJWT } from "did-jwt";
import { jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import { didDocument, keyUrl } from "#formats/badges/did-document.js";
import { isSignatureBy } from "#formats/badges/is-signature-by.js";
import { signJwt } from "#formats/badges/jwt.js";
import { openBadge } from "#formats/badges/open-badge.js";
import type { PublicKey } from "#formats/badges/public-key.js";
import { readJwt } from "#formats/badges/read-jwt.js";
import { ed25519, p256 } from "./keys.js";
import { changedLeaves } from "./leaves.js";
import { facts } from "./sample.js";

const badge = openBadge(facts);
const kid = keyUrl(facts.issuer.did, p256);

/** Verifies with did-jwt, which reads the key from the issuer's DID document. */
async function isVerified(jwt: string, at = new Date(facts.issuedAt.getTime() + 60_000)): Promise<boolean> {
  const didResolutionResult = {
    didResolutionMetadata: {},
    didDocument: didDocument(facts.issuer.did, [ed25519, p256]),
    didDocumentMetadata: {},
  };
  const resolver = { resolve: async () => didResolutionResult };
  const policies = { now: at.getTime() / 1000 };
  const options = { resolver: resolver as never, proofPurpose: "assertionMethod" as const, policies };
  return verifyJWT(jwt, options).then(
    ({ verified }) => verified,
    () => false,
  );
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

function isJwtSignedBy(text: string, key: PublicKey): boolean {
  const signed = readJwt(text)?.signed;
  return signed !== undefined && isSignatureBy(key, signed);
}

test("an independent verifier finds the key in the issuer's document, and accepts the JWT", async () => {
  const jwt = await signJwt(badge, { key: p256, kid });
  expect(await isVerified(jwt)).toBe(true);
  expect(isJwtSignedBy(jwt, p256)).toBe(true);
  expect(readJwt(jwt)).toMatchObject({
    kid,
    payload: {
      ...badge,
      iss: badge.issuer.id,
      jti: badge.id,
      sub: badge.credentialSubject.id,
      nbf: Date.parse("2026-01-15T10:30:00Z") / 1000,
    },
  });
  const header = JSON.parse(Buffer.from(jwt.split(".")[0] ?? "", "base64url").toString());
  expect(header).toEqual({ alg: "ES256", kid, typ: "JWT" });
});

test("programs that support JWTs but not badges refuse one that has expired", async () => {
  const validUntil = new Date("2027-01-16T00:00:00Z");
  const jwt = await signJwt(openBadge({ ...facts, validUntil }), { key: p256, kid });
  expect(readJwt(jwt)?.payload.exp).toBe(validUntil.getTime() / 1000);
  expect(isJwtSignedBy(jwt, p256)).toBe(true);
  const key = createPublicKey({ key: { ...p256.jwk }, format: "jwk" });
  const [before, after] = [-1000, 1000].map((ms) => new Date(validUntil.getTime() + ms));
  await expect(jwtVerify(jwt, key, { currentDate: before as Date })).resolves.toBeDefined();
  await expect(jwtVerify(jwt, key, { currentDate: after as Date })).rejects.toMatchObject({
    code: "ERR_JWT_EXPIRED",
  });
  expect(await isVerified(jwt, before)).toBe(true);
  // did-jwt tolerates five minutes.
  expect(await isVerified(jwt, new Date(validUntil.getTime() + 301_000))).toBe(false);
});

test("both verifiers refuse it if any value is changed", async () => {
  const jwt = await signJwt(badge, { key: p256, kid });
  const [header = "", , signature = ""] = jwt.split(".");
  const payload = readJwt(jwt)?.payload ?? {};
  const changed = changedLeaves(payload);
  expect(changed.length).toBeGreaterThan(30);
  for (const [path, other] of changed) {
    const forged = `${header}.${part(other)}.${signature}`;
    expect(isJwtSignedBy(forged, p256), path).toBe(false);
    expect(await isVerified(forged), path).toBe(false);
  }
});

test("text in any script is encoded as ASCII", async () => {
  const holder = { ...facts.holder, name: "Ana Kovač 😀 {x}" };
  const jwt = await signJwt(openBadge({ ...facts, holder }), { key: p256, kid });
  const json = Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString();
  expect(json).toMatch(/^[ -~]+$/);
  expect(JSON.parse(json).credentialSubject.identifier[0].identityHash).toBe("Ana Kovač 😀 {x}");
});

describe("is not accepted as a JWT:", () => {
  const none = `${part({ alg: "none", kid })}.${part(badge)}.`;
  test.each([
    ["one that is not signed", none],
    ["one by a shared secret", `${part({ alg: "HS256", kid })}.${part(badge)}.AAAA`],
    ["one that names no key", `${part({ alg: "ES256" })}.${part(badge)}.AAAA`],
    [
      "one with a header that must be understood",
      `${part({ alg: "ES256", kid, crit: ["b64"], b64: false })}.${part(badge)}.AAAA`,
    ],
    ["one with a fourth part", `${part({ alg: "ES256", kid })}.${part(badge)}.AAAA.AAAA`],
    ["one that is too long", `${part({ alg: "ES256", kid })}.${part({ name: "x".repeat(200_000) })}.AAAA`],
    ["what is no JSON", "e30.AAAA.AAAA"],
    ["nothing", ""],
  ])("%s", (_what, text) => {
    expect(readJwt(text)).toBeUndefined();
    expect(isJwtSignedBy(text, p256)).toBe(false);
  });

  test("one whose claims contradict its credential", async () => {
    const liar = { ...badge, issuer: { ...badge.issuer }, validFrom: "2020-01-01T00:00:00Z" };
    const jwt = await signJwt(liar, { key: p256, kid });
    expect(isJwtSignedBy(jwt, p256)).toBe(true);
    expect(await isAgreed({ ...readJwt(jwt)?.payload, sub: "urn:uuid:other" })).toBe(false);
  });

  test.each([
    ["later than its credential", "2027-01-16T00:00:00Z", Date.parse("2037-01-16T00:00:00Z") / 1000],
    ["although its credential never ends", undefined, Date.parse("2027-01-16T00:00:00Z") / 1000],
    ["as a text", "2027-01-16T00:00:00Z", String(Date.parse("2027-01-16T00:00:00Z") / 1000)],
  ])("one that ends %s", async (_how, validUntil, exp) => {
    const jwt = await signJwt(badge, { key: p256, kid });
    const payload = { ...readJwt(jwt)?.payload, ...(validUntil !== undefined && { validUntil }) };
    expect(await isAgreed({ ...payload, exp })).toBe(false);
    // Earlier versions signed JWTs without `exp`.
    expect(await isAgreed(payload)).toBe(true);
  });

  /** Signs any claims, and returns whether the result is accepted. */
  async function isAgreed(payload: object): Promise<boolean> {
    const signed = `${part({ alg: "ES256", kid })}.${part(payload)}`;
    const signature = Buffer.from(await p256.sign(Buffer.from(signed))).toString("base64url");
    return isJwtSignedBy(`${signed}.${signature}`, p256);
  }
});
