import type { DescService } from "@bufbuild/protobuf";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createPipeline } from "#api/pipeline/pipeline.js";
import { Cancellation } from "#foundation/concurrency/cancellation.js";
import { anonymous, type Caller } from "#infrastructure/identity/caller.js";
import { ROLES, type Role, STAFF_ROLES, withIncluded } from "#infrastructure/identity/roles.js";
import { compileProtos } from "../edges/rest/compile-proto.js";

const OPTION = "option (learning_credentials.options.v1.";

/** Combinations of an access and a role, and the error at start. Undefined if the service starts. */
const starts: readonly [access: string, role: string | undefined, expected: string | undefined][] = [
  ["STAFF", undefined, "declares no role"],
  ["AUTHENTICATED", undefined, "declares no role"],
  ["STAFF", "UNSPECIFIED", "declares no role"],
  ["STAFF", "DESIGNER", undefined],
  ["AUTHENTICATED", "VIEWER", undefined],
  ["SERVICE", undefined, undefined],
  ["PUBLIC", undefined, undefined],
];
const protos = compileProtos({
  starts: starts.map(([access, role], n) => serviceOf(`S${n}`, access, role)).join("\n"),
  roles: ROLES.flatMap((role) => [
    serviceOf(`Staff${role}`, "STAFF", role.toUpperCase()),
    serviceOf(`Own${role}`, "AUTHENTICATED", role.toUpperCase()),
    serviceOf(`Service${role}`, "SERVICE", role.toUpperCase()),
  ]).join("\n"),
});

function serviceOf(name: string, access: string, role: string | undefined): string {
  return `message ${name}Request {}
    service ${name} {
      rpc R(${name}Request) returns (${name}Request) {
        ${OPTION}access) = ACCESS_${access};
        ${role === undefined ? "" : `${OPTION}role) = ROLE_${role};`}
        ${OPTION}audit) = {change: CHANGE_KIND_CHANGED};
      }
    }`;
}

function start(service: DescService, caller: Caller = anonymous, seen: (caller: Caller) => void = () => {}) {
  const r = async (_: unknown, call: { caller: Caller }) => {
    seen(call.caller);
    return {};
  };
  const log = pino({ level: "silent" });
  return createPipeline({ mounts: [{ service, handlers: { r } }], authenticate: () => caller, log });
}

test.each(starts)("access %s with role %s: at start %s", (access, role, expected) => {
  const n = starts.findIndex((each) => each[0] === access && each[1] === role);
  const service = protos("starts").service(`S${n}`);
  if (expected === undefined) expect(start(service).services).toEqual([service]);
  else expect(() => start(service)).toThrow(new RegExp(`^starts\\.S${n}/R ${expected}: give it the option`));
});

/** The roles that may call a method, by the role that the method declares. */
const includes: Record<Role, readonly Role[]> = {
  viewer: ["viewer", "registrar", "designer", "admin"],
  registrar: ["registrar", "admin"],
  designer: ["designer", "admin"],
  admin: ["admin"],
};

async function call(service: DescService, caller: Caller): Promise<Caller | string> {
  let seen: Caller | undefined;
  const pipeline = start(service, caller, (each) => {
    seen = each;
  });
  const [method] = service.methods;
  if (!method) throw new Error("no method");
  const inbound = {
    credentials: {},
    cancellation: new Cancellation(),
    requestId: "1",
    client: "192.0.2.1",
    isLimited: true,
  };
  try {
    const admitted = await pipeline.admit(method, inbound);
    await admitted.unary({ request: { $typeName: method.input.typeName } });
    return seen ?? "no caller";
  } catch (error) {
    return (error as { rawMessage: string }).rawMessage;
  }
}

const staff = (...roles: Role[]): Caller => ({
  kind: "user",
  username: "rita",
  isStaff: true,
  roles: withIncluded(roles),
});

test.each(ROLES.flatMap((needed) => ROLES.map((held) => [needed, held] as const)))(
  "a method of the role %s, called by a %s",
  async (needed, held) => {
    const caller = staff(held);
    const may = includes[needed].includes(held);
    const { roles } = caller as { roles: readonly Role[] };
    expect(await call(protos("roles").service(`Staff${needed}`), caller)).toEqual(
      may ? caller : `This requires the role ${needed}; your roles are: ${roles.join(", ")}.`,
    );
    expect(await call(protos("roles").service(`Service${needed}`), caller)).toEqual(
      may ? caller : `This requires a service token or the role ${needed}.`,
    );
    const learner = { kind: "user", username: "rita", isStaff: false, roles: [] };
    expect(await call(protos("roles").service(`Own${needed}`), caller)).toEqual(may ? caller : learner);
  },
);

test("a service needs no role; a limited caller may call only methods that declare their limits", async () => {
  const service: Caller = { kind: "service", username: "lms", canWrite: true };
  const bounded: Caller = { ...service, organisations: ["Uni"] };
  for (const name of ["Staffadmin", "Ownadmin", "Serviceadmin"]) {
    expect(await call(protos("roles").service(name), service)).toBe(service);
    expect(await call(protos("roles").service(name), bounded)).toMatch(/not restricted to organisations/);
  }
});

test("roles include others, and staff without named roles have all but one", () => {
  expect(withIncluded([])).toEqual([]);
  expect(withIncluded(["designer"])).toEqual(["viewer", "designer"]);
  expect(withIncluded(["designer", "registrar", "registrar"])).toEqual(STAFF_ROLES);
  expect(withIncluded(["admin"])).toEqual(ROLES);
});
