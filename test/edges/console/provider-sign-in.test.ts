import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { returnPath } from "#edges/console/return-path.js";
import { pageLanguages } from "#edges/pages/languages.js";
import { CallerService } from "#gen/learning_credentials/v1/caller_service_pb.js";
import { send } from "../../contract/raw-request.js";
import { startTestService, type TestService } from "../../support/service.js";
import { callAtConsole, postSecret, SAME_ORIGIN, secretOf, signIn } from "./console-session.js";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProvider,
  startIdentityProvider,
} from "./identity-provider.js";

let provider: IdentityProvider;
let service: TestService;
let openEdx: TestService;

const client = { OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: CLIENT_SECRET };
const claims = { AUTH_JWT_ROLES_CLAIM: "roles", AUTH_JWT_ORGANISATIONS_CLAIM: "orgs" };

beforeAll(async () => {
  provider = await startIdentityProvider();
  service = await startTestService({ settings: { ...client, ...claims, OIDC_ISSUER: provider.url } });
  openEdx = await startTestService({
    beside: service,
    settings: { ...client, OPENEDX_URL: `${provider.url}/` },
  });
});
afterAll(async () => {
  await openEdx.stop();
  await service.stop();
  await provider.stop();
});
beforeEach(() => {
  provider.claims = { sub: "42", preferred_username: "rita", roles: ["registrar"], orgs: ["Uni"] };
  provider.idToken = {};
  provider.signsWrongly = false;
});

const get = ({ httpUrl }: TestService, target: string, cookie?: string) =>
  send(httpUrl, { method: "GET", target, headers: cookie === undefined ? {} : { cookie } });

/** Returns the cookies that a response sets, by name. */
function cookiesOf(headers: { "set-cookie"?: string[] | undefined }): Map<string, string> {
  return new Map(
    (headers["set-cookie"] ?? []).map((line) => {
      const [pair = ""] = line.split(";");
      return [pair.slice(0, pair.indexOf("=")), pair];
    }),
  );
}

/** Starts to sign in. Returns the browser's cookie, and the address to which the provider sends the browser. */
async function goToProvider(at: TestService, query = "") {
  const begun = await get(at, `/console/sign-in${query}`);
  expect(begun.status).toBe(303);
  const cookie = cookiesOf(begun.headers).get("__Host-lc_sign_in") ?? "";
  const back = new URL(await provider.consent(begun.headers.location ?? ""));
  return { begun, cookie, back: `${back.pathname}${back.search}` };
}

async function signInAt(at: TestService, query = "") {
  const { cookie, back } = await goToProvider(at, query);
  return get(at, back, cookie);
}

async function whoIs(at: TestService, answer: Awaited<ReturnType<typeof get>>) {
  const cookie = cookiesOf(answer.headers).get("__Host-lc_console") ?? "";
  const { body } = await callAtConsole(at, CallerService.method.getCaller, {}, { cookie });
  return JSON.parse(body);
}

