import type { DescField, DescMethod, Message } from "@bufbuild/protobuf";

/** Maximum number of objects of one kind to read from a message. No method accepts more. */
const MAX_OBJECTS = 5_000;

/** The fields and oneofs of a message from which to collect values. */
interface Walk {
  readonly fields: readonly Step[];
  readonly oneofs: readonly { readonly name: string; readonly cases: ReadonlyMap<string, Step> }[];
}

/** A field and what to collect from the messages in it. Without `inner`, the value of the field itself is collected. */
interface Step {
  readonly name: string;
  readonly inner: Walk | undefined;
}

/**
 * Returns a function that reads the values at these paths. It returns each value once, and skips fields that aren't
 * set.
 * @param option the option that declares the paths, for error messages
 * @throws Error if the request doesn't have such a field
 */
export function reader(
  method: DescMethod,
  option: "audit" | "bounds",
  paths: readonly string[],
): (request: Message) => readonly string[] {
  if (paths.length === 0) return () => [];
  const walk = walkAlong(paths.map((path) => fieldsOf(method, option, path)));
  return (request) => {
    const values = new Set<string>();
    collect(request, walk, values);
    return [...values];
  };
}

/** Combines several paths into one walk, which traverses a shared list only once. */
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

function fieldsOf(method: DescMethod, option: string, path: string): DescField[] {
  let message = method.input;
  return path.split(".").map((part, index, parts) => {
    const field = message.fields.find((each) => each.name === part);
    const inner =
      field && (field.fieldKind === "list" ? field.listKind === "message" && field.message : field.message);
    const isLast = index === parts.length - 1;
    if (!field || field.fieldKind === "map" || isLast === Boolean(inner)) {
      const name = `${method.parent.typeName}/${method.name}`;
      throw new Error(`the ${option} of ${name} names "${path}", which is not a field of its request`);
    }
    if (inner) message = inner;
    return field;
  });
}

function collect(message: unknown, { fields, oneofs }: Walk, into: Set<string>): void {
  for (const { name, inner } of fields) collectFrom(valueIn(message, name), inner, into);
  for (const { name, cases } of oneofs) {
    const oneofValue = valueIn(message, name) as { readonly case?: string; readonly value?: unknown };
    const step = oneofValue.case === undefined ? undefined : cases.get(oneofValue.case);
    if (step) collectFrom(oneofValue.value, step.inner, into);
  }
}

function collectFrom(value: unknown, inner: Walk | undefined, into: Set<string>): void {
  if (Array.isArray(value)) for (const each of value) collectFrom(each, inner, into);
  else if (value === undefined || value === "" || value === 0 || into.size >= MAX_OBJECTS) return;
  else if (inner) collect(value, inner, into);
  else into.add(String(value));
}

export function valueIn(message: unknown, name: string): unknown {
  return (message as Record<string, unknown>)[name];
}
