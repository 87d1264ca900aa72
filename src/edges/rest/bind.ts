import { create, type DescField, type DescMessage } from "@bufbuild/protobuf";
import type { DecodedRequest } from "#api/pipeline/inbound.js";
import { invalid, type Problem } from "#foundation/errors.js";
import { decodePercent } from "../http/percent.js";
import { type ScalarText, scalarText } from "./scalar-text.js";
import type { Variable } from "./template.js";

/**
 * Builds a request from path segments and a query, both percent-encoded. If a field is invalid, the result contains the
 * problem, and the request with all other fields. The rule that learners may ask only about
 * themselves needs these fields.
 */
export type Bind = (segments: readonly string[], query: string) => DecodedRequest;

interface Target {
  readonly field: DescField;
  readonly text: ScalarText;
}

type Fields = Record<string, unknown>;

/**
 * Compiles the binding of a request. Fields that are not in the path can be set in the query by their .proto names,
 * once each. An empty value counts as a missing parameter. Unknown parameters are ignored, and so are parameters for
 * fields in the path. In the query, `+` means a space, as in forms.
 * @throws Error if a variable names no field, or if a field is bound twice or can't be parsed from text
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

function assign(request: Fields, { field, text }: Target, valueText: string): Problem | undefined {
  const value = text.parse(valueText);
  if (value === undefined) return invalid(`${field.name}: "${valueText}" is not ${text.expected}.`);
  request[field.localName] = value;
  return undefined;
}

/**
 * Returns the text of a path variable. A segment with invalid encoding is used literally, and the field's validation
 * refuses it.
 */
function pathText(segments: readonly string[], start: number, end: number | undefined): string {
  if (end === start + 1) return decodeSegment(segments[start] ?? "");
  return segments.slice(start, end).map(decodeAllButSlash).join("/");
}

function decodeSegment(segment: string): string {
  return decodePercent(segment) ?? segment;
}

/** Decodes a segment except for escaped slashes, which would otherwise look like separators (http.proto). */
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

/** Decodes application/x-www-form-urlencoded like URLSearchParams, but refuses malformed input. */
function decodeForm(encoded: string): string | undefined {
  return decodePercent(encoded.replaceAll("+", " "));
}
