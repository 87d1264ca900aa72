import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Problem } from "#foundation/errors.js";
import type { Caller } from "#infrastructure/identity/caller.js";
import { callerOf, READ_SCOPE } from "#infrastructure/identity/claims.js";
import { STAFF_ROLES } from "#infrastructure/identity/roles.js";

const user = (username: string, isStaff = false): Caller => ({
  kind: "user",
  username,
  isStaff,
  roles: isStaff ? STAFF_ROLES : [],
});
const service = (canWrite: boolean): Caller => ({ kind: "service", username: "ada", canWrite });

describe("the caller that a token identifies", () => {
  test.each<[string, string, Caller?]>([
    ["preferred_username first", '{"preferred_username":"ada","username":"b","sub":"c"}'],
    ["then username", '{"username":"ada","sub":"c"}'],
    ["then sub", '{"sub":"ada"}'],
    [
      "with whose name it is",
      '{"preferred_username":"ada","iss":"https://lms.test","sub":"42"}',
      { kind: "user", username: "ada", isStaff: false, roles: [], issuer: "https://lms.test", subject: "42" },
    ],
    ["with nobody's, when one of the two is odd", '{"username":"ada","iss":["x"],"sub":"42"}'],
    ["with nobody's, when one is too long", `{"username":"ada","iss":"x","sub":"${"4".repeat(256)}"}`],
    ["any script", '{"sub":"Ада 😀"}', user("Ада 😀")],
    ["255 characters", `{"sub":"${"😀".repeat(255)}"}`, user("😀".repeat(255))],
    ["administrator", '{"sub":"ada","administrator":true}', user("ada", true)],
    ["is_staff", '{"sub":"ada","is_staff":true}', user("ada", true)],
    ["superuser", '{"sub":"ada","superuser":true}', user("ada", true)],
    [
      "one of three",
      '{"sub":"ada","administrator":false,"is_staff":false,"superuser":true}',
      user("ada", true),
    ],
    ['"true" is not true', '{"sub":"ada","administrator":"true","is_staff":1,"superuser":{}}'],
    ["__proto__ gives nothing", '{"sub":"ada","__proto__":{"is_staff":true,"scopes":["x"]}}'],
    ["constructor gives nothing", '{"sub":"ada","constructor":{"prototype":{"is_staff":true}}}'],
    ["a name like __proto__", '{"sub":"__proto__"}', user("__proto__")],
    ["a learner who is named like a part of the service", '{"sub":"worker"}', user("worker")],
    ["scopes of others", '{"sub":"ada","scope":"email profile","scopes":["user_id"]}'],
    ["read in scope", '{"sub":"ada","scope":"email learning_credentials:read"}', service(false)],
    ["write in scope", '{"sub":"ada","scope":"learning_credentials:write email"}', service(true)],
    ["read in scopes", '{"sub":"ada","scopes":["learning_credentials:read"]}', service(false)],
    ["write in scopes", '{"sub":"ada","scopes":["a","learning_credentials:write"]}', service(true)],
    [
      "read in one, write in the other",
      '{"sub":"ada","scope":"learning_credentials:read","scopes":["learning_credentials:write"]}',
      service(true),
    ],
    [
      "a service before staff",
      '{"sub":"ada","is_staff":true,"scope":"learning_credentials:read"}',
      service(false),
    ],
    ["only whole words", '{"sub":"ada","scope":"xlearning_credentials:write learning_credentials:writer"}'],
    ["not in another case", '{"sub":"ada","scope":"LEARNING_CREDENTIALS:WRITE"}'],
    ["words within scopes do not count", '{"sub":"ada","scopes":["email learning_credentials:write"]}'],
    ["scope as array is ignored", '{"sub":"ada","scope":["learning_credentials:write"]}'],
    ["scopes as string is ignored", '{"sub":"ada","scopes":"learning_credentials:write"}'],
    ["scopes as object is ignored", '{"sub":"ada","scopes":{"0":"learning_credentials:write"}}'],
    [
      "others among scopes are ignored",
      '{"sub":"ada","scopes":[null,1,{},[["learning_credentials:write"]]]}',
    ],
  ])("%s", (_name, claims, caller = user("ada")) => {
    expect(callerOf(JSON.parse(claims))).toEqual(caller);
  });

  test.each<[string, string]>([
    ["nobody", "{}"],
    ["empty", '{"sub":""}'],
    ["256 characters", `{"sub":"${"x".repeat(256)}"}`],
    ["a number", '{"preferred_username":42,"sub":"ada"}'],
    ["null", '{"preferred_username":null,"sub":"ada"}'],
    ["an array", '{"username":["ada"]}'],
    ["an object", '{"username":{"toString":"ada"}}'],
    ["true", '{"sub":true}'],
    ["NUL", '{"sub":"a\\u0000da"}'],
    ["line break", '{"sub":"ada\\n"}'],
    ["C1 control", '{"sub":"ada\\u0085"}'],
    ["leading byte order mark", '{"sub":"\\ufeffada"}'],
    ["lone surrogate", '{"sub":"ada\\ud83d"}'],
    ["only inherited", '{"__proto__":{"sub":"ada"}}'],
    ["staff as the service itself", '{"sub":"worker","administrator":true}'],
    ["a service as the service itself", '{"sub":"schedule","scope":"learning_credentials:read"}'],
  ])("is refused: %s", (_name, claims) => {
    expect(() => callerOf(JSON.parse(claims))).toThrow(expect.objectContaining({ kind: "unauthenticated" }));
  });

  test("any claims give a caller with a name or a refusal, and staff only by a literal true", () => {
    const names = "preferred_username username sub administrator is_staff superuser scope scopes";
    const name = fc.constantFrom(...names.split(" "));
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue()), (claims) => {
        try {
          const caller = callerOf(claims);
          expect(caller.kind).not.toBe("anonymous");
          if (caller.kind === "user" && caller.isStaff) expect(Object.values(claims)).toContain(true);
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
        }
      }),
    );
  });
});

