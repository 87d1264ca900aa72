import { createRemoteJWKSet, generateKeyPair, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { changeDeploymentState, refusePlatform } from "#domain/lti/manage-registrations.js";
import { listDeployments } from "#domain/lti/registration-store.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { queryRows } from "#infrastructure/db/query.js";
import {
  type FakePlatform,
  type Launch,
  type Product,
  type Signing,
  startFakePlatform,
} from "../../lti/fake-platform.js";
import { connect, createBrowser, LTI_SETTINGS, launch, login } from "../../lti/lti-service.js";
import { given } from "../../support/given.js";
import { givenService } from "../../support/service.js";

const P = "https://purl.imsglobal.org/spec/lti/claim/";
const MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership";

const never = new AbortController().signal;

const service = givenService({ settings: LTI_SETTINGS });
const platforms = given(
  async () => {
    const moodle = await startFakePlatform();
    const canvas = await startFakePlatform({ product: "canvas" });
    const openedx = await startFakePlatform({ product: "openedx" });
    const openedx11 = await startFakePlatform({ product: "openedx11" });
    return { moodle, canvas, openedx, openedx11, ids: new Map<FakePlatform, number>() };
  },
  ({ moodle, canvas, openedx, openedx11 }) =>
    Promise.all([moodle, canvas, openedx, openedx11].map((each) => each.close())),
);

/** Launches from a platform, which is accepted first if necessary. */
async function launchFrom(product: Product, what?: Launch, signing?: Signing) {
  const platform = platforms[product];
  if (!platforms.ids.has(platform)) platforms.ids.set(platform, await connect(service, platform));
  return launch(service, platform, what, { ...(signing && { signing }) });
}

/** Returns the paragraph for administrators of the platform. */
function reasonIn(page: string): string | undefined {
  return /<p lang="en" dir="ltr">(.*?)<\/p>/.exec(page)?.[1];
}

function learners() {
  return queryRows<{ username: string; fullName: string; email: string; owner: string }>(
    service.app.database.knex,
    `select username, full_name as "fullName", email, owner from learners order by username`,
  );
}

describe("a launch of a learner", () => {
  it.each(["moodle", "canvas", "openedx", "openedx11"] as const)(
    "from %s shows the course, and begins no session",
    async (product) => {
      const { response, page } = await launchFrom(product);
      expect(response.status).toBe(200);
      expect(page).toContain("Astronomy");
      expect(page).toContain("No credential can be earned in this course yet.");
      expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-lc_lti_.*Max-Age=0$/)]);
      const policy = response.headers.get("content-security-policy");
      expect(policy).toContain(`frame-ancestors ${platforms[product].url};`.slice(0, -1));
      expect(policy?.match(/frame-ancestors ([^;]*)/)?.[1]).toBe(platforms[product].url);
      expect(response.headers.get("cache-control")).toBe("no-store");
    },
  );

  it("is in the language of the platform", async () => {
    const { page } = await launchFrom("moodle", { locale: "pt_br" });
    expect(page).toContain('lang="pt"');
    expect((await launchFrom("canvas", { claims: { locale: "ar" } })).page).toContain('dir="rtl"');
  });

  it("starts by GET or POST, with all parameters that Canvas requires, and a cookie for frames", async () => {
    await launchFrom("canvas");
    for (const method of ["GET", "POST"] as const) {
      const browser = createBrowser(service);
      const requested = await login(service, browser, platforms.canvas, {}, method);
      expect([...requested.searchParams.keys()].sort()).toEqual(
        [
          ...["client_id", "login_hint", "lti_message_hint", "nonce", "prompt", "redirect_uri"],
          ...["response_mode", "response_type", "scope", "state"],
        ].sort(),
      );
      expect(requested.searchParams.get("lti_message_hint")).toBe("a hint");
      expect([...browser.cookies.keys()]).toEqual([expect.stringMatching(/^__Host-lc_lti_/)]);
    }
  });

  it("keeps people of two platforms apart, whatever their names, addresses and ids", async () => {
    await launchFrom("moodle", { sub: "same" });
    await launchFrom("canvas", { sub: "same" });
    const [moodle, canvas] = [platforms.ids.get(platforms.moodle), platforms.ids.get(platforms.canvas)];
    const found = (await learners()).filter(({ username }) => username.endsWith(":same"));
    expect(found).toEqual(
      [moodle, canvas].sort().map((id) => ({
        username: `lti:${id}:same`,
        fullName: "Ana Kovač",
        email: "ana@example.org",
        owner: `lti:${id}`,
      })),
    );
  });

  it("keeps a name and an address that the platform does not send", async () => {
    await launchFrom("moodle", { sub: "private" });
    const hidden = { name: undefined, given_name: undefined, family_name: undefined, email: "" };
    await launchFrom("moodle", { sub: "private", claims: hidden });
    const [found] = (await learners()).filter(({ username }) => username.endsWith(":private"));
    expect(found).toMatchObject({ fullName: "Ana Kovač", email: "ana@example.org" });
  });

  it("shows the page again by its token, and nothing of others", async () => {
    const { page, browser } = await launchFrom("moodle", { sub: "again" });
    const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? "";
    browser.cookies.clear();
    const again = await browser.send("/lti/progress", new URLSearchParams({ token }));
    expect(again.status).toBe(200);
    expect(await again.text()).toContain("Astronomy");
    const [body = "", code] = token.split(".");
    const forged = JSON.parse(Buffer.from(body, "base64url").toString());
    const other = Buffer.from(JSON.stringify({ ...forged, username: "lti:1:same" })).toString("base64url");
    const refused = await browser.send("/lti/progress", new URLSearchParams({ token: `${other}.${code}` }));
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("This page has expired");
  });

  it("keeps the course's own key, if the platform may speak for its organisation", async () => {
    const key = "course-v1:Uni+CS101+2026";
    await launchFrom("openedx", { context: { id: key, title: "Computing" } });
    const foreign = { id: "course-v1:Others+CS101+2026", title: "Computing" };
    expect((await launchFrom("openedx", { context: foreign })).page).toContain(
      "has no record of this course yet",
    );
    const keys = await queryRows<{ contextKey: string }>(
      service.app.database.knex,
      `select context_key as "contextKey" from lti_contexts order by context_key`,
    );
    expect(keys.map(({ contextKey }) => contextKey)).toContain(key);
    expect(keys.every(({ contextKey }) => contextKey.startsWith("course-v1:Uni+"))).toBe(true);
  });
});

