import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWire, type Wire } from "../api/wire.js";
import { bearer, inSeconds, token } from "../contract/callers.js";
import { givenService } from "../support/service.js";

const ROUTE = "/api/learning_credentials/v1/configured/course-v1:No+Such+Course/";
const METHOD = "/learning_credentials.v1.CredentialService/ListCredentials";
const DAY_S = 86_400;

/** Claims that the platform writes for a member of staff who has signed in. */
const staff = {
  iss: "https://lms.test/oauth2",
  sub: "8e1f0a",
  preferred_username: "registrar",
  administrator: true,
  scopes: ["user_id", "email", "profile"],
  filters: ["user:me"],
  is_restricted: false,
  grant_type: "password",
  version: "1.2.0",
  iat: inSeconds(0),
};

const service = givenService();
let wire: Wire;
beforeAll(async () => {
  wire = openWire(service);
});
afterAll(async () => {
  wire.close();
});

/** Returns the statuses of REST and Connect, the gRPC code, and the REST response. */
async function answersTo(presented: string): Promise<unknown[]> {
  const headers = bearer(presented);
  const rest = await fetch(`${service.httpUrl}${ROUTE}`, { headers });
  const connect = await fetch(`${service.httpUrl}${METHOD}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: "{}",
  });
  const { code } = await wire.grpc(METHOD, Buffer.alloc(0), headers);
  return [rest.status, connect.status, code, ((await rest.json()) as { detail?: string }).detail];
}

describe("is accepted:", () => {
  test.each<[string, object, object?]>([
    ["an access token of Open edX", {}],
    ["one of a service, which is filtered by nothing", { filters: [], scope: "learning_credentials:read" }],
    ["an access token of RFC 9068", {}, { alg: "HS256", typ: "at+jwt" }],
    ["the same in full", {}, { alg: "HS256", typ: "application/AT+JWT" }],
    ["one without a type", {}, { alg: "HS256" }],
    ["an access token of Keycloak, which may have a nonce", { typ: "Bearer", nonce: "n-0S6" }],
    ["an access token of Cognito", { token_use: "access" }],
    ["one issued by a clock ten seconds ahead", { iat: inSeconds(9) }],
    ["one without the time of issue", { iat: undefined }],
    ["one for thirty days", { exp: inSeconds(30 * DAY_S) }],
  ])("%s", async (_kind, claims, header) => {
    const answers = await answersTo(token({ ...staff, ...claims }, header));
    expect(answers).toEqual([200, 200, "OK", undefined]);
  });
});

const ID_TOKEN = /^This is an ID token: send the access token/;
const OTHER = /^This is not an access token \(see the (header|claim) "\w+"\): send an access token/;
const BOUND = /^This token is bound to a key \("cnf"\)/;
const RESTRICTED = /^This token is restricted .*: send one without restrictions/;

describe("is refused:", () => {
  test.each<[string, object, RegExp, object?]>([
    ["an ID token with a nonce", { nonce: "n-0S6" }, ID_TOKEN],
    ["an ID token with the hash of an access token", { at_hash: "MTIzNDU2" }, ID_TOKEN],
    ["the same, whatever it calls itself", { at_hash: "MTIzNDU2", typ: "Bearer" }, ID_TOKEN],
    ["an ID token with the hash of a code", { c_hash: "MTIzNDU2" }, ID_TOKEN],
    ["an ID token of Keycloak", { typ: "ID" }, OTHER],
    ["an ID token of Cognito", { token_use: "id" }, OTHER],
    ["a refresh token of Keycloak", { typ: "Refresh" }, OTHER],
    ["an offline token", { typ: "Offline" }, OTHER],
    ["a refresh token of Django", { token_type: "refresh" }, OTHER],
    ["a kind that is no text", { token_use: ["access"] }, OTHER],
    ["a logout token", { events: { "http://schemas.openid.net/event/backchannel-logout": {} } }, OTHER],
    ["a logout token by its header", {}, OTHER, { alg: "HS256", typ: "logout+jwt" }],
    ["a proof of possession", {}, OTHER, { alg: "HS256", typ: "dpop+jwt" }],
    ["a type that is no text", {}, OTHER, { alg: "HS256", typ: ["JWT"] }],
    ["one that is bound to a key", { cnf: { jkt: "0ZcOCORZNYy" } }, BOUND],
    ["one of a restricted application", { is_restricted: true }, RESTRICTED],
    ["one that is not plainly unrestricted", { is_restricted: "false" }, RESTRICTED],
    ["one for the courses of one organisation", { filters: ["user:me", "content_org:Uni"] }, RESTRICTED],
    ["filters that are no list", { filters: "user:me" }, RESTRICTED],
    ["one that is issued in the future", { iat: inSeconds(60) }, /^This token was issued in the future/],
    [
      "one that lives too long",
      { exp: inSeconds(31 * DAY_S) },
      /^This token is valid for over 2592000 seconds/,
    ],
    ["the same, issued long ago", { iat: inSeconds(-30 * DAY_S - 60) }, /^This token is valid for over/],
    [
      "the same, without the time of issue",
      { iat: undefined, exp: 253_402_300_799 },
      /^This token is valid for/,
    ],
  ])("%s", async (_kind, claims, message, header) => {
    const answers = await answersTo(token({ ...staff, ...claims }, header));
    expect(answers).toEqual([403, 401, "Unauthenticated", expect.stringMatching(message)]);
  });

  test("every spelling of a token but one", async () => {
    const good = token(staff);
    const parts = good.split(".");
    const last = good.at(-1) ?? "";
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    // Only four bits of the last character are used. Three other characters therefore decode to the same bytes.
    const alike = [...alphabet].filter(
      (other) => other !== last && alphabet.indexOf(other) >> 2 === alphabet.indexOf(last) >> 2,
    );
    expect(alike).toHaveLength(3);
    const spellings = [
      `${good}=`,
      `${good}==`,
      parts.map((part) => part.padEnd(Math.ceil(part.length / 4) * 4, "=")).join("."),
      ...alike.map((other) => good.slice(0, -1) + other),
    ];
    for (const spelling of spellings) {
      expect(Buffer.from(spelling.split(".")[2] ?? "", "base64url")).toEqual(
        Buffer.from(parts[2] ?? "", "base64url"),
      );
      expect(await answersTo(spelling)).toEqual([403, 401, "Unauthenticated", "Invalid token."]);
    }
    expect(await answersTo(good)).toEqual([200, 200, "OK", undefined]);
  });
});
