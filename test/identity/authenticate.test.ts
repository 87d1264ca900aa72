import { constants, generateKeyPairSync, sign } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Cancellation } from "#foundation/concurrency/cancellation.js";
import { createAuthenticate } from "#infrastructure/identity/authenticate.js";
import type { Authenticate } from "#infrastructure/identity/caller.js";
import { encoded, forge, hmac, type Part, unsigned, withKey } from "./forge.js";
import { type JwksServer, publicJwk, serveKeys, startJwksServer } from "./jwks-server.js";

const secret = "a secret that only this test knows";
const issuer = "https://issuer.example";
const audience = "learning-credentials";
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const weakRsa = generateKeyPairSync("rsa", { modulusLength: 1024 });
const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" });
const p521 = generateKeyPairSync("ec", { namedCurve: "P-521" });
const ed25519 = generateKeyPairSync("ed25519");
const ed448 = generateKeyPairSync("ed448");
const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 });
const octKey = Buffer.alloc(32, 7);

const now = 1_800_000_000;
const HS256 = { alg: "HS256", typ: "JWT" };
const RS256 = { alg: "RS256", kid: "rsa" };
const good = { preferred_username: "ada", iss: issuer, aud: audience, sub: "42", exp: now + 3600 };
const hs = (payload: Part, header: Part = HS256) => forge(header, payload, hmac(secret));
const rs = (header: Part, payload: Part = good) => forge(header, payload, withKey(rsa.privateKey));
const pss = (input: string) =>
  sign("sha256", Buffer.from(input), {
    key: rsa.privateKey,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: 32,
  });

let jwks: JwksServer;
const clock = { ms: now * 1000 };
let authenticate: Authenticate;
const settings = () => ({ secrets: [secret], jwksUrl: jwks.url, issuer, audience, now: () => clock.ms });
const present = async (token: string, by = authenticate) =>
  await by({ authorization: `Bearer ${token}` }, new Cancellation());

beforeAll(async () => {
  jwks = await startJwksServer(
    serveKeys(
      publicJwk(rsa.publicKey, { kid: "rsa" }),
      publicJwk(weakRsa.publicKey, { kid: "weak" }),
      publicJwk(p256.publicKey, { kid: "p256" }),
      publicJwk(p384.publicKey, { kid: "p384" }),
      publicJwk(p521.publicKey, { kid: "p521" }),
      publicJwk(ed25519.publicKey, { kid: "ed25519" }),
      publicJwk(ed448.publicKey, { kid: "ed448" }),
      publicJwk(rsa.publicKey, { kid: "for encryption", use: "enc" }),
      publicJwk(rsa.publicKey, { kid: "for RS512", alg: "RS512" }),
      { kty: "RSA", kid: "broken", n: "", e: 7 },
      { ...rsa.privateKey.export({ format: "jwk" }), kid: "private" },
      { kty: "oct", kid: "oct", k: octKey.toString("base64url") },
      { kty: "unheard of", kid: "unknown" },
    ),
  );
});
beforeEach(() => {
  clock.ms = now * 1000;
  authenticate = createAuthenticate(settings());
});
afterAll(() => jwks.stop());

