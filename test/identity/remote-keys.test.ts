import { generateKeyPairSync } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Cancellation } from "#foundation/concurrency/cancellation.js";
import { createAuthenticate } from "#infrastructure/identity/authenticate.js";
import type { Authenticate } from "#infrastructure/identity/caller.js";
import { givenDirectory } from "../support/directory.js";
import { forge, withKey } from "./forge.js";
import { type JwksServer, publicJwk, serveKeys, startJwksServer } from "./jwks-server.js";

const old = generateKeyPairSync("ec", { namedCurve: "P-256" });
const next = generateKeyPairSync("ec", { namedCurve: "P-256" });
const serveOld = serveKeys(publicJwk(old.publicKey, { kid: "old" }));
const serveNext = serveKeys(publicJwk(next.publicKey, { kid: "next" }));
const now = 1_800_000_000;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Distinguishes the tokens, so that no cached token is used. */
let serial = 0;
function token(pair: typeof old, kid?: string): string {
  serial += 1;
  return forge(
    { alg: "ES256", kid },
    { sub: "ada", exp: now + 86_400, jti: serial },
    withKey(pair.privateKey),
  );
}

let jwks: JwksServer;
let clock: { ms: number };
let authenticate: Authenticate;
const present = async (jwt: string) =>
  await authenticate({ authorization: `Bearer ${jwt}` }, new Cancellation());
const ada = { kind: "user", username: "ada", isStaff: false, roles: [], expiresAt: expect.any(Number) };
const unavailable = { name: "Problem", kind: "unavailable" };
const unauthenticated = { name: "Problem", kind: "unauthenticated" };

beforeEach(async () => {
  jwks = await startJwksServer(serveOld);
  clock = { ms: now * 1000 };
  authenticate = createAuthenticate({ jwksUrl: jwks.url, now: () => clock.ms });
});
afterEach(() => jwks.stop());

describe("the key set", () => {
  test("is fetched when first needed, once for many calls", async () => {
    expect(jwks.requests).toBe(0);
    await Promise.all(Array.from({ length: 20 }, () => present(token(old, "old"))));
    expect(jwks.requests).toBe(1);
  });

  test("is not fetched for a token that could never be accepted", async () => {
    await expect(present(forge({ alg: "none" }, {}, () => Buffer.alloc(0)))).rejects.toMatchObject(
      unauthenticated,
    );
    await expect(present("garbage")).rejects.toMatchObject(unauthenticated);
    expect(jwks.requests).toBe(0);
  });

  test("is fetched again after five minutes: a withdrawn key is no longer accepted", async () => {
    await present(token(old, "old"));
    jwks.answer = serveNext;
    clock.ms += 5 * MINUTE;
    expect(await present(token(old, "old"))).toEqual(ada);
    clock.ms += 1;
    await expect(present(token(old, "old"))).rejects.toMatchObject(unauthenticated);
  });
});

describe("key rotation", () => {
  test.each([
    ["with kid", "next"],
    ["without kid", undefined],
  ])("a token signed with a new key is accepted %s", async (_name, kid) => {
    await present(token(old));
    jwks.answer = serveNext;
    clock.ms += 10 * SECOND;
    expect(await present(token(next, kid))).toEqual(ada);
    expect(jwks.requests).toBe(2);
  });

  test("unknown keys cause at most one request in ten seconds", async () => {
    await present(token(old, "old"));
    clock.ms += 10 * SECOND;
    for (let n = 0; n < 20; n++) {
      await expect(present(token(next, `unknown ${n}`))).rejects.toMatchObject(unauthenticated);
    }
    expect(jwks.requests).toBe(2);
    clock.ms += 10 * SECOND;
    await expect(present(token(next, "unknown"))).rejects.toMatchObject(unauthenticated);
    expect(jwks.requests).toBe(3);
  });

  test("a bad signature of a known key causes no request", async () => {
    await present(token(old, "old"));
    clock.ms += MINUTE;
    await expect(present(token(next, "old"))).rejects.toMatchObject(unauthenticated);
    expect(jwks.requests).toBe(1);
  });

  test("several keys with one kid, or without, are tried in turn", async () => {
    jwks.answer = serveKeys(
      { kty: "EC", crv: "P-256", x: "broken", y: "" },
      publicJwk(old.publicKey, { kid: "same" }),
      publicJwk(next.publicKey, { kid: "same" }),
    );
    expect(await present(token(next, "same"))).toEqual(ada);
    expect(await present(token(next))).toEqual(ada);
  });
});

