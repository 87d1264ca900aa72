import { createServer } from "node:http";
import { createLocalJWKSet, jwtVerify, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { createToolKeys } from "#domain/lti/tool-keys.js";
import { Role } from "#gen/learning_credentials/options/v1/options_pb.js";
import { LtiService, LtiState } from "#gen/learning_credentials/v1/lti_service_pb.js";
import { execute, queryRows } from "#infrastructure/db/query.js";
import { createAddressRule } from "#infrastructure/outbound/address-rule.js";
import { createSendRequest } from "#infrastructure/outbound/send-request.js";
import { given } from "../support/given.js";
import { listen, shut } from "../support/listen.js";
import { givenService, tokenOf } from "../support/service.js";
import { type FakePlatform, startFakePlatform } from "./fake-platform.js";
import { connect, createBrowser, LTI_SETTINGS, launch } from "./lti-service.js";

const service = givenService({ settings: LTI_SETTINGS });
const platforms = given(
  async () => ({ moodle: await startFakePlatform(), other: await startFakePlatform() }),
  ({ moodle, other }) => Promise.all([moodle.close(), other.close()]),
);
const never = new AbortController().signal;

async function lti() {
  return service.client(LtiService, await tokenOf({ username: "lms", service: "write" }));
}

/** Opens an invitation link as a platform does. */
async function open(
  url: string,
  { configurationUrl }: Pick<FakePlatform, "configurationUrl">,
  post: boolean,
) {
  const { searchParams } = new URL(url);
  searchParams.set("openid_configuration", configurationUrl);
  searchParams.set("registration_token", "the registration token");
  const browser = createBrowser(service);
  return post ? browser.send("/lti/register", searchParams) : browser.send(`/lti/register?${searchParams}`);
}

describe("a platform that registers itself", () => {
  it("is confirmed first, is registered once, and waits until it is accepted", async () => {
    const { moodle } = platforms;
    const client = await lti();
    const { url } = await client.createLtiInvitation({});
    expect(url).toMatch(/^https:\/\/credentials\.test\/lti\/register\?invitation=[\w-]{32}$/);
    const requested = await open(url, moodle, false);
    expect(requested.status).toBe(200);
    expect(await requested.text()).toContain(new URL(moodle.url).host);
    expect(moodle.registrations).toEqual([]);

    const done = await open(url, moodle, true);
    expect(await done.text()).toContain("now has to accept your platform");
    expect(moodle.registrations).toMatchObject([
      {
        application_type: "web",
        initiate_login_uri: "https://credentials.test/lti/login",
        redirect_uris: ["https://credentials.test/lti/launch"],
        jwks_uri: "https://credentials.test/lti/jwks",
        scope: [
          "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly",
          "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
          "https://purl.imsglobal.org/spec/lti-ags/scope/score",
        ].join(" "),
        token_endpoint_auth_method: "private_key_jwt",
        logo_uri: "https://credentials.test/lti/icon.svg",
        "https://purl.imsglobal.org/spec/lti-tool-configuration": {
          description: "Your credentials in this course",
        },
      },
    ]);
    const icon = await createBrowser(service).send("/lti/icon.svg");
    expect([icon.status, icon.headers.get("content-type"), await icon.text()]).toEqual([
      200,
      "image/svg+xml",
      expect.stringMatching(/^<svg xmlns=/),
    ]);
    expect(icon.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect((await open(url, moodle, true)).status).toBe(403);
    const again = await open(url, moodle, false);
    expect(await again.text()).toContain("This link was already used");

    const { platforms: listed } = await client.listLtiPlatforms({});
    const [found] = listed.filter(({ settings }) => settings?.issuer === moodle.url);
    expect(found).toMatchObject({
      state: LtiState.PENDING,
      settings: { clientId: moodle.clientId, name: "moodle", jwksUrl: moodle.jwksUrl, tokenAudience: "" },
      deployments: [{ deploymentId: "5", state: LtiState.PENDING }],
    });
    await expect(launch(service, moodle)).rejects.toThrow(/has not accepted it yet/);

    const id = found?.id ?? 0;
    await client.acceptLtiPlatform({ id, acceptance: { organisations: ["Uni"], teacherRole: Role.VIEWER } });
    expect((await launch(service, moodle)).page).toContain("has to accept that first");
    const accepted = await client.decideLtiDeployment({ platformId: id, deploymentId: "5", accepted: true });
    expect(accepted.deployments).toMatchObject([{ state: LtiState.ACCEPTED, frameOrigins: [moodle.url] }]);
    expect((await launch(service, moodle)).response.status).toBe(200);
    await client.deleteLtiPlatform({ id });
    await expect(launch(service, moodle)).rejects.toThrow(/not registered here/);
  });

  it("is entered in the audit trail, with the person who invited it", async () => {
    const { url } = await (await lti()).createLtiInvitation({});
    await open(url, platforms.other, true);
    const entries = await queryRows<{ method: string; objects: string[] }>(
      service.app.database.knex,
      "select method, objects from audit_entries where method = 'POST /lti/register' order by id",
    );
    expect(entries.flatMap(({ objects }) => objects)).toContainEqual(expect.stringMatching(/^platform:\d+$/));
  });

  it.each<[string, string, RegExp]>([
    ["at an address of its own network", "http://10.0.0.1/openid-configuration", /not public \(private\)/],
    ["at an address of its own machine by IPv6", "http://[::1]/", /not public \(loopback\)/],
    ["at no URL", "nonsense", /must be a URL/],
    ["in a file", "file:///etc/passwd", /must be a URL with https/],
    ["where nobody answers", "http://127.0.0.1:1/", /connection was refused/],
  ])("is refused %s", async (_, configurationUrl, reason) => {
    const { url } = await (await lti()).createLtiInvitation({});
    const response = await open(url, { configurationUrl }, false);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.text()).toMatch(reason);
  });

  it("is refused if it claims another host", async () => {
    const liar = await startFakePlatform({ issuer: "https://canvas.instructure.com" });
    const { url } = await (await lti()).createLtiInvitation({});
    expect(await (await open(url, liar, false)).text()).toContain("but its issuer is");
    await liar.close();
  });

  it("needs an invitation that has not expired", async () => {
    const { url } = await (await lti()).createLtiInvitation({});
    await execute(service.app.database.knex, "update lti_invitations set expires_at = now()");
    expect((await open(url, platforms.moodle, false)).status).toBe(403);
    expect(
      (await open(`${service.httpUrl}/lti/register?invitation=guess`, platforms.moodle, true)).status,
    ).toBe(403);
  });
});

describe("requests to other servers", () => {
  const guard = { rule: createAddressRule(["127.0.0.0/8"]), resolveName: async () => ["127.0.0.1"] };

  it("end at a limit of bytes and of time, and follow no redirect", async () => {
    const call = createSendRequest(guard);
    const { url, pages } = platforms.other;
    pages.set("/large", "x".repeat(101));
    await expect(call("It", `${url}/large`, { bounds: { bytes: 100, values: 10 } })).rejects.toThrow(
      "It is unavailable: its response has more than 100 bytes",
    );
    expect((await call("It", `${url}/nowhere`)).status).toBe(404);
    const silent = createServer(() => {});
    const port = await listen(silent);
    const hasty = createSendRequest({ ...guard, totalMs: 100 });
    await expect(hasty("It", `http://127.0.0.1:${port}/`)).rejects.toThrow("it did not respond in time");
    await shut(silent);
  });

  it("go to public addresses only, whatever the name", async () => {
    const call = createSendRequest({ ...guard, rule: createAddressRule([], "LTI_ALLOWED_NETWORKS") });
    await expect(call("It", "https://lms.example.org/")).rejects.toThrow(
      /not public \(loopback\).*LTI_ALLOWED_NETWORKS/,
    );
  });
});

describe("a platform that is registered by hand", () => {
  it.each<[string, object, RegExp]>([
    ["without settings", {}, /settings is missing/],
    ["without an issuer", { settings: { clientId: "a" } }, /issuer is empty/],
    [
      "with an address that is none",
      { settings: { issuer: "a", clientId: "a", authorizationUrl: "ftp://a" } },
      /authorization_url is "ftp:\/\/a"/,
    ],
  ])("is refused %s", async (_, request, reason) => {
    await expect((await lti()).createLtiPlatform(request)).rejects.toThrow(reason);
  });

  it("is refused the second time, and accepted only with an organisation or a connector", async () => {
    const client = await lti();
    const { issuer, clientId, authorizationUrl, tokenUrl, jwksUrl } = platforms.moodle;
    const settings = { issuer, clientId, authorizationUrl, tokenUrl, jwksUrl };
    const { id, state } = await client.createLtiPlatform({ settings });
    expect(state).toBe(LtiState.PENDING);
    await expect(client.createLtiPlatform({ settings })).rejects.toThrow(/already registered the client/);
    const accept = (acceptance: object) => client.acceptLtiPlatform({ id, acceptance });
    await expect(accept({})).rejects.toThrow(/organisations is empty/);
    await expect(accept({ organisations: ["a b"] })).rejects.toThrow(/organisations has "a b"/);
    await expect(accept({ organisations: ["Uni"], teacherRole: Role.ADMIN })).rejects.toThrow(
      /teacher_role is ROLE_ADMIN; it must be one of ROLE_VIEWER/,
    );
    await expect(
      client.decideLtiDeployment({ platformId: id, deploymentId: "5", frameOrigins: ["https://a/b"] }),
    ).rejects.toThrow(/frame_origins has "https:\/\/a\/b"/);
    expect((await client.refuseLtiPlatform({ id })).state).toBe(LtiState.REFUSED);
    await client.deleteLtiPlatform({ id });
    await expect(client.deleteLtiPlatform({ id })).rejects.toThrow(/no platform/);
  });
});

describe("keys of the service", () => {
  it("are published without their secret part, and stored encrypted", async () => {
    const { keys } = (await (await fetch(`${service.httpUrl}/lti/jwks`)).json()) as { keys: object[] };
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
    const [row] = await queryRows<{ sealed: Buffer }>(
      service.app.database.knex,
      "select sealed_key as sealed from lti_keys",
    );
    expect(row?.sealed.toString("latin1")).not.toMatch(/"[dpq]":/);
  });

  it("are published an hour before they sign, and for a day afterwards", async () => {
    let now = Date.now() + 10 * 86_400_000;
    const keys = createToolKeys(service.app.database, [LTI_SETTINGS.LTI_SECRET], () => now);
    const published = async () => (await keys.published(never)).keys.map(({ kid }) => kid);
    const before = (await keys.signing(never)).kid;
    const after = await keys.rotate(never);
    expect(await published()).toEqual([after, before]);
    expect((await keys.signing(never)).kid).toBe(before);
    now += 3_600_000;
    expect((await keys.signing(never)).kid).toBe(after);
    now += 86_000_000;
    expect(await published()).toEqual([after, before]);
    now += 400_000;
    expect(await published()).toEqual([after]);
    const { kid, key } = await keys.signing(never);
    const token = await new SignJWT({}).setProtectedHeader({ alg: "RS256", kid }).sign(key);
    await jwtVerify(token, createLocalJWKSet(await keys.published(never)));
  });

  it("open with any line of the secret, and with no other", async () => {
    const { database } = service.app;
    const both = createToolKeys(database, ["a new secret, 32 characters long", LTI_SETTINGS.LTI_SECRET]);
    expect((await both.signing(never)).kid).toMatch(/^[\w-]{16}$/);
  });

  it("sign immediately after the replacement of a key that no line of the secret opens", async () => {
    const { database } = service.app;
    let now = Date.now() + 20 * 86_400_000;
    const others = createToolKeys(database, ["another secret of 32 characters"], () => now);
    await expect(others.signing(never)).rejects.toThrow(/None of the secrets of LTI/);
    const first = await others.rotate(never);
    const { kid, key } = await others.signing(never);
    expect(kid).toBe(first);
    const token = await new SignJWT({}).setProtectedHeader({ alg: "RS256", kid }).sign(key);
    await jwtVerify(token, createLocalJWKSet(await others.published(never)));
    now += 60_000;
    await others.rotate(never);
    expect((await others.signing(never)).kid).toBe(first);
    const original = createToolKeys(database, [LTI_SETTINGS.LTI_SECRET], () => now);
    await original.signing(never);
    now += 26 * 3_600_000;
    await expect(original.signing(never), "with a key that is no longer published").rejects.toThrow(
      /None of the secrets of LTI/,
    );
  });
});

describe("if a connector reads the platform", () => {
  it("a launch only identifies the person and the course, and changes nothing", async () => {
    const { knex } = service.app.database;
    const id = await connect(service, platforms.moodle, { organisations: [], connector: "school" });
    const unknown = await launch(service, platforms.moodle, { sub: "42" });
    expect(unknown.page).toContain("has no record of this course yet");
    await execute(
      knex,
      `insert into connector_contexts (connector, context_key, external_id, display_name, seen_sweep)
       values ('school', 'course-v1:Uni+AST+2', '2', 'Astronomy', 1)`,
    );
    expect((await launch(service, platforms.moodle, { sub: "42" })).page).toContain(
      "has no record of you in this course",
    );
    await execute(
      knex,
      "insert into connector_people (connector, external_id, username) values ('school', '42', 'ana')",
    );
    await execute(
      knex,
      `insert into enrollments (learning_context_key, username, is_active, observed_at, is_deleted)
       values ('course-v1:Uni+AST+2', 'ana', true, now(), false)`,
    );
    const known = await launch(service, platforms.moodle, { sub: "42" });
    expect(known.page).toContain("Your credentials in this course");
    const rows = await queryRows<object>(knex, "select username from learners where owner = ?", [
      `lti:${id}`,
    ]);
    expect(rows).toEqual([]);
    const forged = {
      "https://purl.imsglobal.org/spec/lti/claim/custom": { canvas_user_id: "42", username: "ana" },
    };
    const other = await launch(service, platforms.moodle, { sub: "43", claims: forged });
    expect(other.page).toContain("has no record of you in this course");
  });
});