describe("signing in with OpenID Connect", () => {
  test("gives a session with the name, roles and organisations of the ID token", async () => {
    const answer = await signInAt(service, "?return=/console/credentials/?q=ana");
    expect([answer.status, answer.headers.location]).toEqual([303, "../../console/credentials/?q=ana"]);
    expect(await whoIs(service, answer)).toMatchObject({
      username: "rita",
      roles: ["ROLE_VIEWER", "ROLE_REGISTRAR"],
      organisations: ["Uni"],
    });
  });

  test("requests a code with PKCE, state and nonce, and keeps them in a cookie that scripts can't read", async () => {
    const { begun } = await goToProvider(service);
    expect(Object.fromEntries(provider.asked)).toEqual({
      response_type: "code",
      client_id: CLIENT_ID,
      redirect_uri: "https://credentials.test/console/sign-in/callback",
      scope: "openid profile email",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(begun.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^__Host-lc_sign_in=.*; Secure; HttpOnly; SameSite=Lax; Path=\/; Max-Age=600$/),
    ]);
  });

  test.each<[string, object, string]>([
    ["a learner", { roles: [] }, "who has no role here"],
    [
      "a learner without the claim",
      { roles: undefined },
      "<bdi>roles, administrator, is_staff, superuser</bdi>",
    ],
    ["a service", { scope: "learning_credentials:write" }, "The console is for people"],
  ])("shows %s who they are, and what is missing", async (_, changed, says) => {
    provider.claims = { ...provider.claims, ...changed };
    const answer = await signInAt(service);
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([403, undefined]);
    expect(answer.body).toContain("as <bdi>rita</bdi>");
    expect(answer.body).toContain(says);
  });

  test("shows a name as text, whatever it contains", async () => {
    provider.claims = { sub: "1", preferred_username: "<script>alert(1)</script>" };
    const { body, headers } = await signInAt(service);
    expect(body).toContain("&lt;script&gt;");
    expect(body).not.toContain("<script>alert");
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
  });

  test("does not create a session for the service itself", async () => {
    provider.claims = { ...provider.claims, preferred_username: "worker" };
    expect((await signInAt(service)).status).toBe(403);
  });

  test.each<[string, object, boolean]>([
    ["of another nonce", { nonce: "another" }, false],
    ["for another client", { aud: "another" }, false],
    ["by another issuer", { iss: "https://evil.test" }, false],
    ["that has expired", { exp: 1 }, false],
    ["of the future", { iat: Math.floor(Date.now() / 1000) + 365 * 86_400 }, false],
    ["signed with another key", {}, true],
  ])("refuses an ID token %s", async (_, idToken, signsWrongly) => {
    Object.assign(provider, { idToken, signsWrongly });
    const answer = await signInAt(service);
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([403, undefined]);
    expect(answer.body).toContain("does not belong to this sign-in");
  });
});

describe("a refusal", () => {
  const requesting = (target: string, language: string, cookie = "") =>
    send(service.httpUrl, { method: "GET", target, headers: { "accept-language": language, cookie } });

  test.each(pageLanguages.all.map(({ tag, direction }) => [tag, direction]))(
    "is shown in %s (%s)",
    async (tag, direction) => {
      const { cookie, back } = await refusedAtProvider();
      const page = await requesting(back, tag, cookie);
      const words = pageLanguages.choose([tag]);
      expect(page.status).toBe(403);
      expect(page.body).toContain(`<html lang="${tag}" dir="${direction}">`);
      expect(page.body).toContain(words.notSignedIn);
      const [before = ""] = words.notStaff({ username: "{", claims: "" }).split("{");
      expect(page.body).toContain(before);
      expect(page.body).toContain("<bdi>rita</bdi>");
      expect(page.body).toContain(words.backToConsole);
      expect(page.headers).toMatchObject({
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "content-security-policy": expect.stringContaining("default-src 'none'"),
      });
      const notBegun = await requesting("/console/sign-in/callback?code=a&state=b", tag);
      expect([notBegun.status, notBegun.body.includes(words.signInNotBegun)]).toEqual([403, true]);
    },
  );

  test("is shown in the language chosen in the console, whatever the browser's is", async () => {
    const { cookie, back } = await refusedAtProvider("?lang=ar");
    const page = await requesting(back, "de", cookie);
    expect(page.body).toContain('<html lang="ar" dir="rtl">');
    expect((await requesting("/console/sign-in/callback", "de")).body).toContain(
      '<html lang="de" dir="ltr">',
    );
  });

  test("has no links that would repeat the request, and a separate page for other methods than GET", async () => {
    const { cookie, back } = await refusedAtProvider();
    expect((await requesting(back, "en", cookie)).body).not.toContain("?lang=");
    const posted = await send(service.httpUrl, { method: "POST", target: "/console/sign-in" });
    expect([posted.status, posted.headers.allow]).toEqual([405, "GET"]);
  });

  async function refusedAtProvider(query = "") {
    provider.claims = { sub: "42", preferred_username: "rita", roles: [] };
    return goToProvider(service, query);
  }
});

