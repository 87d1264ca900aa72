import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { CallerService } from "#gen/learning_credentials/v1/caller_service_pb.js";
import { queryRows } from "#infrastructure/db/query.js";
import { send } from "../../contract/raw-request.js";
import { hostileAnswers } from "../../lti/hostile-answers.js";
import { startTestService, type TestService } from "../../support/service.js";
import { callAtConsole } from "./console-session.js";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProvider,
  startIdentityProvider,
} from "./identity-provider.js";

vi.setConfig({ testTimeout: 120_000 });

let provider: IdentityProvider;
let service: TestService;
let openEdx: TestService;

beforeAll(async () => {
  provider = await startIdentityProvider();
  const client = { OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: CLIENT_SECRET };
  const claims = { AUTH_JWT_ROLES_CLAIM: "roles", AUTH_JWT_ORGANISATIONS_CLAIM: "orgs" };
  service = await startTestService({ settings: { ...client, ...claims, OIDC_ISSUER: provider.url } });
  openEdx = await startTestService({
    beside: service,
    settings: { ...client, ...claims, OPENEDX_URL: `${provider.url}/` },
  });
});
afterAll(async () => {
  await openEdx.stop();
  await service.stop();
  await provider.stop();
});
const RITA = { sub: "42", preferred_username: "rita", roles: ["registrar"], orgs: ["Uni"] };
beforeEach(() => {
  provider.claims = RITA;
  provider.idToken = {};
  provider.impostors.clear();
});

type Answer = Awaited<ReturnType<typeof send>>;

const get = ({ httpUrl }: TestService, target: string, cookie = "") =>
  send(httpUrl, { method: "GET", target, headers: { cookie } });

function cookieIn({ headers }: Answer, name: string): string | undefined {
  const line = (headers["set-cookie"] ?? []).find((one) => one.startsWith(`${name}=`));
  return line?.split(";")[0];
}

/**
 * Signs in until an error occurs.
 * @returns the last response
 */
async function signIn(at: TestService): Promise<Answer> {
  const begun = await get(at, "/console/sign-in");
  if (begun.status !== 303) return begun;
  const back = new URL(await provider.consent(begun.headers.location ?? ""));
  return get(at, `${back.pathname}${back.search}`, cookieIn(begun, "__Host-lc_sign_in"));
}

/** Returns who has signed in, or how the sign-in was refused. */
async function outcomeOf(at: TestService): Promise<string> {
  const answer = await signIn(at);
  const cookie = cookieIn(answer, "__Host-lc_console");
  if (cookie === undefined) return `${answer.status}`;
  const { body } = await callAtConsole(at, CallerService.method.getCaller, {}, { cookie });
  const { username, roles, organisations } = JSON.parse(body);
  return JSON.stringify([username, roles, organisations]);
}

// These tests come first, while the provider's metadata is not yet cached.
describe("whatever another server responds in place of the provider", () => {
  test.each<[string, string]>([
    ["metadata", "/.well-known/openid-configuration"],
    ["key set", "/jwks"],
    ["token", "/token"],
  ])("%s, nobody gets in", async (_, path) => {
    const all = [];
    for (const [name, answer] of hostileAnswers) {
      provider.impostors.set(path, answer);
      all.push([name, await outcomeOf(service)]);
    }
    expect(all).toEqual(hostileAnswers.map(([name]) => [name, expect.stringMatching(/^(403|503)$/)]));
  });

  test("token at Open edX, nobody gets in", async () => {
    const all = [];
    for (const [name, answer] of hostileAnswers) {
      provider.impostors.set("/oauth2/access_token/", answer);
      all.push([name, await outcomeOf(openEdx)]);
    }
    expect(all).toEqual(hostileAnswers.map(([name]) => [name, expect.stringMatching(/^(403|503)$/)]));
  });

  test("and afterwards sign-in works again", async () => {
    expect(await outcomeOf(service)).toBe('["rita",["ROLE_VIEWER","ROLE_REGISTRAR"],["Uni"]]');
    expect(await outcomeOf(openEdx)).toBe('["rita",["ROLE_VIEWER","ROLE_REGISTRAR"],["Uni"]]');
  });
});

