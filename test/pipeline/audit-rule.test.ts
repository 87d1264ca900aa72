import type { DescService } from "@bufbuild/protobuf";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createPipeline } from "#api/pipeline/pipeline.js";
import { anonymous } from "#infrastructure/identity/caller.js";
import { compileProtos } from "../edges/rest/compile-proto.js";

const AUDIT = "option (learning_credentials.options.v1.audit)";
const READS = "option idempotency_level = NO_SIDE_EFFECTS;";

/** The access of a method, its other options, and the error at start. Undefined if the service starts. */
const cases: readonly [what: string, access: string, options: string, expected: string | undefined][] = [
  ["a write without one", "AUTHENTICATED", "", "declares no audit"],
  ["a public write without one", "PUBLIC", "", "declares no audit"],
  ["an idempotent write without one", "STAFF", "option idempotency_level = IDEMPOTENT;", "declares no audit"],
  ["a read by staff without one", "STAFF", READS, "declares no audit"],
  ["a read by services without one", "SERVICE", READS, "declares no audit"],
  [
    "a write declared as a read about no learner",
    "STAFF",
    `${AUDIT} = {change: CHANGE_KIND_CHANGED not_about_learners: true};`,
    "may have side effects",
  ],
  [
    "a write declared as repeated",
    "STAFF",
    `${AUDIT} = {change: CHANGE_KIND_CHANGED repeated_while_typing: true};`,
    "may have side effects",
  ],
  [
    "a field that does not exist",
    "STAFF",
    `${AUDIT} = {change: CHANGE_KIND_CHANGED learner: "usrname"};`,
    '"usrname", which is not a field of its request',
  ],
  [
    "half a path",
    "STAFF",
    `${AUDIT} = {change: CHANGE_KIND_CHANGED learner: "inner"};`,
    '"inner", which is not a field of its request',
  ],
  [
    "a path too long",
    "STAFF",
    `${AUDIT} = {change: CHANGE_KIND_CHANGED learner: "username.x"};`,
    '"username.x", which is not a field of its request',
  ],
  [
    "a map",
    "STAFF",
    `${AUDIT} = {change: CHANGE_KIND_CHANGED learner: "labels"};`,
    '"labels", which is not a field of its request',
  ],

  [
    "a write that doesn't say what it changes",
    "STAFF",
    `${AUDIT} = {};`,
    "state the kind of change in its audit",
  ],
  [
    "a read that says what it changes",
    "STAFF",
    `${READS} ${AUDIT} = {change: CHANGE_KIND_CREATED};`,
    "its audit can't have a change",
  ],

  ["a public read", "PUBLIC", READS, undefined],
  ["a learner's read", "AUTHENTICATED", READS, undefined],
  ["a staff read about no learner", "STAFF", `${READS} ${AUDIT} = {not_about_learners: true};`, undefined],
  ["a write about nothing", "STAFF", `${AUDIT} = {change: CHANGE_KIND_SENT};`, undefined],
  [
    "fields, lists and oneofs",
    "STAFF",
    `${AUDIT} = {change: CHANGE_KIND_CREATED learner: "username" run: "inners.names" asset: "one.names"};`,
    undefined,
  ],
];

const packageOf = (what: string) => what.replaceAll(/\W/g, "_");
const protos = compileProtos(
  Object.fromEntries(
    cases.map(([what, access, options]) => [
      packageOf(what),
      `message Inner { repeated string names = 1; }
       message Request {
         string username = 1; Inner inner = 2; repeated Inner inners = 3; map<string, string> labels = 4;
         oneof choice { Inner one = 5; }
       }
       service S {
         rpc R(Request) returns (Request) { option (learning_credentials.options.v1.access) = ACCESS_${access};
           option (learning_credentials.options.v1.role) = ROLE_VIEWER; ${options} }
       }`,
    ]),
  ),
);

function start(service: DescService) {
  const handlers = Object.fromEntries(service.methods.map(({ localName }) => [localName, () => ({})]));
  const log = pino({ level: "silent" });
  return createPipeline({ mounts: [{ service, handlers }], authenticate: () => anonymous, log });
}

test.each(cases)(
  "the service requires correct audit options to start: %s",
  (what, _access, _options, expected) => {
    const service = protos(packageOf(what)).service("S");
    if (expected === undefined) expect(start(service).services).toEqual([service]);
    else expect(() => start(service)).toThrow(new RegExp(`${packageOf(what)}\\.S/R.*${expected}`));
  },
);