describe("tokens that are accepted", () => {
  test("none: the caller is anonymous", async () => {
    expect(await authenticate({}, new Cancellation())).toEqual({ kind: "anonymous" });
  });

  test("in cookies", async () => {
    const [header, payload, signature] = hs(good).split(".");
    const cookie = `edx-jwt-cookie-header-payload=${header}.${payload}; edx-jwt-cookie-signature=${signature}`;
    expect(await authenticate({ cookie }, new Cancellation())).toEqual({
      kind: "user",
      username: "ada",
      isStaff: false,
      roles: [],
      expiresAt: expect.any(Number),
      issuer,
      subject: "42",
    });
  });

  test.each<[string, string]>([
    ["HS256", hs(good)],
    ["HS384", forge({ alg: "HS384" }, good, hmac(secret, 384))],
    ["HS512", forge({ alg: "HS512" }, good, hmac(secret, 512))],
    ["RS256", rs(RS256)],
    ["RS384", forge({ alg: "RS384", kid: "rsa" }, good, withKey(rsa.privateKey, 384))],
    ["RS512", forge({ alg: "RS512", kid: "rsa" }, good, withKey(rsa.privateKey, 512))],
    ["PS256", forge({ alg: "PS256", kid: "rsa" }, good, pss)],
    ["ES256", forge({ alg: "ES256", kid: "p256" }, good, withKey(p256.privateKey))],
    ["ES384", forge({ alg: "ES384", kid: "p384" }, good, withKey(p384.privateKey, 384))],
    ["ES512", forge({ alg: "ES512", kid: "p521" }, good, withKey(p521.privateKey, 512))],
    ["EdDSA", forge({ alg: "EdDSA", kid: "ed25519" }, good, withKey(ed25519.privateKey))],
    ["no kid, several keys to try", rs({ alg: "RS256" })],
    ["aud array", hs({ ...good, aud: ["other", audience] })],
    ["no sub", hs({ ...good, sub: undefined })],
    ["expired within the leeway", hs({ ...good, exp: now - 9 })],
    ["nbf within the leeway", hs({ ...good, nbf: now + 10 })],
    ["fractions of a second", hs({ ...good, exp: now + 0.5, nbf: now - 0.5 })],
    ["iat within the leeway", hs({ ...good, iat: now + 10 })],
    ["iat as long ago as a token may live", hs({ ...good, iat: now + 3600 - 30 * 86_400 })],
    ["nbf zero", hs({ ...good, nbf: 0 })],
    ["aud array, of others than texts too", hs({ ...good, aud: [1, null, audience] })],
    ["typ of others", hs(good, { ...HS256, typ: "at+jwt", cty: "x" })],
    ["exp in thirty days", hs({ ...good, exp: now + 30 * 86_400 })],
    ["unknown header members", hs(good, { ...HS256, x: 1, jku: "http://127.0.0.1:1/", x5c: ["AAAA"] })],
    ["__proto__ in the claims", hs(`{"__proto__":{"sub":1},${JSON.stringify(good).slice(1)}`)],
  ])("%s", async (_name, token) => {
    expect(await present(token)).toMatchObject({ kind: "user", username: "ada", isStaff: false });
  });
});

