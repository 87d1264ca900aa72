import type { DescService } from "@bufbuild/protobuf";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { createPipeline } from "#api/pipeline/pipeline.js";
import { createClientOf } from "#edges/http/client-address.js";
import { createCors } from "#edges/http/cors.js";
import { createRestFront } from "#edges/rest/front.js";
import { anonymous } from "#infrastructure/identity/caller.js";
import { compileProtos } from "./compile-proto.js";

const P = "/api/learning_credentials/v1";

/** The option that a method with side effects must declare. */
const AUDIT = 'option (learning_credentials.options.v1.audit) = {asset: "text" change: CHANGE_KIND_ISSUED};';

/**
 * For each mistake: its name, the methods of the service, and the error at start. The error must name the method `R`.
 */
const cases: readonly (readonly [name: string, rpcs: string, expected: string])[] = [
  [
    "an unknown field",
    rpc("R", `get: "${P}/a/{nothing}"`),
    `variable "nothing": an_unknown_field.Request has no such field`,
  ],
  ["a repeated field", rpc("R", `get: "${P}/a/{text}/{text}"`), `variable "text": it is bound twice`],
  [
    "a nested field",
    rpc("R", `get: "${P}/a/{text.inner}"`),
    `variable "text.inner": only fields of the request itself`,
  ],
  ["a list in the path", rpc("R", `get: "${P}/a/{names}"`, "Listed"), `field "names" is not scalar`],
  ["a list in the query", rpc("R", `get: "${P}/a"`, "Listed"), `field "names" is not scalar`],
  [
    "a body",
    rpc("R", `get: "${P}/a/{text}" body: "*"`),
    'parameters are in the URL: "body" must not be set in google.api.http',
  ],
  [
    "another method",
    rpc("R", `put: "${P}/a/{text}"`),
    'only "get" and "post" are supported in google.api.http, not "put"',
  ],
  [
    "a POST without side effects",
    rpc("R", `post: "${P}/a/{text}"`),
    "a method without side effects must be a GET",
  ],
  [
    "a public POST",
    rpc("R", `post: "${P}/a/{text}"`).replace("NO_SIDE_EFFECTS;", `IDEMPOTENT; ${AUDIT}`),
    "a POST can't be public, because any website could make a browser send it",
  ],
  [
    "a custom method",
    rpc("R", `custom: {kind: "LIST", path: "${P}/a"}`),
    'only "get" and "post" are supported in google.api.http, not "custom"',
  ],
  [
    "no method",
    rpc("R", 'selector: "x"'),
    'only "get" and "post" are supported in google.api.http, not "undefined"',
  ],
  [
    "additional bindings",
    rpc("R", `get: "${P}/a/{text}" additional_bindings: {get: "${P}/b/{text}"}`),
    "additional_bindings of google.api.http are not supported",
  ],
  [
    "a path outside",
    rpc("R", 'get: "/{text}"'),
    'its path "/{text}" must begin with /api/learning_credentials/',
  ],
  ["a slash at the end", rpc("R", `get: "${P}/a/"`), "expected a segment at position 31, found the end"],
  ["a bad template", rpc("R", `get: "${P}/{text"`), 'expected "}"'],
  [
    "a side effect",
    rpc("R", `get: "${P}/a/{text}"`).replace("NO_SIDE_EFFECTS;", `IDEMPOTENT; ${AUDIT}`),
    "a GET must not have side effects: declare idempotency_level = NO_SIDE_EFFECTS",
  ],
  [
    "a GET not declared free of side effects",
    rpc("R", `get: "${P}/a/{text}"`).replace("option idempotency_level = NO_SIDE_EFFECTS;", AUDIT),
    "a GET must not have side effects: declare idempotency_level = NO_SIDE_EFFECTS",
  ],
  [
    "a stream",
    rpc("R", `get: "${P}/a/{text}"`, "Request", "stream Request"),
    "only unary methods can have a REST route",
  ],
  [
    "an answer without JSON",
    rpc("R", `get: "${P}/a/{text}"`, "Request", "Mapped"),
    "a map has no JSON in REST",
  ],
  [
    "a taken path",
    rpc("Q", `get: "${P}/a/{text}"`) + rpc("R", `get: "${P}/a/*"`),
    "its path matches the same paths as that of a_taken_path.S/Q",
  ],
];

function rpc(name: string, rule: string, input = "Request", output = "Request"): string {
  return `rpc ${name}(${input}) returns (${output}) {
    option (google.api.http) = {${rule}};
    option (learning_credentials.options.v1.access) = ACCESS_PUBLIC;
    option idempotency_level = NO_SIDE_EFFECTS;
  }`;
}

const packageOf = (name: string) => name.replaceAll(" ", "_");

const protos = compileProtos(
  Object.fromEntries(
    cases.map(([name, rpcs]) => [
      packageOf(name),
      `message Request { string text = 1; }
       message Listed { repeated string names = 1; }
       message Mapped { map<string, string> labels = 1; }
       service S { ${rpcs} }`,
    ]),
  ),
);

function start(service: DescService) {
  const handlers = Object.fromEntries(service.methods.map(({ localName }) => [localName, () => ({})]));
  const log = pino({ level: "silent" });
  const pipeline = createPipeline({ mounts: [{ service, handlers }], authenticate: () => anonymous, log });
  return createRestFront({
    pipeline,
    cors: createCors([]),
    clientOf: createClientOf(0),
    publicUrl: "http://localhost",
  });
}

describe("the service does not start with", () => {
  test.each(cases)("%s", (name, _rpcs, expected) => {
    const service = protos(packageOf(name)).service("S");
    expect(() => start(service)).toThrow(`${packageOf(name)}.S/R: `);
    expect(() => start(service)).toThrow(expected);
  });
});