describe("other roles in the course", () => {
  it.each<[string, readonly string[], "console" | "nothing" | "learner"]>([
    ["a teacher", ["Instructor"], "console"],
    ["an administrator of the course", ["Administrator"], "console"],
    ["a teaching assistant", ["Instructor", `${MEMBERSHIP}/Instructor#TeachingAssistant`], "nothing"],
    ["an assistant of Open edX", ["Learner", `${MEMBERSHIP}/Instructor#TeachingAssistant`], "learner"],
    ["a designer", ["ContentDeveloper"], "nothing"],
    [
      "an administrator of the institution",
      ["http://purl.imsglobal.org/vocab/lis/v2/institution/person#Administrator"],
      "nothing",
    ],
    [
      "an administrator of the system",
      ["http://purl.imsglobal.org/vocab/lis/v2/system/person#SysAdmin"],
      "nothing",
    ],
    ["somebody without a role", [], "nothing"],
  ])("%s", async (_, roles, gets) => {
    const { response, page } = await launchFrom("moodle", { sub: "staff", roles });
    expect(response.status).toBe(200);
    expect(page.includes("/console/#sign-in=")).toBe(gets === "console");
    expect(page.includes("Your credentials in this course")).toBe(gets === "learner");
  });

  it("a teacher's link works once, and only for the course's organisation", async () => {
    const { page } = await launchFrom("moodle", { sub: "teacher", roles: ["Instructor"] });
    const secret = /#sign-in=([\w-]+)/.exec(page)?.[1];
    const signIn = () =>
      fetch(`${service.httpUrl}/console/session`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: service.app.publicUrl },
        body: JSON.stringify({ secret }),
      });
    expect((await signIn()).status).toBe(204);
    expect((await signIn()).status).toBe(403);
    const [session] = await queryRows<object>(
      service.app.database.knex,
      "select username, roles, organisations from console_sessions",
    );
    const id = platforms.ids.get(platforms.moodle);
    expect(session).toEqual({ username: `lti:${id}:teacher`, roles: ["viewer"], organisations: ["Uni"] });
  });
});

