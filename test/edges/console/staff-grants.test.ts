import { randomUUID } from "node:crypto";
import type { DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { CallerService } from "#gen/learning_credentials/v1/caller_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { startTestService, type TestService, tokenOf } from "../../support/service.js";
import { callAtConsole, signInWithProvider as consentAt, signIn } from "./console-session.js";
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
/** Cookie of an administrator with a sign-in link from the command line. */
let admin: string;
/** Errors that the service has logged. */
const lines: string[] = [];

beforeAll(async () => {
  provider = await startIdentityProvider();
  const settings = {
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
    OIDC_ISSUER: provider.url,
  };
  service = await startTestService({
    settings,
    log: pino({ level: "error" }, { write: (line) => void lines.push(line) }),
  });
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
  lines.length = 0;
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

const signInWithProvider = (at = service) => consentAt(at, provider);

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
  // Outcomes are recorded after the response.
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

test("a renamed person keeps a used grant and signs in again; an unused one is gone", async () => {
  const platform = service.client(LearnerRecordService, await tokenOf({ username: "lms", service: "write" }));
  await platform.upsertRecords({
    records: ["rita", "ulla"].map((username) => ({
      kind: { case: "learner", value: { username, fullName: username } },
    })),
  });
  await grant("rita", ["ROLE_REGISTRAR"]);
  await grant("ulla", ["ROLE_ADMIN"]);
  await grant("ida", ["ROLE_ADMIN"]);
  const { cookie } = await signInWithProvider();
  const { refused } = await platform.renameLearners({
    renames: [
      { username: "rita", newUsername: "rita.new" },
      { username: "ulla", newUsername: "mallory" },
    ],
  });
  expect(refused).toEqual([]);
  expect((await whoIs(cookie)).status).toBe(401);
  const { grants } = await call(admin, listStaffGrants, {});
  expect(grants.map(({ username }: { username: string }) => username)).toEqual(["ida", "rita.new"]);
  // Another account can't take over the grant, but the same account can.
  provider.claims = { sub: "43", preferred_username: "rita.new" };
  expect((await signInWithProvider()).status).toBe(403);
  provider.claims = { sub: "42", preferred_username: "rita.new" };
  const again = await signInWithProvider();
  expect((await whoIs(again.cookie)).roles).toContain("ROLE_REGISTRAR");
});

test("erasing a person ends the grant and its sessions, and leaves the name nowhere", async () => {
  const platform = service.client(LearnerRecordService, await tokenOf({ username: "lms", service: "write" }));
  provider.claims = { sub: "77", preferred_username: "erika" };
  await platform.upsertRecords({
    records: [{ kind: { case: "learner", value: { username: "erika", fullName: "Erika" } } }],
  });
  await grant("erika", ["ROLE_ADMIN"]);
  const { cookie } = await signInWithProvider();
  await grant("paul", ["ROLE_VIEWER"], {}, cookie);
  await platform.eraseLearner({ username: "erika" });
  expect((await whoIs(cookie)).status).toBe(401);
  const list = await call(admin, listStaffGrants, {});
  expect(list.grants).toEqual([
    expect.objectContaining({ username: "paul", grantedBy: expect.stringMatching(/^erased-/) }),
  ]);
  await expect
    .poll(async () => JSON.stringify(await call(admin, listAuditEntries, {})))
    .not.toContain("erika");
});

test.each<[string, (platform: Client<typeof LearnerRecordService>, username: string) => Promise<unknown>]>([
  ["erased", (platform, username) => platform.eraseLearner({ username })],
  [
    "renamed before using the grant",
    (platform, username) =>
      platform.renameLearners({ renames: [{ username, newUsername: `${username}.new` }] }),
  ],
])("an error is logged when the last administrator is %s, and names nobody", async (_, remove) => {
  const platform = service.client(LearnerRecordService, await tokenOf({ username: "lms", service: "write" }));
  const names = ["wanda", "xenia"].map((name) => `${name}-${randomUUID()}`);
  await platform.upsertRecords({
    records: names.map((username) => ({
      kind: { case: "learner", value: { username, fullName: username } },
    })),
  });
  for (const name of names) await grant(name, ["ROLE_ADMIN"]);
  const [first = "", last = ""] = names;
  await remove(platform, first);
  expect(lines).toEqual([]);
  await remove(platform, last);
  expect(lines).toEqual([expect.stringContaining("console <username> --role admin")]);
  expect(lines.join()).not.toContain(last);
});

test("sessions say whether their roles are granted", async () => {
  await grant("rita", ["ROLE_VIEWER"]);
  await signInWithProvider();
  provider.claims = { sub: "9", preferred_username: "paul", is_staff: true };
  await signInWithProvider();
  const { sessions } = await call(admin, listSessions, {});
  const isGranted = (name: string) =>
    sessions.find(({ username }: { username: string }) => username === name).isGranted ?? false;
  expect([isGranted("rita"), isGranted("paul"), isGranted("root")]).toEqual([true, false, false]);
});

test("the last administrator stays, unless the provider can name others", async () => {
  const { etag } = await grant("rita", ["ROLE_ADMIN"]);
  const refused = await call(admin, deleteStaffGrant, { username: "rita", etag });
  expect(refused).toMatchObject({ code: "failed_precondition" });
  expect(JSON.stringify(refused)).toContain("LAST_ADMIN");
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