describe("what staff may do", () => {
  const by = (claims: object) =>
    callerOf({ sub: "ada", ...claims }, { rolesClaim: "access.roles", organisationsClaim: "orgs" });

  test.each<[string, object, object]>([
    ["roles of the claim", { "access.roles": ["registrar"] }, { roles: ["viewer", "registrar"] }],
    ["roles at a path", { access: { roles: ["designer"] } }, { roles: ["viewer", "designer"] }],
    ["roles as words", { "access.roles": "designer, registrar" }, { roles: STAFF_ROLES }],
    ["admin", { "access.roles": "admin" }, { roles: ["viewer", "registrar", "designer", "admin"] }],
    ["a claim outranks the flag", { "access.roles": ["viewer"], administrator: true }, { roles: ["viewer"] }],
    ["the flag alone", { administrator: true }, { roles: STAFF_ROLES }],
    ["superuser is no admin", { superuser: true }, { roles: STAFF_ROLES }],
    ["no role", { "access.roles": [], administrator: true }, { isStaff: false, roles: [] }],
    ["unknown roles", { "access.roles": ["Viewer", "root", 1, null] }, { isStaff: false, roles: [] }],
    ["an object", { "access.roles": { admin: true } }, { isStaff: false, roles: [] }],
    ["inherited", { access: [] }, { isStaff: false, roles: [] }],
    ["organisations", { is_staff: true, orgs: ["B", "A", "B"] }, { organisations: ["A", "B"] }],
    ["all organisations", { is_staff: true, orgs: "*" }, { roles: STAFF_ROLES, organisations: undefined }],
    ["no organisation", { is_staff: true, orgs: [] }, { organisations: [] }],
    ["no claim of organisations", { is_staff: true }, { organisations: [] }],
    ["an odd claim of organisations", { is_staff: true, orgs: { A: true } }, { organisations: [] }],
    ["a learner", { orgs: ["A"] }, { isStaff: false, organisations: undefined }],
    ["a bounded service", { scope: READ_SCOPE, orgs: ["A"] }, { kind: "service", organisations: ["A"] }],
    ["a service as before", { scope: READ_SCOPE }, { kind: "service", organisations: undefined }],
  ])("%s", (_name, claims, expected) => {
    const caller = by(claims);
    const got = Object.fromEntries(
      Object.keys(expected).map((name) => [name, (caller as unknown as Record<string, unknown>)[name]]),
    );
    expect(got).toEqual(expected);
  });

  test("without settings, neither claim is read", () => {
    const claims = { sub: "ada", roles: ["admin"], organisations: ["A"], administrator: true };
    expect(callerOf(claims)).toEqual(user("ada", true));
  });
});
