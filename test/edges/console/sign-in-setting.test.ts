import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import type { DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { CallerService } from "#gen/learning_credentials/v1/caller_service_pb.js";
import { send } from "../../contract/raw-request.js";
import { rowsOf } from "../../support/database.js";
import { startTestService, type TestService } from "../../support/service.js";
import { callAtConsole, signIn, signInWithProvider } from "./console-session.js";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProvider,
  startIdentityProvider,
} from "./identity-provider.js";

const {
  listServiceSettings,
  updateServiceSetting,
  deleteServiceSetting,
  checkServiceSetting,
  listStaffGrants,
  listAuditEntries,
} = AdministrationService.method;
const words: { steps: object; reasons: object } = JSON.parse(
  readFileSync(new URL("../../../src/console/languages/en/serviceSettings.json", import.meta.url), "utf8"),
);
const SETTINGS_SECRET = "a secret for settings that only this test knows";

let provider: IdentityProvider;
let service: TestService;
/** A service on the same database that sends requests only to public addresses. */
let guarded: TestService;
let admin: string;
const lines: string[] = [];

beforeAll(async () => {
  provider = await startIdentityProvider();
  service = await startTestService({
    settings: { SETTINGS_SECRET, SETTINGS_ALLOWED_NETWORKS: "127.0.0.0/8" },
    log: pino({ level: "trace" }, { write: (line) => void lines.push(line) }),
  });
  guarded = await startTestService({ beside: service, settings: { SETTINGS_SECRET } });
});
afterAll(async () => {
  await guarded.stop();
  await service.stop();
  await provider.stop();
});
beforeEach(async () => {
  admin = await signIn(service, { username: "root", roles: ["admin"] });
  await call(deleteServiceSetting, { name: "sign_in" });
  provider.claims = { sub: "42", preferred_username: "rita", groups: ["registrar"] };
  provider.impostors.clear();
});

async function call<M extends DescMethodUnary>(
  method: M,
  request: MessageInitShape<M["input"]>,
  { at = service, cookie = admin } = {},
) {
  const { status, body } = await callAtConsole(at, method, request, { cookie });
  return { status, ...JSON.parse(body) };
}

const saving = (options: object = {}, secrets: object = { client_secret: CLIENT_SECRET }) => ({
  name: "sign_in",
  options: { issuer: provider.url, client_id: CLIENT_ID, roles_claim: "groups", ...options },
  secrets,
});
const save = (...entries: Parameters<typeof saving>) =>
  call(updateServiceSetting, saving(...entries) as never);
const begin = (at = service) => send(at.httpUrl, { method: "GET", target: "/console/sign-in" });

test("staff sign in with a provider that was saved, changed and removed, without a restart", async () => {
  expect((await begin()).headers.location).toBe("./");
  expect((await call(listStaffGrants, {})).hasProvider ?? false).toBe(false);
  const saved = await save();
  expect(saved).toMatchObject({
    isStored: true,
    options: { issuer: provider.url, client_id: CLIENT_ID, roles_claim: "groups" },
    secrets: [{ name: "client_secret" }],
    ownUrls: ["https://credentials.test/console/sign-in/callback", "https://credentials.test/console/"],
  });
  const { cookie } = await signInWithProvider(service, provider);
  expect((await call(CallerService.method.getCaller, {}, { cookie })).roles).toEqual([
    "ROLE_VIEWER",
    "ROLE_REGISTRAR",
  ]);
  expect(await call(listStaffGrants, {})).toMatchObject({
    hasProvider: true,
    providerAssignsRoles: true,
    rolesClaim: "groups",
  });

  const { etag } = await save({ roles_claim: "teams" }, {});
  expect((await signInWithProvider(service, provider)).status).toBe(403);
  expect((await call(updateServiceSetting, { ...saving({}, {}), etag: saved.etag } as never)).code).toBe(
    "aborted",
  );
  expect((await call(deleteServiceSetting, { name: "sign_in", etag })).status).toBe(200);
  expect((await begin()).headers.location).toBe("./");
});