describe("a key set that can't be reached", () => {
  test("is unavailable, not unauthenticated, until it is back", async () => {
    await jwks.stop();
    await expect(present(token(old, "old"))).rejects.toMatchObject(unavailable);
    await jwks.start();
    expect(await present(token(old, "old"))).toEqual(ada);
  });

  test("keeps tokens that could never be accepted unauthenticated", async () => {
    await jwks.stop();
    for (const bad of ["garbage", forge({ alg: "none" }, {}, () => Buffer.alloc(0))]) {
      await expect(present(bad)).rejects.toMatchObject(unauthenticated);
    }
  });

  test("leaves earlier keys valid for an hour", async () => {
    await present(token(old, "old"));
    await jwks.stop();
    clock.ms += 60 * MINUTE;
    expect(await present(token(old, "old"))).toEqual(ada);
    await expect(present(token(next, "old"))).rejects.toMatchObject(unauthenticated);
    await expect(present(token(next, "next"))).rejects.toMatchObject(unavailable);
    clock.ms += 1;
    await expect(present(token(old, "old"))).rejects.toMatchObject(unavailable);
    await jwks.start();
    expect(await present(token(old, "old"))).toEqual(ada);
  });

  const body =
    (text: string, status = 200): RequestListener =>
    (_request, response) => {
      response.writeHead(status, { "content-type": "application/json" }).end(text);
    };
  test.each<[string, RequestListener]>([
    ["404", body('{"keys":[]}', 404)],
    ["500", body("oops", 500)],
    ["204", body("", 204)],
    ["not JSON", body("<html>")],
    ["empty", body("")],
    ["no keys member", body("{}")],
    ["keys not an array", body('{"keys":{}}')],
    ["a key that is no object", body('{"keys":[1]}')],
    ["null", body("null")],
    ["too large", body(`{"keys":[],"x":"${"x".repeat(300 * 1024)}"}`)],
    [
      "cut off",
      (_request, response) => {
        response.writeHead(200, { "content-length": 1000 }).write('{"keys":');
        setTimeout(() => response.destroy(), 20);
      },
    ],
    [
      "endless",
      (_request, response) => {
        const timer = setInterval(() => response.write("x".repeat(64 * 1024)), 1);
        response.on("close", () => clearInterval(timer));
      },
    ],
  ])("answer: %s", async (_name, answer) => {
    jwks.answer = answer;
    await expect(present(token(old, "old"))).rejects.toMatchObject(unavailable);
    jwks.answer = serveOld;
    expect(await present(token(old, "old"))).toEqual(ada);
  });

  test("a response that never comes is given up", async () => {
    jwks.answer = () => {};
    await expect(present(token(old, "old"))).rejects.toMatchObject(unavailable);
  });

  test("redirects are not followed", async () => {
    const elsewhere = await startJwksServer(serveOld);
    for (const status of [301, 302, 303, 307, 308]) {
      jwks.answer = (_request, response) => {
        response.writeHead(status, { location: elsewhere.url }).end();
      };
      await expect(present(token(old, "old"))).rejects.toMatchObject(unavailable);
    }
    expect(elsewhere.requests).toBe(0);
    await elsewhere.stop();
  });

  test("an empty key set is valid: no key, no access", async () => {
    jwks.answer = serveKeys();
    await expect(present(token(old, "old"))).rejects.toMatchObject(unauthenticated);
  });
});

describe("keys in a file or a setting", () => {
  const set = (...keys: object[]) => JSON.stringify({ keys });
  const [oldKey, nextKey] = [old, next].map((pair) => publicJwk(pair.publicKey, { kid: "openedx" }));
  const jwksFile = join(givenDirectory("jwks"), "jwks.json");
  const using = (rules: object) => {
    authenticate = createAuthenticate({ ...rules, now: () => clock.ms });
  };

  test("replace the URL", async () => {
    using({ jwks: set(oldKey as object) });
    expect(await present(token(old, "openedx"))).toEqual(ada);
    expect(await present(token(old))).toEqual(ada);
    await expect(present(token(next, "openedx"))).rejects.toMatchObject(unauthenticated);
  });

  test("are rotated by changing the file, also under the same key ID", async () => {
    await writeFile(jwksFile, set(oldKey as object));
    using({ jwksFile });
    expect(await present(token(old, "openedx"))).toEqual(ada);
    await writeFile(jwksFile, set(oldKey as object, nextKey as object));
    clock.ms += 10 * SECOND + 1;
    expect(await present(token(next, "openedx"))).toEqual(ada);
    expect(await present(token(old, "openedx"))).toEqual(ada);
    await writeFile(jwksFile, set(nextKey as object));
    clock.ms += 10 * SECOND + 1;
    await expect(present(token(old, "openedx"))).rejects.toMatchObject(unauthenticated);
  });

  test("remain valid for an hour while the file can't be read", async () => {
    await writeFile(jwksFile, set(oldKey as object));
    using({ jwksFile });
    expect(await present(token(old, "openedx"))).toEqual(ada);
    await rm(jwksFile);
    clock.ms += 60 * MINUTE;
    expect(await present(token(old, "openedx"))).toEqual(ada);
    clock.ms += 1;
    await expect(present(token(old, "openedx"))).rejects.toMatchObject(unavailable);
  });

  test("verify in addition to a URL, also while that can't be reached", async () => {
    using({ jwks: set(nextKey as object), jwksUrl: jwks.url });
    expect(await present(token(old, "old"))).toEqual(ada);
    expect(await present(token(next, "openedx"))).toEqual(ada);
    await jwks.stop();
    clock.ms += 61 * MINUTE;
    expect(await present(token(next, "openedx"))).toEqual(ada);
    await expect(present(token(old, "old"))).rejects.toMatchObject(unavailable);
  });
});