describe("tokens that are refused", () => {
  const invalid = "Invalid token.";
  const expired = "Token has expired.";
  const tooLong = expect.stringMatching(/^This token is valid for over 2592000 seconds/);
  const nameless = "Token has no valid username.";
  const pem = rsa.publicKey.export({ format: "pem", type: "spki" }) as string;
  const der = rsa.publicKey.export({ format: "der", type: "spki" });
  const jwk = rsa.publicKey.export({ format: "jwk" });
  const strangerJwk = stranger.publicKey.export({ format: "jwk" });
  const byStranger = (header: object) => forge(header, good, withKey(stranger.privateKey));
  const [header, payload, signature] = hs(good).split(".") as [string, string, string];

  test.each<[string, string, string?]>([
    ["expired", hs({ ...good, exp: now - 10 }), expired],
    ["expired, with a public key", rs(RS256, { ...good, exp: now - 10 }), expired],
    ["expired, with one of several keys", rs({ alg: "RS256" }, { ...good, exp: now - 10 }), expired],
    ["exp negative", hs({ ...good, exp: -1 }), expired],
    ["exp zero", hs({ ...good, exp: 0 }), expired],
    ["exp missing", hs({ ...good, exp: undefined })],
    ["exp null", hs({ ...good, exp: null })],
    ["exp 1e300", hs({ ...good, exp: 1e300 }), tooLong],
    ["exp 1e999", hs(JSON.stringify(good).replace(/"exp":\d+/, '"exp":1e999')), tooLong],
    ["exp NaN", hs(JSON.stringify(good).replace(/"exp":\d+/, '"exp":NaN'))],
    ["exp in milliseconds", hs({ ...good, exp: (now + 3600) * 1000 }), tooLong],
    ["iat before 1970", hs({ ...good, iat: -1 }), tooLong],
    ["iat -1e999", hs(JSON.stringify({ ...good, iat: 0 }).replace('"iat":0', '"iat":-1e999')), tooLong],
    [
      "iat past the leeway",
      hs({ ...good, iat: now + 11 }),
      expect.stringMatching(/^This token was issued in /),
    ],
    ["exp a string", hs({ ...good, exp: String(now + 3600) })],
    ["exp an array", hs({ ...good, exp: [now + 3600] })],
    [
      "exp inherited",
      hs(`{"__proto__":{"exp":${now + 60}},"sub":"ada","iss":"${issuer}","aud":"${audience}"}`),
    ],
    ["nbf in the future", hs({ ...good, nbf: now + 11 })],
    ["nbf a string", hs({ ...good, nbf: "0" })],
    ["nbf null", hs({ ...good, nbf: null })],
    ["nbf 1e300", hs({ ...good, nbf: 1e300 })],
    ["exp twice: the last one counts", hs(JSON.stringify(good).replace("}", ',"exp":1}')), expired],
    ["iat null", hs({ ...good, iat: null })],
    ["iat an object", hs({ ...good, iat: {} })],
    ["iat a string", hs({ ...good, iat: "0" })],
    ["aud wrong", hs({ ...good, aud: "other" })],
    ["aud missing", hs({ ...good, aud: undefined })],
    ["aud array without ours", hs({ ...good, aud: ["other", `${audience}x`] })],
    ["aud empty array", hs({ ...good, aud: [] })],
    ["aud nested", hs({ ...good, aud: [[audience]] })],
    ["aud object", hs({ ...good, aud: { 0: audience } })],
    ["aud in another case", hs({ ...good, aud: audience.toUpperCase() })],
    ["iss wrong", hs({ ...good, iss: `${issuer}/` })],
    ["iss missing", hs({ ...good, iss: undefined })],
    ["iss array", hs({ ...good, iss: [issuer] })],
    ["sub object", hs({ ...good, sub: { a: 1 } })],
    ["sub number", hs({ ...good, sub: 42 })],
    ["sub null", hs({ ...good, sub: null })],
    ["username number", hs({ ...good, preferred_username: 42 }), nameless],
    ["username of 256 characters", hs({ ...good, preferred_username: "x".repeat(256) }), nameless],
    ["no name", hs({ ...good, preferred_username: undefined, sub: undefined }), nameless],

    ["alg none", forge({ alg: "none" }, good, unsigned)],
    ["alg None", forge({ alg: "None" }, good, unsigned)],
    ["alg none, signed", forge({ alg: "none" }, good, hmac(secret))],
    ["alg missing", forge({ typ: "JWT" }, good, hmac(secret))],
    ["alg null", forge({ alg: null }, good, hmac(secret))],
    ["alg an array", forge({ alg: ["HS256"] }, good, hmac(secret))],
    ["alg a number", forge({ alg: 256 }, good, hmac(secret))],
    ["alg in another case", forge({ alg: "hs256" }, good, hmac(secret))],
    ["alg __proto__", forge('{"alg":"__proto__"}', good, hmac(secret))],
    ["alg of encryption", forge({ alg: "RSA-OAEP", enc: "A128GCM" }, good, hmac(secret))],
    ["alg ES256K", forge({ alg: "ES256K" }, good, hmac(secret))],
    ["HS256 header on an HS512 signature", forge(HS256, good, hmac(secret, 512))],
    ["HS256 with another secret", forge(HS256, good, hmac(`${secret}x`))],
    ["HS256 with an empty secret", forge(HS256, good, hmac(""))],
    ["HS256 with the public key as PEM", forge({ ...HS256, kid: "rsa" }, good, hmac(pem))],
    ["HS256 with the public key as PEM, trimmed", forge({ ...HS256, kid: "rsa" }, good, hmac(pem.trim()))],
    ["HS256 with the public key as DER", forge({ ...HS256, kid: "rsa" }, good, hmac(der))],
    ["HS256 with the public key as JWK", forge({ ...HS256, kid: "rsa" }, good, hmac(JSON.stringify(jwk)))],
    ["HS256 with n as text", forge({ ...HS256, kid: "rsa" }, good, hmac(jwk.n ?? ""))],
    [
      "HS256 with n as bytes",
      forge({ ...HS256, kid: "rsa" }, good, hmac(Buffer.from(jwk.n ?? "", "base64url"))),
    ],
    ["HS256 with an oct key of the key set", forge({ ...HS256, kid: "oct" }, good, hmac(octKey))],
    ["RS256 naming an oct key", forge({ alg: "RS256", kid: "oct" }, good, hmac(octKey))],
    ["RS256 signed with the secret", forge(RS256, good, hmac(secret))],
    ["RS256 unsigned", forge(RS256, good, unsigned)],
    ["RS256 by a stranger", byStranger(RS256)],
    ["RS256 by a stranger, no kid", byStranger({ alg: "RS256" })],
    ["kid of another key", rs({ alg: "RS256", kid: "weak" })],
    ["kid of another kind of key", rs({ alg: "RS256", kid: "p256" })],
    ["kid unknown", rs({ alg: "RS256", kid: "../../etc/passwd" })],
    ["kid empty", rs({ alg: "RS256", kid: "" })],
    ["kid null", rs({ alg: "RS256", kid: null })],
    ["kid __proto__", rs('{"alg":"RS256","kid":"__proto__"}')],
    ["kid with CRLF", rs({ alg: "RS256", kid: "rsa\r\n" })],
    ["kid a number", rs({ alg: "RS256", kid: 1 })],
    ["kid an object", rs({ alg: "RS256", kid: {} })],
    ["key too weak", forge({ alg: "RS256", kid: "weak" }, good, withKey(weakRsa.privateKey))],
    ["key broken", rs({ alg: "RS256", kid: "broken" })],
    ["key private", rs({ alg: "RS256", kid: "private" })],
    ["key of unknown type", rs({ alg: "RS256", kid: "unknown" })],
    ["key meant for encryption", rs({ alg: "RS256", kid: "for encryption" })],
    ["key meant for another alg", rs({ alg: "RS256", kid: "for RS512" })],
    ["ES256 naming a P-384 key", forge({ alg: "ES256", kid: "p384" }, good, withKey(p384.privateKey))],
    ["ES256 naming an RSA key", forge({ alg: "ES256", kid: "rsa" }, good, withKey(p256.privateKey))],
    ["ES256 signature of zeros", forge({ alg: "ES256", kid: "p256" }, good, () => Buffer.alloc(64))],
    [
      "EdDSA naming an Ed448 key",
      forge({ alg: "EdDSA", kid: "ed448" }, good, (input) =>
        sign(null, Buffer.from(input), ed448.privateKey),
      ),
    ],
    ["EdDSA naming an EC key", forge({ alg: "EdDSA", kid: "p256" }, good, withKey(ed25519.privateKey))],
    ["PS256 header on an RS256 signature", rs({ alg: "PS256", kid: "rsa" })],
    ["its own key in jwk", byStranger({ alg: "RS256", jwk: strangerJwk })],
    [
      "its own key in jwk, HS256",
      forge({ ...HS256, jwk: { kty: "oct", k: "AAAA" } }, good, hmac(Buffer.alloc(3))),
    ],
    ["crit unknown", hs(good, { ...HS256, crit: ["exp"], exp: now + 60 })],
    ["crit empty", hs(good, { ...HS256, crit: [] })],
    ["crit a string", hs(good, { ...HS256, crit: "b64" })],
    ["crit __proto__", hs(good, '{"alg":"HS256","crit":["__proto__"]}')],
    ["crit twice", hs(good, '{"alg":"HS256","crit":["x"],"crit":["exp"]}')],
    ["alg twice: the last one counts", hs(good, '{"alg":"HS256","alg":"none"}')],
    ["b64 false", hs(good, { ...HS256, b64: false, crit: ["b64"] })],

    ["changed payload", [header, encoded({ ...good, administrator: true }), signature].join(".")],
    ["changed header", [encoded({ ...HS256, kid: "x" }), payload, signature].join(".")],
    ["signature cut off", [header, payload, signature.slice(0, -4)].join(".")],
    ["no signature", [header, payload, ""].join(".")],
    ["one part", header],
    ["two parts", [header, payload].join(".")],
    ["four parts", [header, payload, signature, signature].join(".")],
    ["five parts", [header, "", "", payload, signature].join(".")],
    ["only dots", ".."],
    ["garbage", "!!!.???.***"],
    ["not ASCII", "ключ.ключ.ключ"],
    ["header not JSON", hs(good, "{")],
    ["header null", hs(good, "null")],
    ["header an array", hs(good, '["HS256"]')],
    ["header not UTF-8", [Buffer.from([0xff, 0xfe]).toString("base64url"), payload, signature].join(".")],
    ["payload not JSON", hs("{")],
    ["payload null", hs("null")],
    ["payload an array", hs("[]")],
    ["payload a string", hs('"ada"')],
    ["payload empty", hs("")],
    ["payload nested deep", hs(`${"[".repeat(5000)}${"]".repeat(5000)}`)],
    ["huge", hs({ ...good, padding: "x".repeat(20_000) }), "Token is longer than 16384 characters."],
  ])("%s", async (_name, token, message = invalid) => {
    await expect(present(token)).rejects.toMatchObject({ name: "Problem", kind: "unauthenticated", message });
  });

  test.each(["HS256", "HS384", "HS512"])("a secret that is no longer listed: %s", async (alg) => {
    const by = (key: string, claims: object = good) =>
      forge({ alg }, claims, hmac(key, Number(alg.slice(2))));
    const [earlier, later] = ["a secret that has signed until now", "a secret that signs from now on"];
    const during = createAuthenticate({ ...settings(), secrets: [later, earlier] });
    expect(await present(by(earlier), during)).toMatchObject({ username: "ada" });
    expect(await present(by(later), during)).toMatchObject({ username: "ada" });
    await expect(present(by(earlier, { ...good, exp: now - 60 }), during)).rejects.toMatchObject({
      message: expired,
    });
    await expect(present(by(secret), during)).rejects.toMatchObject({ message: invalid });
    const after = createAuthenticate({ ...settings(), secrets: [later] });
    await expect(present(by(earlier), after)).rejects.toMatchObject({ message: invalid });
  });

  test("an algorithm without its key is refused, whatever the other key", async () => {
    const bySecret = createAuthenticate({ ...settings(), jwksUrl: undefined });
    const byKeys = createAuthenticate({ ...settings(), secrets: [] });
    for (const [by, token] of [
      [bySecret, rs(RS256)],
      [byKeys, hs(good)],
      [byKeys, forge(HS256, good, hmac(""))],
      [byKeys, forge({ ...HS256, kid: "oct" }, good, hmac(octKey))],
    ] as const) {
      await expect(present(token, by)).rejects.toMatchObject({ kind: "unauthenticated", message: invalid });
    }
  });

  test("	a key that the token points to is not fetched", async () => {
    const elsewhere = await startJwksServer(serveKeys({ ...strangerJwk, kid: "x" }));
    for (const pointer of ["jku", "x5u", "iss"]) {
      const token = byStranger({ alg: "RS256", kid: "x", [pointer]: elsewhere.url });
      await expect(present(token)).rejects.toMatchObject({ kind: "unauthenticated" });
    }
    expect(elsewhere.requests).toBe(0);
    await elsewhere.stop();
  });

  test("the error contains nothing of the token or its claims", async () => {
    const token = hs({ ...good, aud: "other", preferred_username: "a very private name" });
    const error: Error = await present(token).then(
      () => expect.unreachable(),
      (refused) => refused,
    );
    const shown = `${error.stack} ${JSON.stringify(error)} ${error.cause}`;
    expect(shown).not.toContain("private name");
    expect(shown).not.toContain(payload.slice(0, 20));
  });

  test("no key at all stops the start", () => {
    expect(() => createAuthenticate({})).toThrow(/secret.*JWK Set/);
    expect(() => createAuthenticate({ secrets: [secret, ""] })).toThrow(/must not be empty/);
  });

  test("iss and aud are ignored unless they are configured", async () => {
    const open = createAuthenticate({ secrets: [secret], now: () => clock.ms });
    const token = hs({ sub: "ada", exp: now + 60 });
    expect(await present(token, open)).toMatchObject({ username: "ada" });
  });
});