describe("claims that no honest provider states", () => {
  const NAMES: readonly unknown[] = [
    ...["", "a\0b", "\0", "a\nb", "\u001b[2J", "\ud800", "\ufeffrita", "x".repeat(256), "lti:1:vic", "lti:"],
    ...["worker", "schedule", "command line", "connector", "sample data"],
    ...[0, 1, true, null, [], ["rita"], {}, { toString: "rita" }],
  ];
  const ROLES: readonly unknown[] = [
    ...["ADMIN", "Registrar", "registrar\0", "registrar;admin", "roles", "constructor", "__proto__", "*"],
    ...[["ADMIN"], [["admin"]], [{ role: "admin" }], { admin: true }, { 0: "admin" }, true, 1, null],
    ...[["admin\0"], ["\u202eadmin"], ["аdmin"], [" admin "], ["admin,designer"]],
  ];
  const ORGANISATIONS: readonly unknown[] = [
    ...[
      "Uni\0",
      "\0",
      "\ud800",
      "Uni\u0007",
      ["Uni\0"],
      ["*\0"],
      ["\ud800"],
      ["**"],
      [["*"]],
      { "*": true },
      true,
    ],
    ...[null, 0, "", [], ["x".repeat(100_000)], Array.from({ length: 2_000 }, (_, index) => `o${index}`)],
  ];
  const ID_TOKENS: readonly Record<string, unknown>[] = [
    ...["", "another", null, 1, [], {}].map((nonce) => ({ nonce })),
    ...["", "another", null, 1, [], ["another"], {}].map((aud) => ({ aud })),
    ...["", "https://evil.test", null, 1, []].map((iss) => ({ iss })),
    ...[0, 1, -1, "never", null, []].map((exp) => ({ exp })),
    ...["now", null, 1e12, []].map((iat) => ({ iat })),
    ...["", null, 1, []].map((sub) => ({ sub })),
    ...[{ aud: [CLIENT_ID, "another"] }, { aud: [CLIENT_ID, "another"], azp: "another" }],
  ];

  /** Returns the outcome of a sign-in for each set of claims. Expects that nobody gets more rights than Rita. */
  const tried = async (claims: readonly Record<string, unknown>[]) => {
    const all: [string, string][] = [];
    for (const changed of claims) {
      provider.claims = { ...RITA, ...changed };
      all.push([JSON.stringify(changed).slice(0, 80), await outcomeOf(service)]);
    }
    return all;
  };

  test("a missing name, or another person's, lets nobody in", async () => {
    const all = await tried(NAMES.map((name) => ({ preferred_username: name })));
    expect(all.filter(([, outcome]) => outcome !== "403")).toEqual([]);
  });

  test("invalid roles let nobody in", async () => {
    const all = await tried(ROLES.map((roles) => ({ roles })));
    const allowed = ['["rita",["ROLE_VIEWER","ROLE_DESIGNER","ROLE_ADMIN"],["Uni"]]', "403"];
    expect(all.filter(([, outcome]) => !allowed.includes(outcome))).toEqual([]);
    // Words between commas and white space are read as roles.
    expect(all.filter(([, outcome]) => outcome !== "403").map(([claims]) => claims)).toEqual([]);
  });

  test("invalid organisations give access to none, and cause no error", async () => {
    const all = await tried(ORGANISATIONS.map((orgs) => ({ orgs })));
    expect(all.filter(([, outcome]) => !/^(403|\["rita",\[[^\]]*\],(null|\[.*\])\])$/.test(outcome))).toEqual(
      [],
    );
    // Naming no organisation must not mean access to all.
    const stored = await queryRows<{ organisations: string[] | null }>(
      service.app.database.knex,
      "select organisations from console_sessions",
    );
    for (const { organisations } of stored) {
      expect(organisations).not.toBeNull();
      for (const each of organisations ?? []) expect(each).not.toMatch(/\p{Cc}|\p{Cs}|^\*$/u);
    }
  });

  test("an ID token of another sign-in lets nobody in", async () => {
    const all: [string, string][] = [];
    for (const idToken of ID_TOKENS) {
      provider.idToken = idToken;
      all.push([JSON.stringify(idToken), await outcomeOf(service)]);
    }
    expect(all.filter(([, outcome]) => outcome !== "403" && outcome !== "503")).toEqual([]);
    expect(all.length).toBeGreaterThan(30);
  });
});
