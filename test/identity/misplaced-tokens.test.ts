import { afterAll, beforeAll, expect, test } from "vitest";
import { openWire, type Wire } from "../api/wire.js";
import { cookies, token } from "../contract/callers.js";
import { send } from "../contract/raw-request.js";
import { givenService } from "../support/service.js";

/** A token with all rights, in its proper place. */
const good = token({ sub: "registrar", administrator: true, scope: "learning_credentials:write" });
const other = token({ sub: "ana" });
const [header = "", payload = "", signature = ""] = good.split(".");

const ROUTE = "/api/learning_credentials/v1/configured/course-v1:No+Such+Course/";
const METHOD = "/learning_credentials.v1.CredentialService/ListCredentials";
const LIST_ALL = `${METHOD}?connect=v1&encoding=json&message=%7B%7D`;
const NOBODY = [403, 401, "Unauthenticated"];
const LET_IN = [200, 200, "OK"];
const ANOTHER = [404, 403, "PermissionDenied"];

const service = givenService();
let wire: Wire;
beforeAll(async () => {
  wire = openWire(service);
});
afterAll(async () => {
  wire.close();
});

/** Returns the responses of a REST route, a Connect GET method and a gRPC method. */
async function answersTo(headers: Record<string, string>, query = ""): Promise<unknown[]> {
  const request = async (target: string) => {
    const separator = target.includes("?") ? "&" : "?";
    const requested = query === "" ? target : `${target}${separator}${query}`;
    return (await send(service.httpUrl, { method: "GET", target: requested, headers })).status;
  };
  const { code } = await wire.grpc(METHOD, Buffer.alloc(0), headers);
  return [await request(ROUTE), await request(LIST_ALL), code];
}

test.each<[place: string, headers: Record<string, string>, answers: unknown[]]>([
  ["where it belongs", { authorization: `Bearer ${good}` }, LET_IN],
  ["without its scheme", { authorization: good }, NOBODY],
  ["as a password", { authorization: `Basic ${Buffer.from(`x:${good}`).toString("base64")}` }, NOBODY],
  ["as a parameter", { authorization: `Bearer token="${good}"` }, NOBODY],
  ["beside another one", { authorization: `Bearer ${good}, Bearer ${other}` }, NOBODY],
  ["after an encoded NUL", { authorization: `Bearer %00${good}` }, NOBODY],
  ["in capitals", { authorization: `Bearer ${good.toUpperCase()}` }, NOBODY],
  ["for a proxy", { "proxy-authorization": `Bearer ${good}` }, NOBODY],
  ["under a name of others", { "x-authorization": `Bearer ${good}`, "x-access-token": good }, NOBODY],
  [
    "as a proxy would pass it on",
    { "x-forwarded-access-token": good, "x-forwarded-user": "registrar" },
    NOBODY,
  ],
  ["for a socket", { "sec-websocket-protocol": `bearer, ${good}` }, NOBODY],
  ["in one cookie", { cookie: `jwt=${good}; access_token=${good}; Authorization=Bearer ${good}` }, NOBODY],
  [
    "in the two cookies, swapped",
    { cookie: `edx-jwt-cookie-header-payload=${signature}; edx-jwt-cookie-signature=${header}.${payload}` },
    NOBODY,
  ],
  [
    "in the two cookies, of two tokens",
    { cookie: `${cookies(good).cookie?.split("; ")[1]}; edx-jwt-cookie-signature=${other.split(".")[2]}` },
    NOBODY,
  ],
  [
    "in the cookies behind one that a sibling domain has made up",
    { cookie: `edx-jwt-cookie-header-payload=${header}.${payload}x; ${cookies(good).cookie}` },
    [200, 200, "Unauthenticated"],
  ],
  [
    "in the cookies behind two of each that a sibling domain has made up",
    {
      cookie: [
        `edx-jwt-cookie-header-payload=x.x; edx-jwt-cookie-header-payload=${other.slice(0, -44)}`,
        `edx-jwt-cookie-signature=x; edx-jwt-cookie-signature=${signature}x; ${cookies(good).cookie}`,
      ].join("; "),
    },
    [200, 200, "Unauthenticated"],
  ],
  // gRPC has no cookies.
  ["in the two cookies", cookies(good), [200, 200, "Unauthenticated"]],
  [
    "in the cookies beside another one's token",
    { ...cookies(good), authorization: `Bearer ${other}` },
    ANOTHER,
  ],
])("a token %s", async (_, headers, answers) => {
  expect(await answersTo(headers)).toEqual(answers);
});

test.each(["access_token", "token", "jwt", "authorization", "Authorization", "bearer"])(
  "a token in the query, as %s, is none",
  async (name) => {
    expect(await answersTo({}, `${name}=${encodeURIComponent(`Bearer ${good}`)}`)).toEqual(NOBODY);
    expect((await answersTo({}, `${name}=${good}`)).slice(0, 2)).toEqual(NOBODY.slice(0, 2));
  },
);

test("a token in the body is ignored", async () => {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ access_token: good });
  const answer = await send(service.httpUrl, { method: "POST", target: METHOD, headers, body });
  expect(answer.status).toBe(401);
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const posted = { method: "POST", target: METHOD, headers: form, body: `access_token=${good}` };
  expect((await send(service.httpUrl, posted)).status).toBe(415);
});

test("a token in binary metadata is ignored", async () => {
  const inBytes = { "authorization-bin": Buffer.from(`Bearer ${good}`).toString("base64") };
  expect((await wire.grpc(METHOD, Buffer.alloc(0), inBytes)).code).toBe("Unauthenticated");
});

test("a token of nearly 16 KB is accepted, and one that exceeds the header limit is refused", async () => {
  const long = token({ sub: "registrar", padding: "x".repeat(11_500) });
  expect(long.length).toBeLessThan(16_000);
  expect(await answersTo({ authorization: `Bearer ${long}` })).toEqual(ANOTHER);
  const longer = token({ sub: "registrar", administrator: true, padding: "x".repeat(13_000) });
  const answers = await answersTo({ authorization: `Bearer ${longer}` });
  expect(answers).toEqual([431, 431, expect.not.stringMatching("OK")]);
});

const named = (name: string, claims: object) => ({
  authorization: `Bearer ${token({ preferred_username: name, ...claims })}`,
});

test.each(["worker", "schedule", "command line", "sample data"])(
  "nobody acts under a name of the service itself: %s",
  async (name) => {
    expect(await answersTo(named(name, { administrator: true }))).toEqual(NOBODY);
    expect(await answersTo(named(name, { scope: "learning_credentials:write" }))).toEqual(NOBODY);
    // A learner's actions leave no audit record under this name.
    expect(await answersTo(named(name, {}))).toEqual(ANOTHER);
    expect(await answersTo(named(`${name}s`, { administrator: true }))).toEqual(LET_IN);
  },
);
