import { type DescField, type DescMethod, getOption, type Message } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { Problem } from "#foundation/errors.js";
import {
  Access,
  access,
  Role as DeclaredRole,
  other_role,
  platform_worker,
  role,
  self_unless_staff,
  write_scope,
} from "#gen/learning_credentials/options/v1/options_pb.js";
import type { NamedObjects } from "#infrastructure/identity/bounds.js";
import { type Caller, hasRole, isStaff, rolesOf, type User } from "#infrastructure/identity/caller.js";
import type { Role } from "#infrastructure/identity/roles.js";

/** Determines who may call a method, as declared in its .proto file. */
export interface AccessRule {
  readonly isPublic: boolean;
  /** @throws Problem `unauthenticated` or `permission-denied` if the caller may not call the method */
  checkLevel(caller: Caller): void;
  /** Returns the caller, with only the rights of a learner if the caller is staff without the method's role. */
  actingAs(caller: Caller): Caller;
  /** Removes the caller from the named learners if the method lets users ask about themselves. */
  withoutSelf(caller: Caller, named: NamedObjects): NamedObjects;
  /**
   * Returns the user with only the rights of a learner, if learners may call the method and the request names no other
   * learner; otherwise undefined.
   */
  actingForSelf(caller: Caller, named: NamedObjects): Caller | undefined;
  /** @throws Problem `permission-denied` if the request names a learner whose data the caller may not access */
  checkSelf(caller: Caller, request: Message): void;
}

/**
 * Reads the access rule of a method from its options.
 * @param declared overrides the access level in the options
 * @throws Error if the method declares no access level, or if staff may call the method and it declares no role
 */
export function accessRule(method: DescMethod, declared?: Access): AccessRule {
  const level = declared ?? getOption(method, access);
  const name = `${method.parent.typeName}/${method.name}`;
  if (level === Access.UNSPECIFIED) {
    throw new Error(
      `${name} declares no access: give it the option (learning_credentials.options.v1.access)`,
    );
  }
  const needed = roleNames[getOption(method, role)];
  if (needed === undefined && (level === Access.STAFF || level === Access.AUTHENTICATED)) {
    throw new Error(
      `${name} declares no role: give it the option (learning_credentials.options.v1.role), because staff may call it`,
    );
  }
  const others = getOption(method, other_role).flatMap((each) => roleNames[each] ?? []);
  const admitted = needed === undefined ? [] : [needed, ...others];
  const admitsWorkers = getOption(method, platform_worker);
  const needsWrite =
    method.idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS || getOption(method, write_scope);
  const selfFields = method.input.fields.filter((field) => getOption(field, self_unless_staff));
  return {
    isPublic: level === Access.PUBLIC,
    checkLevel: (caller) => {
      if (admitsWorkers && caller.kind === "user" && caller.isPlatformWorker) return;
      checkLevel(level, admitted, needsWrite, caller);
    },
    actingAs: (caller) =>
      level === Access.AUTHENTICATED && needed !== undefined ? withoutStaff(caller, needed) : caller,
    withoutSelf: (caller, named) => {
      if (level !== Access.AUTHENTICATED || caller.kind !== "user") return named;
      return { ...named, learners: named.learners.filter((name) => name !== caller.username) };
    },
    actingForSelf: (caller, { learners }) =>
      level === Access.AUTHENTICATED && caller.kind === "user" && learners.length === 0
        ? asLearner(caller)
        : undefined,
    checkSelf: (caller, request) => {
      for (const field of selfFields) checkSelf(field, caller, request);
    },
  };
}

const roleNames: Record<DeclaredRole, Role | undefined> = {
  [DeclaredRole.UNSPECIFIED]: undefined,
  [DeclaredRole.VIEWER]: "viewer",
  [DeclaredRole.REGISTRAR]: "registrar",
  [DeclaredRole.DESIGNER]: "designer",
  [DeclaredRole.ADMIN]: "admin",
};

function withoutStaff(caller: Caller, needed: Role): Caller {
  if (caller.kind !== "user" || !caller.isStaff || hasRole(caller, needed)) return caller;
  return asLearner(caller);
}

function asLearner(caller: User): User {
  return { ...caller, isStaff: false, roles: [], organisations: undefined };
}

function checkLevel(level: Access, admitted: readonly Role[], needsWrite: boolean, caller: Caller): void {
  if (level === Access.PUBLIC) return;
  if (caller.kind === "anonymous") {
    throw new Problem("unauthenticated", "Authentication credentials were not provided.");
  }
  if (caller.kind === "service" && needsWrite && !caller.canWrite) {
    throw new Problem(
      "permission-denied",
      "This requires a token with the scope learning_credentials:write.",
      {
        reason: "SCOPE_MISSING",
        facts: { scope: "learning_credentials:write" },
      },
    );
  }
  if (level === Access.STAFF && !isStaff(caller)) {
    throw new Problem("permission-denied", "This requires a staff user or a service token.");
  }
  if (level === Access.STAFF && !hasOneOf(caller, admitted)) {
    const roles = rolesOf(caller).join(", ");
    throw new Problem(
      "permission-denied",
      `This requires the role ${admitted.join(" or ")}; your roles are: ${roles}.`,
      {
        reason: "ROLE_MISSING",
        facts: { role: admitted[0] ?? "" },
      },
    );
  }
  if (level === Access.SERVICE) checkService(admitted, caller);
}

function checkService(admitted: readonly Role[], caller: Caller): void {
  if (caller.kind === "service" || hasOneOf(caller, admitted)) return;
  const [needed] = admitted;
  if (needed === undefined) throw new Problem("permission-denied", "This requires a service token.");
  throw new Problem(
    "permission-denied",
    `This requires a service token or the role ${admitted.join(" or ")}.`,
    {
      reason: "ROLE_MISSING",
      facts: { role: needed },
    },
  );
}

function hasOneOf(caller: Caller, roles: readonly Role[]): boolean {
  return roles.some((role) => hasRole(caller, role));
}

function checkSelf(field: DescField, caller: Caller, request: Message): void {
  if (isStaff(caller) || caller.kind === "anonymous") return;
  const named = (request as unknown as Record<string, unknown>)[field.localName];
  if (named !== "" && named !== caller.username) {
    throw new Problem("permission-denied", "Only staff can request data about other learners.");
  }
}