describe("a teacher who wants to place something in the course", () => {
  const DL = "https://purl.imsglobal.org/spec/lti-dl/claim/";
  const settings = (more: object = {}) => ({
    [`${P}message_type`]: "LtiDeepLinkingRequest",
    [`${DL}deep_linking_settings`]: {
      deep_link_return_url: `${platforms.moodle.url}/mod/lti/contentitem_return.php?id=3`,
      accept_types: ["ltiResourceLink"],
      accept_presentation_document_targets: ["iframe", "window"],
      data: "csrf: 4",
      ...more,
    },
  });

  it("gets a signed link to this course's page, sent to the platform's address only", async () => {
    const { response, page } = await launchFrom("moodle", { roles: ["Instructor"], claims: settings() });
    expect(response.status).toBe(200);
    const target = `${platforms.moodle.url}/mod/lti/contentitem_return.php?id=3`;
    expect(/<form method="post" action="([^"]+)"/.exec(page)?.[1]).toBe(target);
    const policy = response.headers.get("content-security-policy");
    expect(policy).toContain(`form-action 'self' ${platforms.moodle.url};`);
    const message = /name="JWT" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const keys = createRemoteJWKSet(new URL(`${service.httpUrl}/lti/jwks`));
    const { clientId, issuer } = platforms.moodle;
    const { payload } = await jwtVerify(message, keys, { issuer: clientId, audience: issuer });
    expect(payload).toMatchObject({
      [`${P}message_type`]: "LtiDeepLinkingResponse",
      [`${P}version`]: "1.3.0",
      [`${P}deployment_id`]: "5",
      [`${DL}data`]: "csrf: 4",
      [`${DL}content_items`]: [
        {
          type: "ltiResourceLink",
          title: "Your credentials in this course",
          url: "https://credentials.test/lti/launch",
        },
      ],
      nonce: expect.any(String),
    });
  });

  it.each([
    ["to no address", { deep_link_return_url: "javascript:alert(1)" }, /deep_link_return_url/],
    ["where only files are taken", { accept_types: ["file"] }, /accept_types/],
  ])("is refused %s", async (_, more, reason) => {
    const { response, page } = await launchFrom("moodle", { roles: ["Instructor"], claims: settings(more) });
    expect(response.status).toBe(403);
    expect(reasonIn(page)).toMatch(reason);
  });

  it("gives learners their page", async () => {
    const { page } = await launchFrom("moodle", { claims: settings() });
    expect(page).not.toContain('name="JWT"');
    expect(page).toContain("Your credentials in this course");
  });
});

