import { type DescMethod, type DescService, getOption } from "@bufbuild/protobuf";
import { Access, access, rest_example } from "#gen/learning_credentials/options/v1/options_pb.js";
import { HEADER_PAYLOAD_COOKIE, SIGNATURE_COOKIE } from "#infrastructure/identity/presented-token.js";
import { restMethods } from "../rest/rest-methods.js";
import { httpRuleOf, methodName } from "../rest/route.js";
import { parseTemplate } from "../rest/template.js";
import { commentOf, describeField } from "./comment.js";
import { describeResponses, errorSchema } from "./responses.js";
import { type JsonSchema, messageSchemas, valueSchema } from "./schema.js";

export type OpenApi = ReturnType<typeof describeApi>;

/** The operations of a path. Its variables are written as in the `google.api.http` annotation. */
interface PathItem {
  readonly get?: DescribedOperation;
  readonly post?: DescribedOperation;
}

export function operationsOf({ paths }: { readonly paths: Readonly<Record<string, PathItem>> }) {
  return Object.entries(paths).flatMap(([path, { get, post }]) => [
    ...(get ? [{ path, httpMethod: "GET" as const, operation: get }] : []),
    ...(post ? [{ path, httpMethod: "POST" as const, operation: post }] : []),
  ]);
}

export type DescribedOperation = ReturnType<typeof describeOperation>;

export type Parameter = DescribedOperation["parameters"][number];

const DESCRIPTION =
  "The credentials of a course or learning path, a learner's progress towards them, and whether a credential " +
  "is genuine.\n\n" +
  "HEAD returns the same as GET, without the body. A POST request has no body. Every error response has a body " +
  "that says what is wrong. Ignore unknown fields: new ones can be added.";

const securitySchemes = {
  token: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "Token of the learning platform. `Authorization: JWT <token>` is also accepted.",
  },
  tokenCookie: {
    type: "apiKey",
    in: "cookie",
    name: HEADER_PAYLOAD_COOKIE,
    description:
      "Header and payload of the token, as the platform sets them in browsers. Ignored if `Authorization` is present. " +
      "With POST, accepted only from allowed origins and with the header `USE-JWT-COOKIE` or `X-CSRFToken`.",
  },
  signatureCookie: {
    type: "apiKey",
    in: "cookie",
    name: SIGNATURE_COOKIE,
    description: "Signature of the same token.",
  },
} as const;

/** Callers authenticate with a token, or with both cookies together. */
const SIGNED_IN = [{ token: [] }, { tokenCookie: [], signatureCookie: [] }];

/**
 * Describes the REST routes of these services. Reads their descriptors, options and comments.
 * @param publicUrl base URL of the service, without a trailing slash
 * @param compatibility as for `restMethods`
 * @throws Error that names the invalid option
 */
export function describeApi(services: readonly DescService[], publicUrl: string, compatibility?: string) {
  const methods = restMethods(services, compatibility);
  const schemas = methods.flatMap((method) => [messageSchemas(method.output), errorSchema(method)]);
  return {
    openapi: "3.1.1",
    info: { title: "Learning Credentials", version: "v1", description: DESCRIPTION },
    servers: [{ url: publicUrl }],
    tags: [...new Set(methods.map(({ parent }) => parent))].map((service) => ({
      name: service.name,
      description: commentOf(service),
    })),
    paths: Object.fromEntries(
      methods.map((method): [string, PathItem] => {
        const { httpMethod, path } = httpRuleOf(method);
        return [`${path}/`, { [httpMethod.toLowerCase()]: describeOperation(method) }];
      }),
    ),
    components: { schemas: Object.assign({}, ...schemas) as Record<string, JsonSchema>, securitySchemes },
  };
}

function describeOperation(method: DescMethod) {
  const description = commentOf(method);
  return {
    operationId: method.localName,
    tags: [method.parent.name],
    summary: method.name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " "),
    description,
    security: getOption(method, access) === Access.PUBLIC ? [] : SIGNED_IN,
    parameters: describeParameters(method),
    responses: describeResponses(method),
  };
}

/** Describes the parameters. Fields that are not in the path are query parameters. */
function describeParameters(method: DescMethod) {
  const { segments, variables } = parseTemplate(httpRuleOf(method).path);
  const shown = exampleSegments(method);
  return method.input.fields.map((field) => {
    const variable = variables.find(({ fieldPath }) => fieldPath === field.name);
    const schema = valueSchema(field);
    const text = variable && shown[variable.start];
    const example = schema.type === "integer" && text !== undefined ? Number(text) : text;
    if (variable && segments[variable.start] !== "*")
      throw new Error(`${methodName(method)}: OpenAPI has no "**"`);
    return {
      name: field.name,
      in: variable ? "path" : "query",
      required: variable !== undefined,
      description: describeField(field),
      schema,
      ...(example !== undefined && { example }),
    };
  });
}

function exampleSegments(method: DescMethod): string[] {
  const [first] = getOption(method, rest_example);
  return first ? first.url.slice(1).split("/") : [];
}