test("another process uses what was saved within seconds", async () => {
  const beside = await startTestService({
    beside: service,
    settings: { SETTINGS_SECRET, SETTINGS_ALLOWED_NETWORKS: "127.0.0.0/8" },
  });
  expect((await begin(beside)).headers.location).toBe("./");
  await save();
  await expect
    .poll(async () => (await begin(beside)).headers.location, { timeout: 20_000 })
    .toContain(`${provider.url}/authorize?`);
  await beside.stop();
});

/** Returns the reasons of checks, all of which the console has in words. */
function reasonsOf(checks: readonly { readonly what: string; readonly reason: string }[]): string[] {
  for (const { what, reason } of checks) {
    expect(words.steps).toHaveProperty([what]);
    expect(words.reasons).toHaveProperty(reason);
  }
  return checks.map(({ reason }) => reason);
}

test("a check reads metadata and keys, and saves nothing", async () => {
  const { checks } = await call(checkServiceSetting, saving() as never);
  expect(checks.map(({ what, outcome }: Record<string, string>) => [what, outcome])).toEqual([
    ["metadata", "CHECK_OUTCOME_OK"],
    ["endpoints", "CHECK_OUTCOME_OK"],
    ["keys", "CHECK_OUTCOME_OK"],
  ]);
  expect(reasonsOf(checks)).toEqual(["metadata_read", "endpoints_found", "keys_read"]);
  expect((await call(listServiceSettings, {})).settings[0].isStored ?? false).toBe(false);
  provider.impostors.set("/jwks", (_, response) => response.end('{"keys":[]}'));
  const keyless = await call(checkServiceSetting, saving() as never);
  expect(keyless.checks[2].text).toContain("no keys at");
  expect(reasonsOf(keyless.checks)[2]).toBe("keys_missing");
  provider.impostors.set("/.well-known/openid-configuration", (_, response) => response.end("<html>"));
  const broken = await call(checkServiceSetting, saving() as never);
  expect(broken.checks).toEqual([
    expect.objectContaining({ what: "metadata", outcome: "CHECK_OUTCOME_FAILED" }),
  ]);
  expect(reasonsOf(broken.checks)).toEqual(["metadata_unusable"]);
  provider.impostors.set("/.well-known/openid-configuration", (_, response) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ issuer: provider.url })),
  );
  const bare = await call(checkServiceSetting, saving() as never);
  expect(reasonsOf(bare.checks)).toEqual([
    "metadata_read",
    "endpoints_missing",
    "keys_unusable",
    "no_sign_out",
  ]);
});

test.each([
  ["https://127.0.0.1:PORT", "its address is not public (loopback)"],
  ["https://[::1]:PORT", "its address is not public (loopback)"],
  ["http://169.254.169.254/latest/meta-data", "its address is not public (linkLocal)"],
  ["http://10.0.0.1", "its address is not public (private)"],
  ["https://0x7f.1:PORT", "its address is not public (loopback)"],
  ["http://localhost:PORT", "its address is not public (loopback)"],
  ["http://1.1.1.1", "connections without TLS are only allowed to networks in SETTINGS_ALLOWED_NETWORKS"],
  ["https://nothing.invalid", "DNS has no address for its name"],
])("a check of %s reaches nothing, and says: %s", async (url, reason) => {
  let reached = 0;
  const inside = createTcpServer((socket) => {
    reached++;
    socket.destroy();
  });
  await new Promise<void>((done) => void inside.listen(0, "::", done));
  const issuer = url.replace("PORT", String((inside.address() as AddressInfo).port));
  const { checks } = await call(checkServiceSetting, saving({ issuer }) as never, { at: guarded });
  inside.close();
  expect(checks).toEqual([expect.objectContaining({ outcome: "CHECK_OUTCOME_FAILED", what: "metadata" })]);
  expect(checks[0].text).toContain(reason);
  expect(reasonsOf(checks)).toEqual(["metadata_unreachable"]);
  expect(reached).toBe(0);
});

