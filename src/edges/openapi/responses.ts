import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import {
  Access,
  access,
  conflict_key,
  error_key,
  type RestExample,
  rest_example,
} from "#gen/learning_credentials/options/v1/options_pb.js";
import { httpStatus } from "../http/http-status.js";
import { httpRuleOf } from "../rest/route.js";
import { type JsonSchema, refTo, refToName } from "./schema.js";

export interface ApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
  readonly content?: { readonly "application/json": Content };
}

interface Content {
  readonly schema: JsonSchema;
  readonly examples: Readonly<Record<string, ApiExample>>;
}

interface ApiExample {
  readonly summary: string;
  readonly value: unknown;
}

interface Status {
  readonly description: string | ((method: DescMethod) => string);
  header?(method: DescMethod): readonly [name: string, description: string] | undefined;
  /**
   * The message of a status with which requests are refused before the method is called; undefined if only the method
   * itself returns the status.
   */
  readonly message?: string | ((method: DescMethod) => string);
  /** Returns whether the method can return this status even if none of its examples has the status. Default: false */
  has?(method: DescMethod): boolean;
}

const always = () => true;
const isPost = (method: DescMethod) => httpRuleOf(method).httpMethod === "POST";
const allowedOn = (method: DescMethod) => (isPost(method) ? ["POST", "OPTIONS"] : ["GET", "HEAD", "OPTIONS"]);
const isPublic = (method: DescMethod) => getOption(method, access) === Access.PUBLIC;

const statuses: Readonly<Record<number, Status>> = {
  200: {
    description: "Success.",
    header: (method) =>
      isPublic(method)
        ? [
            "ETag",
            "Version of the response. Send it in `If-None-Match` to get 304 if the response hasn't changed.",
          ]
        : undefined,
  },
  201: { description: "Created." },
  301: {
    description: "Permanent redirect: the path lacks its final slash.",
    header: () => ["Location", "The same URL with the final slash."],
    has: (method) => !isPost(method),
  },
  308: {
    description: "Permanent redirect: the path lacks its final slash.",
    header: () => ["Location", "The same URL with the final slash."],
    has: isPost,
  },
  304: {
    description: "Not modified: the response still has the ETag in `If-None-Match`.",
    header: () => ["ETag", "ETag of the response."],
    has: isPublic,
  },
  [httpStatus[Code.InvalidArgument]]: {
    description: (method) =>
      "Invalid request: a key is malformed, or a query parameter is repeated." +
      (isPost(method) ? " Or a precondition is not met, which the message names." : ""),
  },
  [httpStatus[Code.Unauthenticated]]: {
    description: "The token is missing or invalid, or the caller isn't allowed to make this request.",
    message: "Authentication credentials were not provided.",
    has: (method) => !isPublic(method),
  },
  [httpStatus[Code.NotFound]]: {
    description: "It doesn't exist, or the caller has no access to it; the response doesn't say which.",
  },
  405: {
    description: (method) =>
      `Method not allowed. Use ${allowedOn(method).join(", ").replace(", OPTIONS", " or OPTIONS")}.`,
    header: () => ["Allow", "Allowed methods."],
    message: (method) =>
      `Method "${isPost(method) ? "GET" : "POST"}" is not allowed; allowed are ${allowedOn(method).join(", ")}.`,
    has: always,
  },
  [httpStatus[Code.AlreadyExists]]: { description: "It already exists." },
  413: {
    description: "The request body exceeds 1 KiB. It should be empty.",
    message: "The body has more than 1024 bytes.",
    has: isPost,
  },
  414: {
    description: "The URL exceeds 8 KiB.",
    message: "The URL is 8193 bytes long; at most 8192 are accepted.",
    has: always,
  },
  [httpStatus[Code.ResourceExhausted]]: {
    description: "Too many requests from this client.",
    header: () => ["Retry-After", "Number of seconds to wait before retrying."],
    message: "Too many requests: try again in 42 seconds.",
    has: isPublic,
  },
  [httpStatus[Code.Internal]]: {
    description: "Internal error.",
    message: "internal error",
    has: always,
  },
  [httpStatus[Code.Unavailable]]: {
    description: "The service is overloaded, or something that it depends on is unavailable. Retry later.",
    message: "The database is unavailable: try again later.",
    has: always,
  },
  [httpStatus[Code.DeadlineExceeded]]: {
    description: "The request took longer than 30 seconds. Retry later.",
    message: "The deadline of the call has passed.",
    has: always,
  },
};