describe("signing out", () => {
  const signOut = (at: TestService, cookie: string) =>
    send(at.httpUrl, { method: "DELETE", target: "/console/session", headers: { cookie, ...SAME_ORIGIN } });
  const signedInAt = async (at: TestService) => {
    const cookies = cookiesOf((await signInAt(at)).headers);
    return `${cookies.get("__Host-lc_console")}; ${cookies.get("__Host-lc_provider")}`;
  };

  test("ends the session here, and leads to the provider to end it there, and back", async () => {
    const cookie = await signedInAt(service);
    const { status, body, headers } = await signOut(service, cookie);
    expect(status).toBe(200);
    const url = new URL(JSON.parse(body).signOutUrl);
    expect(`${url.origin}${url.pathname}`).toBe(`${provider.url}/end-session`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: CLIENT_ID,
      post_logout_redirect_uri: "https://credentials.test/console/",
    });
    expect(headers["set-cookie"]?.map((line) => line.replace(/;.*(?=Max-Age)/, " "))).toEqual([
      "__Host-lc_console= Max-Age=0",
      "__Host-lc_provider= Max-Age=0",
    ]);
    const { status: after } = await callAtConsole(service, CallerService.method.getCaller, {}, { cookie });
    expect(after).toBe(401);
    const back = await fetch(url, { redirect: "manual" });
    expect(back.headers.get("location")).toBe("https://credentials.test/console/");
  });

  test("at Open edX leads to the LMS's page for it", async () => {
    provider.claims = { sub: "7", preferred_username: "edx.staff", administrator: true };
    const { body } = await signOut(openEdx, await signedInAt(openEdx));
    expect(JSON.parse(body).signOutUrl).toBe(
      `${provider.url}/logout?redirect_url=${encodeURIComponent("https://credentials.test/console/")}`,
    );
  });

  test("leads nowhere for a person who signed in by a link, even after the provider", async () => {
    const byLink = await signIn(service, { username: "lin" });
    expect((await signOut(service, byLink)).status).toBe(204);
    const before = await signedInAt(service);
    const { headers } = await postSecret(service, await secretOf(service), {
      ...SAME_ORIGIN,
      cookie: before,
    });
    expect(cookiesOf(headers).get("__Host-lc_provider")).toBe("__Host-lc_provider=");
  });

  test.each<[string, string, string | undefined]>([
    [
      "another address",
      "https://sso.test/logout?realm=staff",
      "https://sso.test/logout?realm=staff&client_id=",
    ],
    ["none", "none", undefined],
  ])("leads where the settings say: %s", async (_, setting, expected) => {
    const settings = { ...client, ...claims, OIDC_ISSUER: provider.url, OIDC_END_SESSION_URL: setting };
    const other = await startTestService({ beside: service, settings });
    const { status, body } = await signOut(other, await signedInAt(other));
    expect(status).toBe(expected === undefined ? 204 : 200);
    expect(body === "" ? "" : JSON.parse(body).signOutUrl).toContain(expected ?? "");
    await other.stop();
  });

  test("ends the session here even if the provider can't be reached", async () => {
    const marked = await signedInAt(service);
    const settings = { ...client, OIDC_ISSUER: "http://127.0.0.1:1" };
    const cut = await startTestService({ beside: service, settings });
    expect((await signOut(cut, marked)).status).toBe(204);
    const { status } = await callAtConsole(service, CallerService.method.getCaller, {}, { cookie: marked });
    expect(status).toBe(401);
    await cut.stop();
  });

  test("is only for pages of this service", async () => {
    const cookie = await signedInAt(service);
    const { status } = await send(service.httpUrl, {
      method: "DELETE",
      target: "/console/session",
      headers: { cookie, "sec-fetch-site": "same-site" },
    });
    expect(status).toBe(403);
    expect(await whoIsWith(cookie)).toBe("rita");
  });

  async function whoIsWith(cookie: string) {
    const { body } = await callAtConsole(service, CallerService.method.getCaller, {}, { cookie });
    return JSON.parse(body).username;
  }
});

