import type { DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { CallerService } from "#gen/learning_credentials/v1/caller_service_pb.js";
import { send } from "../../contract/raw-request.js";
import { startTestService, type TestService } from "../../support/service.js";
import { callAtConsole, signIn } from "./console-door.js";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProvider,
  startIdentityProvider,
} from "./identity-provider.js";

const { listStaffGrants, setStaffGrant, deleteStaffGrant, listAuditEntries, listSessions } =
  AdministrationService.method;

let provider: IdentityProvider;
let service: TestService;
let withClaim: TestService;
/** The cookie of an administrator whom the command line has signed in. */
let admin: string;

beforeAll(async () => {
  provider = await startIdentityProvider();
  const settings = {
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
    OIDC_ISSUER: provider.url,
  };
  service = await startTestService({ settings });
  withClaim = await startTestService({
    beside: service,
    settings: { ...settings, AUTH_JWT_ROLES_CLAIM: "roles" },
  });
});
afterAll(async () => {
  await withClaim.stop();
  await service.stop();
  await provider.stop();
});
beforeEach(async () => {
  admin = await signIn(service, { username: "root", roles: ["admin"] });
  await service.app.database.knex("staff_grants").delete();
  await service.app.database.knex("console_sessions").whereNot({ username: "root" }).delete();
  provider.claims = { sub: "42", preferred_username: "rita" };
});

/** Makes a call in the console. */
async function call<M extends DescMethodUnary>(
  cookie: string,
  method: M,
  request: MessageInitShape<M["input"]>,
  at = service,
) {
  const { status, body } = await callAtConsole(at, method, request, { cookie });
  return { status, ...JSON.parse(body) };
}

const grant = (username: string, roles: string[], more: object = {}, cookie = admin) =>
  call(cookie, setStaffGrant, { username, roles, ...more } as never);

function cookiesOf(headers: { "set-cookie"?: string[] | undefined }, name: string): string {
  const line = (headers["set-cookie"] ?? []).find((each) => each.startsWith(`${name}=`)) ?? "";
  return line.split(";")[0] ?? "";
}

/** Signs in with the identity provider. */
async function signInWithProvider(at = service) {
  const get = (target: string, cookie = "") =>
    send(at.httpUrl, { method: "GET", target, headers: cookie === "" ? {} : { cookie } });
  const begun = await get("/console/sign-in");
  const back = new URL(await provider.consent(begun.headers.location ?? ""));
  const { status, headers } = await get(
    `${back.pathname}${back.search}`,
    cookiesOf(begun.headers, "__Host-lc_sign_in"),
  );
  return { status, cookie: cookiesOf(headers, "__Host-lc_console") };
}

const whoIs = (cookie: string, at = service) => call(cookie, CallerService.method.getCaller, {}, at);

test("a granted person signs in, and a change is effective with the next call", async () => {
  expect((await signInWithProvider()).status).toBe(403);
  const { etag } = await grant("rita", ["ROLE_REGISTRAR"], { organisations: ["Uni"] });
  const { status, cookie } = await signInWithProvider();
  expect(status).toBe(303);
  expect(await whoIs(cookie)).toMatchObject({
    roles: ["ROLE_VIEWER", "ROLE_REGISTRAR"],
    organisations: ["Uni"],
  });

  const more = await grant("rita", ["ROLE_REGISTRAR", "ROLE_DESIGNER"], {
    organisations: ["Uni", "Other"],
    etag,
  });
  expect(await whoIs(cookie)).toMatchObject({
    roles: ["ROLE_VIEWER", "ROLE_REGISTRAR", "ROLE_DESIGNER"],
    organisations: ["Other", "Uni"],
  });
  expect((await call(admin, listSessions, {})).sessions).toContainEqual(
    expect.objectContaining({ username: "rita", organisations: ["Other", "Uni"] }),
  );

  await grant("rita", ["ROLE_VIEWER"], { organisations: ["Uni"], etag: more.etag });
  expect((await whoIs(cookie)).status).toBe(401);
});

test("revoking ends the sessions of the grant, and is audited with what it was", async () => {
  const { etag } = await grant("rita", ["ROLE_REGISTRAR"]);
  const { cookie } = await signInWithProvider();
  expect((await call(admin, deleteStaffGrant, { username: "rita", etag })).status).toBe(200);
  expect((await whoIs(cookie)).status).toBe(401);
  expect((await signInWithProvider()).status).toBe(403);
  // Outcomes are recorded after the answer.
  await expect
    .poll(async () => JSON.stringify(await call(admin, listAuditEntries, { username: "rita" })))
    .toMatch(/"method":"DeleteStaffGrant"[^}]*"changes":\[[^\]]*registrar/);
});

test("only administrators of all organisations grant, so nobody grants more than they have", async () => {
  const roles = ["ROLE_ADMIN"];
  for (const [name, options] of [
    ["des", { roles: ["designer", "registrar"] }],
    ["part", { roles: ["admin"], organisations: ["Uni"] }],
  ] as const) {
    const cookie = await signIn(service, { username: name, ...options });
    expect((await grant(name, roles, {}, cookie)).status).toBe(403);
    expect((await call(cookie, listStaffGrants, {})).status).toBe(403);
  }
  expect((await call(admin, listStaffGrants, {})).grants ?? []).toEqual([]);
});

test("another account that gets the username can't use the grant", async () => {
  await grant("rita", ["ROLE_ADMIN"]);
  expect((await signInWithProvider()).status).toBe(303);
  provider.claims = { sub: "43", preferred_username: "rita" };
  expect((await signInWithProvider()).status).toBe(403);
});

test("  the last administrator stays, unless the provider can name others", async () => {
  const { etag } = await grant("rita", ["ROLE_ADMIN"]);
  const refused = await call(admin, deleteStaffGrant, { username: "rita", etag });
  expect(refused).toMatchObject({ code: "failed_precondition" });
  expect(await grant("rita", ["ROLE_ADMIN"], { organisations: ["Uni"], etag })).toMatchObject({
    code: "failed_precondition",
  });
  expect(await grant("rita", ["ROLE_VIEWER"], { etag })).toMatchObject({ code: "failed_precondition" });

  const other = await grant("ada", ["ROLE_ADMIN"]);
  const both = await Promise.all([
    call(admin, deleteStaffGrant, { username: "rita", etag }),
    call(admin, deleteStaffGrant, { username: "ada", etag: other.etag }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  const [left] = (await call(admin, listStaffGrants, {})).grants;
  expect(
    (await call(admin, deleteStaffGrant, { username: left.username, etag: left.etag }, withClaim)).status,
  ).toBe(200);
});

test("roles of the identity provider override granted ones", async () => {
  await grant("rita", ["ROLE_ADMIN"]);
  provider.claims = { sub: "42", preferred_username: "rita", roles: ["viewer"] };
  const { cookie } = await signInWithProvider(withClaim);
  expect((await whoIs(cookie, withClaim)).roles).toEqual(["ROLE_VIEWER"]);
  provider.claims = { sub: "42", preferred_username: "rita", roles: ["student"] };
  const granted = await signInWithProvider(withClaim);
  expect((await whoIs(granted.cookie, withClaim)).roles).toContain("ROLE_ADMIN");
});
