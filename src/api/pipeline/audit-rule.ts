import { type DescMethod, getOption, hasOption, type Message } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import {
  Access,
  type Audit,
  access,
  audit,
  ChangeKind,
  self_unless_staff,
} from "#gen/learning_credentials/options/v1/options_pb.js";
import type { AuditObjects } from "#infrastructure/audit/audit-entry.js";
import { type Caller, isStaff } from "#infrastructure/identity/caller.js";
import { reader, valueIn } from "./named-values.js";
import { namesNothing } from "./recording.js";

/** Determines what the audit trail records about calls of a method, as declared in its .proto file. */
export interface AuditRule {
  /** True for methods that may change something or take long. Their calls are recorded before the handler runs. */
  readonly isEnteredBefore: boolean;
  /** Whether identical calls in quick succession are recorded as one. */
  readonly isRepeated: boolean;
  /** Returns the objects that the request is about; undefined if the call is not recorded. */
  objectsOf(caller: Caller, request: Message): AuditObjects | undefined;
}

/** Kinds of objects, in the order in which audit entries list them. */
const kinds = {
  credential: "credential",
  verification: "verification",
  configuration: "configuration",
  credentialType: "type",
  learningContext: "context",
  asset: "asset",
  run: "run",
  webhook: "webhook",
  platform: "platform",
  connector: "connector",
  setting: "setting",
  organisation: "organisation",
} as const satisfies Partial<Record<keyof Audit, string>>;

/**
 * Reads the audit rule of a method from its options.
 * @returns undefined if calls of the method are not recorded
 * @throws Error if a required rule is missing, or if the rule names a field that the request doesn't have
 */
export function auditRule(method: DescMethod): AuditRule | undefined {
  const name = `${method.parent.typeName}/${method.name}`;
  const mayChange = method.idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
  const isForStaff = [Access.STAFF, Access.SERVICE].includes(getOption(method, access));
  if (!hasOption(method, audit)) {
    if (!mayChange && !isForStaff) return undefined;
    throw new Error(
      `${name} declares no audit: give it the option (learning_credentials.options.v1.audit), or make it NO_SIDE_EFFECTS`,
    );
  }
  const declared = getOption(method, audit);
  const { notAboutLearners } = declared;
  if (mayChange && notAboutLearners)
    throw new Error(`${name} may have side effects, so its audit can't be "not_about_learners"`);
  if (mayChange && declared.repeatedWhileTyping)
    throw new Error(`${name} may have side effects, so its audit can't be "repeated_while_typing"`);
  if (mayChange !== (declared.change !== ChangeKind.UNSPECIFIED))
    throw new Error(
      mayChange
        ? `${name} may have side effects: state the kind of change in its audit, such as {change: CHANGE_KIND_CREATED}`
        : `${name} is NO_SIDE_EFFECTS, so its audit can't have a change`,
    );
  const learnersOf = reader(method, "audit", declared.learner);
  const others = Object.entries(kinds).map(
    ([field, kind]) => [kind, reader(method, "audit", declared[field as keyof typeof kinds])] as const,
  );
  const isOwn = aboutCallerAlone(method);
  return {
    isEnteredBefore: mayChange || method.methodKind === "server_streaming",
    isRepeated: declared.repeatedWhileTyping,
    objectsOf(caller, request) {
      if (!mayChange && (!isStaff(caller) || isOwn(caller, request))) return undefined;
      const objects = {
        learners: learnersOf(request),
        others: others.flatMap(([kind, valuesOf]) => valuesOf(request).map((value) => `${kind}:${value}`)),
      };
      return notAboutLearners && namesNothing(objects) ? undefined : objects;
    },
  };
}

/** Returns a function that checks whether a request names nobody except the caller. */
function aboutCallerAlone(method: DescMethod): (caller: Caller, request: Message) => boolean {
  const fields = method.input.fields.filter((field) => getOption(field, self_unless_staff));
  if (fields.length === 0) return () => false;
  return (caller, request) =>
    caller.kind !== "anonymous" &&
    fields.every(({ localName }) => ["", caller.username].includes(valueIn(request, localName) as string));
}