describe("a response that this browser has not requested", () => {
  test("is ignored: nobody can be signed in under another's name", async () => {
    const mallory = await goToProvider(service);
    const victim = await goToProvider(service);
    const without = await get(service, mallory.back);
    const withOther = await get(service, mallory.back, victim.cookie);
    expect([without.status, withOther.status]).toEqual([403, 403]);
    expect(without.body).toContain("started in another browser");
    expect(cookiesOf(withOther.headers).has("__Host-lc_console")).toBe(false);
  });

  test("is valid once", async () => {
    const { back, cookie } = await goToProvider(service);
    expect((await get(service, back, cookie)).status).toBe(303);
    expect((await get(service, back, cookie)).status).toBe(403);
  });

  test("is ignored if its cookie was changed", async () => {
    const { back, cookie } = await goToProvider(service);
    const [name, value = ""] = cookie.split("=");
    const [body = "", code] = value.split(".");
    const pending = JSON.parse(Buffer.from(body, "base64url").toString());
    const forged = Buffer.from(JSON.stringify({ ...pending, returnTo: "https://evil.test/" }));
    const answer = await get(service, back, `${name}=${forged.toString("base64url")}.${code}`);
    expect(answer.status).toBe(403);
  });

  test("may be a refusal, which is explained in this service's words", async () => {
    const { cookie } = await goToProvider(service);
    const state = provider.asked.get("state");
    const target = `/console/sign-in/callback?error=access_denied&error_description=<b>x&state=${state}`;
    const answer = await get(service, target.replaceAll("<", "%3C"), cookie);
    expect(answer.status).toBe(403);
    expect(answer.body).toContain("cancelled, or refused");
    expect(answer.body).not.toContain("<b>");
  });
});

describe("signing in with Open edX", () => {
  test("creates a session for users whose token makes them staff, by the rules for tokens", async () => {
    provider.claims = { sub: "7", preferred_username: "edx.staff", administrator: true };
    const answer = await signInAt(openEdx);
    expect(answer.status).toBe(303);
    expect(provider.asked.get("scope")).toBe("user_id profile email");
    expect(await whoIs(openEdx, answer)).toMatchObject({
      username: "edx.staff",
      roles: ["ROLE_VIEWER", "ROLE_REGISTRAR", "ROLE_DESIGNER"],
    });
  });

  test.each<[string, object]>([
    ["a learner", { administrator: false }],
    ["a token that has expired", { administrator: true, exp: 1 }],
    ["a restricted token", { administrator: true, is_restricted: true }],
  ])("refuses %s", async (_, changed) => {
    provider.claims = { sub: "7", preferred_username: "edx.staff", ...changed };
    const answer = await signInAt(openEdx);
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([403, undefined]);
  });
});

test("a provider that can't be reached is reported as such", async () => {
  const gone = await startTestService({
    beside: service,
    settings: { ...client, OIDC_ISSUER: "http://127.0.0.1:1" },
  });
  const { status, body } = await get(gone, "/console/sign-in");
  expect(status).toBe(503);
  expect(body).toContain("The identity provider can’t be reached");
  await gone.stop();
});

test.each<[string | null, string]>([
  [null, "/console/"],
  ["/console/credentials/?q=a", "/console/credentials/?q=a"],
  ["/console/../verify/", "/console/"],
  ["//evil.test/console/", "/console/"],
  ["https://evil.test/console/", "/console/"],
  ["/console/\\evil.test", "/console/"],
  ["/\\evil.test/", "/console/"],
  ["/console/\n//evil.test", "/console/"],
  ["/console", "/console/"],
  ["javascript:alert(1)", "/console/"],
  ["/console//evil.test", "/console//evil.test"],
])("after signing in with return=%s, %s follows", (given, expected) => {
  expect(returnPath(given)).toBe(expected);
});
