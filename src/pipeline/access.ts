import { type DescField, type DescMethod, getOption, type Message } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { Access, access, self_unless_staff } from "../../gen/learning_credentials/options/v1/options_pb.js";
import { Problem } from "../errors.js";
import { type Caller, isStaff } from "../identity/caller.js";

/** Who may call one method, as declared in its .proto. */
export interface AccessRule {
  readonly isPublic: boolean;
  /** Throws `unauthenticated` or `permission-denied` if this kind of caller may not call the method. */
  checkLevel(caller: Caller): void;
  /** Throws `permission-denied` if the request names a learner whom the caller may not ask about. */
  checkSelf(caller: Caller, request: Message): void;
}

/**
 * Reads the access rule of a method from its options.
 * @param given overrides the options
 * @throws Error if the method declares no access
 */
export function accessRule(method: DescMethod, given?: Access): AccessRule {
  const level = given ?? getOption(method, access);
  const name = `${method.parent.typeName}/${method.name}`;
  if (level === Access.UNSPECIFIED) {
    throw new Error(
      `${name} declares no access: give it the option (learning_credentials.options.v1.access)`,
    );
  }
  const readOnly = method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
  const selfFields = method.input.fields.filter((field) => getOption(field, self_unless_staff));
  return {
    isPublic: level === Access.PUBLIC,
    checkLevel: (caller) => checkLevel(level, readOnly, caller),
    checkSelf: (caller, request) => {
      for (const field of selfFields) checkSelf(field, caller, request);
    },
  };
}

function checkLevel(level: Access, readOnly: boolean, caller: Caller): void {
  if (level === Access.PUBLIC) return;
  if (caller.kind === "anonymous") {
    throw new Problem("unauthenticated", "Authentication credentials were not provided.");
  }
  if (caller.kind === "service" && !readOnly && !caller.canWrite) {
    throw new Problem("permission-denied", "This needs a token with the scope learning_credentials:write.");
  }
  if (level === Access.STAFF && !isStaff(caller)) {
    throw new Problem("permission-denied", "This needs a staff user or a service token.");
  }
  if (level === Access.SERVICE && caller.kind !== "service") {
    throw new Problem("permission-denied", "This needs a service token.");
  }
}

function checkSelf(field: DescField, caller: Caller, request: Message): void {
  if (isStaff(caller) || caller.kind === "anonymous") return;
  const named = (request as unknown as Record<string, unknown>)[field.localName];
  if (named !== "" && named !== caller.username) {
    throw new Problem("permission-denied", "Only staff may ask about another learner.");
  }
}
