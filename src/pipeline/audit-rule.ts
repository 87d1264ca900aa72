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

/** What the audit trail enters of calls of one method, as its .proto declares it. */
export interface AuditRule {
  /** Whether a call is entered before its handler runs: it may change something, or goes on for long. */
  readonly isEnteredBefore: boolean;
  /** What the message is about; undefined where it is not to be entered. */
  objectsOf(caller: Caller, request: Message): AuditObjects | undefined;
}

/** In the order in which they are listed. */
const kinds = {
  credential: "credential",
  verification: "verification",
  configuration: "configuration",
  credentialType: "type",
  learningContext: "context",
  asset: "asset",
  run: "run",
} as const satisfies Partial<Record<keyof Audit, string>>;

/** As many things of a kind are entered of one message; methods take no more in one. */
const MAX_OBJECTS = 5_000;

/**
 * Reads the audit rule of a method from its options.
 * @returns undefined for a method whose calls are not entered
 * @throws Error when it declares none and needs one, or names a field that its request does not have
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

/** Tells whether a read is about the caller alone: the request names nobody else where it could. */
function ownness(method: DescMethod): (caller: Caller, request: Message) => boolean {
  const fields = method.input.fields.filter((field) => getOption(field, self_unless_staff));
  if (fields.length === 0) return () => false;
  return (caller, request) =>
    caller.kind !== "anonymous" &&
    fields.every(({ localName }) => ["", caller.username].includes(valueIn(request, localName) as string));
}

/** What is looked for in a message: in its fields, and in whichever field of a oneof is given. */
interface Walk {
  readonly fields: readonly Step[];
  readonly oneofs: readonly { readonly name: string; readonly cases: ReadonlyMap<string, Step> }[];
}

/** A field, and what is looked for in the messages that it holds; undefined: its value is what is looked for. */
interface Step {
  readonly name: string;
  readonly inner: Walk | undefined;
}

/** Reads the values at these paths, each once, but for those that are not given. */
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

/** One walk along several paths: a list that they have in common is gone through once. */
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
