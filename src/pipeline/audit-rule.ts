import { type DescField, type DescMethod, getOption, hasOption, type Message } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import {
  Access,
  type Audit,
  access,
  audit,
  self_unless_staff,
} from "../../gen/learning_credentials/options/v1/options_pb.js";
import type { AuditObjects } from "../audit/audit-entry.js";
import { type Caller, isStaff } from "../identity/caller.js";

/** What the audit trail records about calls of one method, as declared in its .proto. */
export interface AuditRule {
  /**
   * Whether a call is recorded before its handler runs. True if the call may change something, or may take
   * long.
   */
  readonly isEnteredBefore: boolean;
  /** The objects that the message is about; undefined if it is not recorded. */
  objectsOf(caller: Caller, request: Message): AuditObjects | undefined;
}

/** In the order in which entries list them. */
const kinds = {
  credential: "credential",
  verification: "verification",
  configuration: "configuration",
  credentialType: "type",
  learningContext: "context",
  asset: "asset",
  run: "run",
  webhook: "webhook",
} as const satisfies Partial<Record<keyof Audit, string>>;

/**
 * Maximum number of objects of one kind that are recorded per message. Methods accept no more in one message.
 */
const MAX_OBJECTS = 5_000;

/**
 * Reads the audit rule of a method from its options.
 * @returns undefined if calls of the method are not recorded
 * @throws Error if a required rule is missing, or names a field that the request does not have
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
  if (declared.notAboutLearners) {
    if (!mayChange) return undefined;
    throw new Error(`${name} may change something: its audit can't be "not_about_learners"`);
  }
  const learnersOf = reader(method, name, declared.learner);
  const others = Object.entries(kinds).map(
    ([field, kind]) => [kind, reader(method, name, declared[field as keyof typeof kinds])] as const,
  );
  const isOwn = ownness(method);
  return {
    isEnteredBefore: mayChange || method.methodKind === "server_streaming",
    objectsOf(caller, request) {
      if (!mayChange && (!isStaff(caller) || isOwn(caller, request))) return undefined;
      return {
        learners: learnersOf(request),
        others: others.flatMap(([kind, valuesOf]) => valuesOf(request).map((value) => `${kind}:${value}`)),
      };
    },
  };
}

/**
 * Returns a check whether a read is about the caller alone: no field that can name a person names somebody
 * else.
 */
function ownness(method: DescMethod): (caller: Caller, request: Message) => boolean {
  const fields = method.input.fields.filter((field) => getOption(field, self_unless_staff));
  if (fields.length === 0) return () => false;
  return (caller, request) =>
    caller.kind !== "anonymous" &&
    fields.every(({ localName }) => ["", caller.username].includes(valueIn(request, localName) as string));
}

/** What to collect from a message: from its fields, and from the given field of a oneof. */
interface Walk {
  readonly fields: readonly Step[];
  readonly oneofs: readonly { readonly name: string; readonly cases: ReadonlyMap<string, Step> }[];
}

/**
 * One field, and what to collect from the messages it holds. Without a walk, the field's own value is
 * collected.
 */
interface Step {
  readonly name: string;
  readonly inner: Walk | undefined;
}

/** Reads the values at these paths. Each value is returned once; fields that are not set are skipped. */
function reader(
  method: DescMethod,
  name: string,
  paths: readonly string[],
): (request: Message) => readonly string[] {
  if (paths.length === 0) return () => [];
  const walk = walkAlong(paths.map((path) => fieldsOf(method, name, path)));
  return (request) => {
    const values = new Set<string>();
    collect(request, walk, values);
    return [...values];
  };
}

/** Combines several paths into one walk, so that a list they share is traversed once. */
function walkAlong(paths: readonly (readonly DescField[])[]): Walk {
  const first = [...new Set(paths.flatMap(([field]) => field ?? []))];
  const stepTo = (field: DescField): Step => {
    const rests = paths.filter(([begins]) => begins === field).map(([, ...rest]) => rest);
    return {
      name: field.localName,
      inner: rests.every(({ length }) => length === 0) ? undefined : walkAlong(rests),
    };
  };
  return {
    fields: first.filter(({ oneof }) => !oneof).map(stepTo),
    oneofs: [...new Set(first.flatMap(({ oneof }) => oneof ?? []))].map((oneof) => ({
      name: oneof.localName,
      cases: new Map(
        first.filter((field) => field.oneof === oneof).map((field) => [field.localName, stepTo(field)]),
      ),
    })),
  };
}

function fieldsOf(method: DescMethod, name: string, path: string): DescField[] {
  let message = method.input;
  return path.split(".").map((part, index, parts) => {
    const field = message.fields.find((each) => each.name === part);
    const inner =
      field && (field.fieldKind === "list" ? field.listKind === "message" && field.message : field.message);
    const isLast = index === parts.length - 1;
    if (!field || field.fieldKind === "map" || isLast === Boolean(inner)) {
      throw new Error(`the audit of ${name} names "${path}": its request has no such field`);
    }
    if (inner) message = inner;
    return field;
  });
}

function collect(message: unknown, { fields, oneofs }: Walk, into: Set<string>): void {
  for (const { name, inner } of fields) collectFrom(valueIn(message, name), inner, into);
  for (const { name, cases } of oneofs) {
    const given = valueIn(message, name) as { readonly case?: string; readonly value?: unknown };
    const step = given.case === undefined ? undefined : cases.get(given.case);
    if (step) collectFrom(given.value, step.inner, into);
  }
}

function collectFrom(value: unknown, inner: Walk | undefined, into: Set<string>): void {
  if (Array.isArray(value)) for (const each of value) collectFrom(each, inner, into);
  else if (value === undefined || value === "" || value === 0 || into.size >= MAX_OBJECTS) return;
  else if (inner) collect(value, inner, into);
  else into.add(String(value));
}

function valueIn(message: unknown, name: string): unknown {
  return (message as Record<string, unknown>)[name];
}
