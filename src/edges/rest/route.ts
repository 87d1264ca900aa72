import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { http } from "#gen/google/api/annotations_pb.js";
import { Access, access } from "#gen/learning_credentials/options/v1/options_pb.js";
import { type Bind, createBind } from "./bind.js";
import { createErrorWriter } from "./error-body.js";
import { createJsonWriter, type WriteJson } from "./json.js";
import { parseTemplate, type Template } from "./template.js";

/** A compiled method with a `google.api.http` annotation. */
export interface Route {
  readonly method: DescMethod;
  /** Whether callers need no credentials. */
  readonly isPublic: boolean;
  readonly template: Template;
  readonly bind: Bind;
  readonly writeResponse: WriteJson<object>;
  readonly writeError: WriteJson<string>;
}

/**
 * Compiles the route of a method with a `google.api.http` annotation.
 * @throws Error naming the method if its annotation, or an option of its messages, is wrong or not supported
 */
export function createRoute(method: DescMethod, prefix: string): Route {
  try {
    return compile(method, prefix);
  } catch (error) {
    throw new Error(`${methodName(method)}: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns the method's name for messages: `package.Service/Method`. */
export function methodName(method: DescMethod): string {
  return `${method.parent.typeName}/${method.name}`;
}

function compile(method: DescMethod, prefix: string): Route {
  const { pattern, body, additionalBindings } = getOption(method, http);
  if (method.methodKind !== "unary") throw new Error("only unary methods can have a REST route");
  if (pattern.case !== "get")
    throw new Error(`only "get" is supported in google.api.http, not "${pattern.case}"`);
  if (body !== "") throw new Error(`a GET has no body: "body" must not be set in google.api.http`);
  // A foreign page can make a browser send a GET with its user's cookies.
  if (method.idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS)
    throw new Error("a GET may have no side effects: declare idempotency_level = NO_SIDE_EFFECTS");
  if (additionalBindings.length > 0)
    throw new Error("additional_bindings of google.api.http are not supported");
  if (!pattern.value.startsWith(prefix))
    throw new Error(`its path "${pattern.value}" must begin with ${prefix}`);
  const template = parseTemplate(pattern.value);
  return {
    method,
    isPublic: getOption(method, access) === Access.PUBLIC,
    template,
    bind: createBind(method.input, template.variables),
    writeResponse: createJsonWriter(method.output),
    writeError: createErrorWriter(method),
  };
}
