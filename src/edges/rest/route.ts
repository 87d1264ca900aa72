import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { http } from "#gen/google/api/annotations_pb.js";
import { Access, access, rest_status } from "#gen/learning_credentials/options/v1/options_pb.js";
import { type Bind, createBind } from "./bind.js";
import { createConflictWriter, createErrorWriter } from "./error-body.js";
import { createJsonWriter, type WriteJson } from "./json.js";
import { parseTemplate, type Template } from "./template.js";

export interface RestRoute {
  readonly method: DescMethod;
  readonly httpMethod: HttpMethod;
  /** Value of the `Allow` header. */
  readonly allowed: readonly string[];
  readonly status: number;
  readonly isPublic: boolean;
  readonly template: Template;
  readonly bind: Bind;
  readonly writeResponse: WriteJson<object>;
  readonly writeError: WriteJson<string>;
  /** Writes an error with status 409 and the conflicting values. */
  readonly writeConflict: (message: string, facts: Readonly<Record<string, string>>) => string;
}

type HttpMethod = "GET" | "POST";

/** @throws Error that names the method if its annotation or an option of its messages is invalid or unsupported */
export function createRoute(method: DescMethod, prefix: string): RestRoute {
  try {
    return compile(method, prefix);
  } catch (error) {
    throw new Error(`${methodName(method)}: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns `package.Service/Method`. */
export function methodName(method: DescMethod): string {
  return `${method.parent.typeName}/${method.name}`;
}

/** Returns the HTTP method and path from a method's annotation. */
export function httpRuleOf(method: DescMethod): { readonly httpMethod: HttpMethod; readonly path: string } {
  const { pattern } = getOption(method, http);
  if (pattern.case !== "get" && pattern.case !== "post") {
    throw new Error(`only "get" and "post" are supported in google.api.http, not "${pattern.case}"`);
  }
  return { httpMethod: pattern.case === "get" ? "GET" : "POST", path: pattern.value };
}

function compile(method: DescMethod, prefix: string): RestRoute {
  const { body, additionalBindings } = getOption(method, http);
  if (method.methodKind !== "unary") throw new Error("only unary methods can have a REST route");
  const { httpMethod, path } = httpRuleOf(method);
  if (body !== "") throw new Error('parameters are in the URL: "body" must not be set in google.api.http');
  const isPublic = getOption(method, access) === Access.PUBLIC;
  const isFree = method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
  // A page of another site can make a browser send a GET with the user's cookies.
  if (httpMethod === "GET" && !isFree)
    throw new Error("a GET must not have side effects: declare idempotency_level = NO_SIDE_EFFECTS");
  if (httpMethod === "POST" && isFree) throw new Error("a method without side effects must be a GET");
  if (httpMethod === "POST" && isPublic)
    throw new Error("a POST can't be public, because any website could make a browser send it");
  if (additionalBindings.length > 0)
    throw new Error("additional_bindings of google.api.http are not supported");
  if (!path.startsWith(prefix)) throw new Error(`its path "${path}" must begin with ${prefix}`);
  const template = parseTemplate(path);
  return {
    method,
    httpMethod,
    allowed: httpMethod === "GET" ? ["GET", "HEAD", "OPTIONS"] : ["POST", "OPTIONS"],
    status: getOption(method, rest_status) || 200,
    isPublic,
    template,
    bind: createBind(method.input, template.variables),
    writeResponse: createJsonWriter(method.output),
    writeError: createErrorWriter(method),
    writeConflict: createConflictWriter(method),
  };
}