/** Returns all responses of a method's route by status, in ascending order. */
export function describeResponses(method: DescMethod): Record<string, ApiResponse> {
  const examples = getOption(method, rest_example).map((example) => ({
    ...example,
    status: exampleStatusOf(example),
  }));
  const unknown = examples.find(({ status }) => !(status in statuses));
  if (unknown)
    throw new Error(`${method}: rest_example: no route of the method has the status ${unknown.status}`);
  const had = Object.entries(statuses).flatMap(([status, meaning]) => {
    const shown = examples.filter((example) => String(example.status) === status);
    return shown.length > 0 || meaning.has?.(method) ? [[status, describe(method, meaning, shown)]] : [];
  });
  return Object.fromEntries(had);
}

export function exampleStatusOf({ status }: Pick<RestExample, "status">): number {
  return status || 200;
}

function describe(
  method: DescMethod,
  { description, message, ...meaning }: Status,
  shown: readonly Pick<RestExample, "summary" | "body" | "status">[],
): ApiResponse {
  const key = errorKey(method);
  const examples = [
    ...(message === undefined
      ? []
      : [{ summary: textOf(description, method), value: { [key]: textOf(message, method) } }]),
    ...shown.map(({ summary, body }) => ({ summary, value: JSON.parse(body) as unknown })),
  ];
  const header = meaning.header?.(method);
  const [{ status } = { status: 0 }] = shown;
  const name = status === CONFLICT && conflictKey(method) ? conflictName(method) : errorName(key);
  const schema = status === 200 || status === 201 ? refTo(method.output) : refToName(name);
  return {
    description: textOf(description, method),
    ...(header && { headers: { [header[0]]: { description: header[1], schema: { type: "string" } } } }),
    ...(examples.length > 0 && { content: { "application/json": { schema, examples: numbered(examples) } } }),
  };
}

/** Returns the schema of the method's error bodies, by schema name. */
export function errorSchema(method: DescMethod): Record<string, JsonSchema> {
  const key = errorKey(method);
  const message = {
    type: "string",
    description: "What is wrong, with which value, and how to correct it.",
  };
  const description = "Why the request failed.";
  const conflict = conflictKey(method);
  return {
    [errorName(key)]: { type: "object", description, properties: { [key]: message }, required: [key] },
    ...(conflict && {
      [conflictName(method)]: {
        type: "object",
        description: "Why the request failed, and what already exists.",
        properties: {
          [key]: message,
          [conflict]: {
            type: "object",
            description: "Values that identify what already exists, as strings.",
            additionalProperties: { type: "string" },
          },
        },
        required: [key],
      },
    }),
  };
}

const CONFLICT = httpStatus[Code.AlreadyExists];

function conflictKey(method: DescMethod): string {
  return getOption(method, conflict_key);
}

function conflictName({ name }: DescMethod): string {
  return `${name}Conflict`;
}

function textOf(text: string | ((method: DescMethod) => string), method: DescMethod): string {
  return typeof text === "string" ? text : text(method);
}

function errorKey(method: DescMethod): string {
  return getOption(method, error_key) || "detail";
}

function errorName(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1);
}

function numbered(examples: readonly ApiExample[]): Record<string, ApiExample> {
  return Object.fromEntries(examples.map((example, index) => [`example-${index + 1}`, example]));
}
