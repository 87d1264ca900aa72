import type { DescField, DescMessage, DescMethod } from "@bufbuild/protobuf";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { COURSE, givenAcademy } from "../support/academy.js";
import { processorMs } from "../support/processor-time.js";
import { tokenOf } from "../support/service.js";

/** `FUZZ_RUNS=50` runs fifty times as many cases; a failure prints its seed. */
const MORE = Number(process.env.FUZZ_RUNS ?? 1);
/** Maximum processor time of a request. Elapsed time would depend on how busy the machine is. */
const A_MOMENT_MS = 5_000;

const academy = givenAcademy();
const tokens: Record<string, string> = {};
let uuid = "";
beforeAll(async () => {
  await academy.enrol("ana", "ben");
  ({ uuid } = await academy.issue("ana"));
  tokens.staff = await tokenOf({ username: "registrar", isStaff: true });
  tokens.platform = await tokenOf({ username: "lms", service: "write" });
  tokens.learner = await tokenOf({ username: "ana" });
});

const text = fc.oneof(
  fc.constantFrom(
    "ana",
    "ben",
    "cyd",
    COURSE,
    "path-v1:Uni+P+1+a",
    "",
    "\u0000",
    "a\u0000b",
    "\ud800",
    "%",
    "'",
    "{}",
  ),
  fc.constantFrom(
    "2026-01-15T10:30:00Z",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999Z",
    "custom_options",
  ),
  fc.constantFrom(
    "learning_credentials.processors.retrieve_completions",
    "x".repeat(10_000),
    "__proto__",
    "𝒳".repeat(300),
  ),
  fc.uuid(),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const integer = fc.oneof(fc.constantFrom(0, 1, 2, 3, -1, 2 ** 31 - 1, -(2 ** 31)), fc.integer());
/** Values that JSON.parse can produce but that no field type allows. */
const odd = fc.constantFrom<unknown>(
  null,
  true,
  "NaN",
  "Infinity",
  1.5,
  1e300,
  [],
  {},
  [[]],
  "9223372036854775807",
);

/** Returns the JSON of a value for the field. The value nearly always has the field's type. */
function anyField(field: DescField, depth: number): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 20, arbitrary: anyValue(field, depth) }, odd);
}

function anyValue(field: DescField, depth: number): fc.Arbitrary<unknown> {
  if (field.message) return anyMessage(field.message, depth + 1);
  if (field.enum) return fc.oneof(fc.constantFrom(...field.enum.values.map(({ name }) => name)), integer);
  switch (field.scalar?.valueOf()) {
    case 8: // bool
      return fc.boolean();
    case 9: // string
      return field.name.endsWith("uuid")
        ? fc.oneof(
            fc.constant(null).map(() => uuid),
            text,
          )
        : text;
    case 12: // bytes
      return fc.oneof(fc.base64String(), text);
    case 1: // double
      return fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom("NaN", "-Infinity", 0, 1),
      );
    default:
      return integer;
  }
}

function anyMessage(desc: DescMessage, depth = 0): fc.Arbitrary<unknown> {
  switch (desc.typeName) {
    case "google.protobuf.Timestamp":
    case "google.protobuf.Duration":
    case "google.protobuf.FieldMask":
      return text;
    case "google.protobuf.Struct":
      return fc.oneof(
        fc.dictionary(text, fc.jsonValue(), { maxKeys: 3 }),
        fc.constant({ required_grades: { Exam: 0.5 } }),
      );
  }
  if (depth > 4) return fc.constant({});
  const fields = desc.fields.map((field) => {
    const value = anyField(field, depth);
    return [field.jsonName, field.fieldKind === "list" ? fc.array(value, { maxLength: 3 }) : value] as const;
  });
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
}

const methods = [ConfigurationService, CredentialService, EligibilityService, LearnerRecordService].flatMap(
  (service) => service.methods.filter(({ methodKind }) => methodKind === "unary"),
);
const refusals = [
  "invalid_argument",
  "not_found",
  "already_exists",
  "aborted",
  "failed_precondition",
  "permission_denied",
  "unauthenticated",
];

async function post(
  { parent, name }: DescMethod,
  body: string,
  caller: string,
): Promise<{ status: number; answer: unknown }> {
  const response = await fetch(`${academy.service.httpUrl}/${parent.typeName}/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${tokens[caller]}` },
    body,
  });
  return { status: response.status, answer: await response.json() };
}

test.each(methods.map((method) => [`${method.parent.name}.${method.name}`, method] as const))(
  "%s answers any request, or says what is wrong with it",
  { timeout: 60_000 * MORE },
  async (_, method) => {
    await fc.assert(
      fc.asyncProperty(
        anyMessage(method.input),
        fc.constantFrom("staff", "platform", "learner"),
        async (request, caller) => {
          const begun = process.cpuUsage();
          const { status, answer } = await post(method, JSON.stringify(request), caller);
          expect(processorMs(begun)).toBeLessThan(A_MOMENT_MS);
          if (status === 200) return;
          const { code, message } = answer as { code: string; message: string };
          expect(refusals, message).toContain(code);
          expect(message).toMatch(/^.{10,2000}$/s);
        },
      ),
      { numRuns: 25 * MORE },
    );
  },
);