describe("a launch is refused", () => {
  const now = Math.floor(Date.now() / 1000);
  it.each<[string, Launch["claims"], RegExp]>([
    ["for another client", { aud: "somebody" }, /different client \(aud\)/],
    [
      "for several, without saying which",
      { aud: ["somebody", "CLIENT"] },
      /does not say which one this is \(azp\)/,
    ],
    [
      "made for another of several",
      { aud: ["somebody", "CLIENT"], azp: "somebody" },
      /different client \(azp\)/,
    ],
    ["of another platform", { iss: "https://evil.example" }, /different platform \(iss\)/],
    ["that has expired", { exp: now - 120 }, /has expired \(exp\)/],
    ["without an end", { exp: undefined }, /The claim exp of the launch is missing/],
    ["that is old", { iat: now - 1000 }, /ten minutes ago \(iat\)/],
    ["of the future", { iat: now + 1000 }, /in the future \(iat\)/],
    ["with another nonce", { nonce: "guessed" }, /different login \(nonce\)/],
    ["of LTI 1.1", { [`${P}version`]: "LTI-1p0" }, /not use LTI 1\.3\.0/],
    ["with another message", { [`${P}message_type`]: "LtiSubmissionReviewRequest" }, /message_type/],
    ["without a deployment", { [`${P}deployment_id`]: undefined }, /deployment_id/],
    ["to another page", { [`${P}target_link_uri`]: "https://credentials.test/lti/other" }, /target_link_uri/],
  ])("%s", async (_, claims, reason) => {
    const { clientId } = platforms.moodle;
    const filled = JSON.parse(JSON.stringify({ ...claims }).replaceAll("CLIENT", clientId));
    const { response, page } = await launchFrom("moodle", { claims: { ...claims, ...filled } });
    expect(reasonIn(page)).toMatch(reason);
    expect(response.status).toBe(403);
  });

  it("takes an audience in a list with the authorised party", async () => {
    const { clientId } = platforms.moodle;
    const claims = { aud: ["somebody", clientId], azp: clientId };
    expect((await launchFrom("moodle", { claims })).response.status).toBe(200);
  });

  it.each<[string, () => Promise<Signing>, RegExp]>([
    [
      "with another key under the same name",
      async () => ({ key: (await generateKeyPair("RS256")).privateKey }),
      /signature of the launch is not the platform/,
    ],
    [
      "with a key that is not published",
      async () => ({ key: (await generateKeyPair("RS256")).privateKey, kid: "mine" }),
      /does not publish \(kid\)/,
    ],
    [
      "by the public key as a secret",
      async () => ({ alg: "HS256", key: Buffer.from(await (await fetch(platforms.moodle.jwksUrl)).text()) }),
      /not signed with RS256/,
    ],
    [
      "with RS512",
      async () => ({ alg: "RS512", key: (await generateKeyPair("RS512")).privateKey }),
      /not signed with RS256/,
    ],
    [
      "with a key of its own in the header",
      async () => ({
        key: (await generateKeyPair("RS256")).privateKey,
        header: { jku: `${platforms.canvas.url}/jwks`, x5u: "https://evil.example" },
      }),
      /signature of the launch is not the platform/,
    ],
  ])("signed %s", async (_, signing, reason) => {
    const { response, page } = await launchFrom("moodle", {}, await signing());
    expect(reasonIn(page)).toMatch(reason);
    expect(response.status).toBe(403);
  });

  it("not signed at all", async () => {
    const browser = createBrowser(service);
    const form = await platforms.moodle.authorize(await login(service, browser, platforms.moodle));
    const [, payload] = (form.get("id_token") ?? "").split(".");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    form.set("id_token", `${none}.${payload}.`);
    expect(reasonIn(await (await browser.send("/lti/launch", form)).text())).toMatch(/not signed with RS256/);
  });

  it("the second time, also simultaneously", async () => {
    const browser = createBrowser(service);
    const form = await platforms.moodle.authorize(await login(service, browser, platforms.moodle));
    const stored = new Map(browser.cookies);
    const both = await Promise.all([1, 2].map(() => browser.send("/lti/launch", form)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
    for (const [name, value] of stored) browser.cookies.set(name, value);
    const third = await browser.send("/lti/launch", form);
    expect(reasonIn(await third.text())).toBe("This launch was used before (nonce).");
  });

  it("in a browser that has not started it", async () => {
    const form = await platforms.moodle.authorize(
      await login(service, createBrowser(service), platforms.moodle),
    );
    const other = createBrowser(service);
    const without = await other.send("/lti/launch", form);
    expect(without.status).toBe(403);
    expect(await without.text()).toContain("Open this page in a new tab");
    await login(service, other, platforms.moodle);
    const [name = ""] = (form.get("state") ?? "").split(".");
    const { id } = JSON.parse(Buffer.from(name, "base64url").toString());
    other.cookies.set(`__Host-lc_lti_${id}`, [...other.cookies.values()][0] ?? "");
    expect(reasonIn(await (await other.send("/lti/launch", form)).text())).toMatch(
      /another browser \(state\)/,
    );
  });

  it("with a state that was not created here", async () => {
    const browser = createBrowser(service);
    for (const state of ["", "a", "a.b", "eyJ9.AAAA"]) {
      const response = await browser.send("/lti/launch", new URLSearchParams({ state, id_token: "x" }));
      expect(response.status).toBe(403);
      expect(reasonIn(await response.text())).toMatch(/belong to a login of the last ten minutes \(state\)/);
    }
  });

  it("in the platform's own words, or in ours", async () => {
    const browser = createBrowser(service);
    const state = (await login(service, browser, platforms.moodle)).searchParams.get("state") ?? "";
    const reported = { error: "unauthorized_client", error_description: "Client not authorized", state };
    const refused = await browser.send("/lti/launch", new URLSearchParams(reported));
    expect(reasonIn(await refused.text())).toContain("unauthorized_client Client not authorized");
    const signedOut = await browser.send(
      "/lti/launch",
      new URLSearchParams({ error: "login_required", state }),
    );
    expect(await signedOut.text()).toContain("Sign in to your learning platform");
  });
});

describe("a login is refused", () => {
  const begin = (changes: Record<string, string | undefined>) => {
    const parameters = platforms.moodle.loginParameters(service.app.publicUrl);
    for (const [name, value] of Object.entries(changes))
      if (value === undefined) parameters.delete(name);
      else parameters.set(name, value);
    return createBrowser(service).send(`/lti/login?${parameters}`);
  };

  it.each<[string, Record<string, string | undefined>, number, RegExp]>([
    ["of an unknown platform", { iss: "https://unknown.example" }, 404, /not registered here/],
    ["of an unknown client", { client_id: "another" }, 404, /not registered here/],
    [
      "to a page that is not ours",
      { target_link_uri: "https://evil.example/lti/launch" },
      403,
      /target_link_uri/,
    ],
    [
      "to a page of ours that is not of LTI",
      { target_link_uri: "https://credentials.test/console/" },
      403,
      /target_link_uri/,
    ],
    ["without a hint", { login_hint: undefined }, 400, /without login_hint/],
  ])("%s", async (_, changes, status, reason) => {
    const response = await begin(changes);
    expect(response.status).toBe(status);
    expect(reasonIn(await response.text())).toMatch(reason);
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });

  it("leaves out the client if the platform has only one", async () => {
    expect((await begin({ client_id: undefined })).status).toBe(302);
  });
});

describe("deployments of a platform", () => {
  it("wait until they are accepted, and end when they are refused", async () => {
    const { page, response } = await launchFrom("canvas", { deploymentId: "school-7" });
    expect(response.status).toBe(403);
    expect(page).toContain("has to accept that first");
    const { database } = service.app;
    const id = platforms.ids.get(platforms.canvas) ?? 0;
    const deploymentKey = { registrationId: id, deploymentId: "school-7" };
    const pending = (await listDeployments(database.knex, id)).find(
      ({ deploymentId }) => deploymentId === "school-7",
    );
    expect(pending).toMatchObject({ state: "pending", frameOrigins: [platforms.canvas.url] });
    await changeDeploymentState(database, deploymentKey, "accepted", ["https://school.example.org"], never);
    const accepted = await launchFrom("canvas", { deploymentId: "school-7", sub: "at school" });
    expect(accepted.response.status).toBe(200);
    expect(accepted.response.headers.get("content-security-policy")).toMatch(
      /frame-ancestors https:\/\/school\.example\.org(;|$)/,
    );
    const token = /name="token" value="([^"]+)"/.exec(accepted.page)?.[1] ?? "";
    await changeDeploymentState(database, deploymentKey, "refused", undefined, never);
    const refused = await launchFrom("canvas", { deploymentId: "school-7" });
    expect(reasonIn(refused.page)).toMatch(/has refused this deployment/);
    const click = await accepted.browser.send("/lti/progress", new URLSearchParams({ token }));
    expect(click.status).toBe(403);
  });
});

describe("keys of a platform", () => {
  it("are fetched again for a new key, at most once a minute", async () => {
    const platform = await startFakePlatform();
    try {
      await connect(service, platform);
      expect((await launch(service, platform)).response.status).toBe(200);
      expect(platform.keyRequests()).toBe(1);
      const stranger = (await generateKeyPair("RS256")).privateKey;
      for (let turn = 0; turn < 3; turn++)
        await launch(service, platform, {}, { signing: { key: stranger, kid: "strange" } });
      expect(platform.keyRequests()).toBe(1);
    } finally {
      await platform.close();
    }
  });
});

it("a refused platform can't launch any more", async () => {
  const platform = await startFakePlatform();
  const id = await connect(service, platform);
  const { page, browser } = await launch(service, platform);
  const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? "";
  await refusePlatform(service.app.database, id, never);
  await expect(launch(service, platform)).rejects.toThrow(/has refused this/);
  expect((await browser.send("/lti/progress", new URLSearchParams({ token }))).status).toBe(403);
  await platform.close();
});

it("a learner in a frame can't call anything else", async () => {
  const { page } = await launchFrom("moodle");
  const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const client = service.client(CredentialService, token);
  await expect(client.listMyCredentials({})).rejects.toThrow(/unauthenticated/);
});