describe("a verified token is cached", () => {
  const remembered = (token: string, by = authenticate) =>
    by({ authorization: `Bearer ${token}` }, new Cancellation()) instanceof Promise === false;

  test("for a minute", async () => {
    const token = hs(good);
    const caller = await present(token);
    clock.ms += 59_999;
    expect(remembered(token)).toBe(true);
    expect(await present(token)).toBe(caller);
    clock.ms += 1;
    expect(remembered(token)).toBe(false);
  });

  test("never past its exp, and refused after the leeway", async () => {
    const token = hs({ ...good, exp: now + 5 });
    await present(token);
    clock.ms += 4999;
    expect(remembered(token)).toBe(true);
    clock.ms += 1;
    expect(remembered(token)).toBe(false);
    await present(token);
    expect(remembered(token)).toBe(false);
    clock.ms += 10_000;
    await expect(present(token)).rejects.toMatchObject({ message: "Token has expired." });
  });

  test("as a whole: the same claims with another signature are another token", async () => {
    await present(hs(good));
    await expect(present(forge(HS256, good, hmac("other")))).rejects.toMatchObject({
      kind: "unauthenticated",
    });
  });

  test("only if it was accepted: a refused one is verified again", async () => {
    const token = hs({ ...good, nbf: now + 60 });
    await expect(present(token)).rejects.toMatchObject({ kind: "unauthenticated" });
    clock.ms += 60_000;
    expect(await present(token)).toMatchObject({ username: "ada" });
  });

  test("among at most ten thousand", async () => {
    const first = hs(good);
    await present(first);
    for (let n = 1; n <= 10_000; n++) await present(hs({ ...good, jti: String(n) }));
    expect(remembered(first)).toBe(false);
    expect(remembered(hs({ ...good, jti: "1" }))).toBe(true);
  });
});