test("neither a sign-in nor metadata leads to an internal address", async () => {
  await save();
  expect((await begin(guarded)).status).toBe(503);
  let reached = 0;
  const inside = createServer((_, response) => {
    reached++;
    response.end("{}");
  });
  await new Promise<void>((done) => void inside.listen(0, "::1", done));
  const { port } = inside.address() as AddressInfo;
  provider.impostors.set("/.well-known/openid-configuration", (_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(
      JSON.stringify({
        issuer: provider.url,
        authorization_endpoint: `${provider.url}/authorize`,
        token_endpoint: `http://[::1]:${port}/token`,
        jwks_uri: `http://[::1]:${port}/jwks`,
      }),
    ),
  );
  const { checks } = await call(checkServiceSetting, saving() as never);
  expect(checks[2]).toMatchObject({ what: "keys", outcome: "CHECK_OUTCOME_FAILED" });
  await save({ scope: "openid" }); // after a change, the metadata is read again
  expect((await signInWithProvider(service, provider)).status).toBe(503);
  expect(reached).toBe(0);
  inside.close();
});

test("a stored secret is never sent to another address", async () => {
  await save();
  let requested = 0;
  const collector = createServer((_, response) => {
    requested++;
    response.end("{}");
  });
  await new Promise<void>((done) => void collector.listen(0, "127.0.0.1", done));
  const issuer = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  for (const method of [updateServiceSetting, checkServiceSetting])
    expect(await call(method, saving({ issuer }, {}) as never)).toMatchObject({ code: "invalid_argument" });
  expect(requested).toBe(0);
  collector.close();
});

test("a wrong setting locks nobody out: links still sign in, and the environment overrides it", async () => {
  await save({ issuer: "http://127.0.0.1:1" });
  const refused = await begin();
  expect([refused.status, refused.body]).toEqual([503, expect.stringContaining("can’t be reached")]);
  const linked = await signIn(service, { username: "ida", roles: ["admin"] });
  expect((await call(listServiceSettings, {}, { cookie: linked })).status).toBe(200);
  const withEnvironment = await startTestService({
    beside: service,
    settings: {
      SETTINGS_SECRET,
      OIDC_ISSUER: provider.url,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      AUTH_JWT_ROLES_CLAIM: "groups",
    },
  });
  expect((await signInWithProvider(withEnvironment, provider)).status).toBe(303);
  const [listed] = (await call(listServiceSettings, {}, { at: withEnvironment })).settings;
  expect(listed.variables).toEqual(["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"]);
  const changed = await call(updateServiceSetting, saving() as never, { at: withEnvironment });
  expect(changed).toMatchObject({
    code: "failed_precondition",
    message: expect.stringContaining("OIDC_ISSUER"),
  });
  await withEnvironment.stop();
});

test("only administrators of all organisations see, save or check it", async () => {
  for (const link of [
    { username: "reg", roles: ["registrar", "designer"] },
    { username: "part", roles: ["admin"], organisations: ["Uni"] },
  ] as const) {
    const cookie = await signIn(service, link);
    for (const method of [
      listServiceSettings,
      updateServiceSetting,
      checkServiceSetting,
      deleteServiceSetting,
    ])
      expect((await call(method, saving() as never, { cookie })).status).toBe(403);
  }
});

test("the secret is in no dump, answer, log or audit entry; with another key, the setting says so", async () => {
  await save();
  await save({ scope: "openid email" }, { client_secret: `${CLIENT_SECRET} 2` });
  await signInWithProvider(service, provider);
  const answers = await call(listServiceSettings, {});
  const audit = async () => JSON.stringify(await call(listAuditEntries, { object: "setting:sign_in" }));
  await expect.poll(audit).toMatch(/"after":"\\"openid email\\""/);
  await expect.poll(audit).toMatch(/"path":"secrets.client_secret"[^}]*changed/);
  const dump = await rowsOf(
    service.app.config.databaseUrl ?? "",
    "select stored_settings::text as line from stored_settings union all select audit_outcomes::text from audit_outcomes",
  );
  for (const text of [JSON.stringify(answers), await audit(), JSON.stringify(dump), lines.join("\n")]) {
    expect(text.length).toBeGreaterThan(10);
    expect(text).not.toContain(CLIENT_SECRET);
    expect(text).not.toContain(Buffer.from(CLIENT_SECRET).toString("base64").slice(0, 20));
  }
  const other = await startTestService({
    beside: service,
    settings: { SETTINGS_SECRET: "quite another secret for settings, unknown" },
  });
  const [listed] = (await call(listServiceSettings, {}, { at: other })).settings;
  expect(listed.problem).toContain("a different SETTINGS_SECRET");
  expect((await begin(other)).headers.location).toBe("./");
  await other.stop();
});
