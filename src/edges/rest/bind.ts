import { create, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { invalid, type Problem } from "../../errors.js";
import type { Bound } from "../../pipeline/inbound.js";
import { decodePercent } from "../http/percent.js";
import { type ScalarText, scalarText } from "./scalar-text.js";
import type { Variable } from "./template.js";

/**
 * Makes the request of a call from its URL: from the segments of the path, and the query without its question mark, both
 * still encoded. The first problem found is reported; what could be read is in the request all the same, so that "admin
 * or self" sees the learner who was named.
 */
export type Bind = (segments: readonly string[], query: string) => Bound;

/** A field of the request, and how to read it from text. */
interface Target {
  readonly field: DescField;
  readonly text: ScalarText;
}

/** A request that is being filled in. */
type Fields = Record<string, unknown>;

/**
 * Compiles the binding of a request. What the path does not bind can be given in the query, under its name in the .proto:
 * once; an empty value counts as absent; unknown parameters, and the path's own fields, are ignored. As in forms, `+` in
 * the query is a space: a plus sign is written `%2B` there.
 * @throws Error when a variable names no field or one that is taken, or a field can't be read from text
 */
export function createBind(input: DescMessage, variables: readonly Variable[]): Bind {
  const fields = new Map(input.fields.map((field) => [field.name, field]));
  const inPath = variables.map((variable) => ({
    ...variable,
    target: toTarget(takeField(input, fields, variable)),
  }));
  const inQuery = new Map([...fields].map(([name, field]) => [name, toTarget(field)]));

  return (segments, query) => {
    const request = create(input);
    let problem: Problem | undefined;
    for (const { start, end, target } of inPath) {
      const found = assign(request as unknown as Fields, target, pathText(segments, start, end));
      problem ??= found;
    }
    if (query !== "") {
      const found = bindQuery(request as unknown as Fields, inQuery, query);
      problem ??= found;
    }
    return { request, problem };
  };
}

/** Takes the field of a variable out of those that are not bound yet. */
function takeField(input: DescMessage, fields: Map<string, DescField>, { fieldPath }: Variable): DescField {
  if (fieldPath.includes(".")) {
    throw new Error(`variable "${fieldPath}": only fields of the request itself can be bound`);
  }
  const field = fields.get(fieldPath);
  if (fields.delete(fieldPath) && field) return field;
  const repeated = input.fields.some(({ name }) => name === fieldPath);
  throw new Error(
    `variable "${fieldPath}": ${repeated ? "it is bound twice" : `${input.typeName} has no such field`}`,
  );
}

function toTarget(field: DescField): Target {
  return { field, text: scalarText(field) };
}

function assign(request: Fields, { field, text }: Target, given: string): Problem | undefined {
  const value = text.parse(given);
  if (value === undefined) return invalid(`${field.name}: "${given}" is not ${text.expected}.`);
  request[field.localName] = value;
  return undefined;
}

/** The text of a variable. A segment that is not validly encoded stands for itself: the field's own check refuses it. */
function pathText(segments: readonly string[], start: number, end: number | undefined): string {
  if (end === start + 1) return decodeSegment(segments[start] ?? "");
  return segments.slice(start, end).map(decodeAllButSlash).join("/");
}

function decodeSegment(segment: string): string {
  return decodePercent(segment) ?? segment;
}

/** In a variable of several segments an escaped slash stays escaped: it must not look like one between them (http.proto). */
function decodeAllButSlash(segment: string): string {
  return segment
    .split(/(%2f)/i)
    .map((part, index) => (index % 2 === 1 ? part : decodeSegment(part)))
    .join("");
}

function bindQuery(
  request: Fields,
  targets: ReadonlyMap<string, Target>,
  query: string,
): Problem | undefined {
  const bound = new Set<Target>();
  let problem: Problem | undefined;
  for (const parameter of query.split("&")) {
    const equals = parameter.indexOf("=");
    if (equals === -1 || equals === parameter.length - 1) continue;
    const target = targets.get(decodeForm(parameter.slice(0, equals)) ?? "");
    if (!target) continue;
    const found = bound.has(target)
      ? invalid(`${target.field.name}: give it once, not several times.`)
      : assignForm(request, target, parameter.slice(equals + 1));
    bound.add(target);
    problem ??= found;
  }
  return problem;
}

function assignForm(request: Fields, target: Target, encoded: string): Problem | undefined {
  const text = decodeForm(encoded);
  const problem = assign(request, target, text ?? encoded);
  return text === undefined
    ? invalid(`${target.field.name}: "${encoded}" is not valid percent-encoding.`)
    : problem;
}

/** Decodes application/x-www-form-urlencoded as URLSearchParams does, but strictly. */
function decodeForm(encoded: string): string | undefined {
  return decodePercent(encoded.replaceAll("+", " "));
}
