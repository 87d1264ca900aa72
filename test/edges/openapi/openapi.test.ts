import { create, type DescMessage } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { validate } from "@hyperjump/json-schema/openapi-3-1";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeApi, operationsOf } from "#edges/openapi/document.js";
import { messageSchemas, refTo } from "#edges/openapi/schema.js";
import { createJsonWriter } from "#edges/rest/json.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import {
  CredentialService,
  GetCredentialMetadataResponseSchema,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import {
  EligibilityService,
  GetEligibilityResponseSchema,
} from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { malformedKeys, wellFormedKeys } from "../../contract/configured.js";
import { checksOf } from "../../contract/described.js";
import type { Exchange } from "../../contract/exchange.js";
import { compileProtos } from "../rest/compile-proto.js";

const services = [CredentialService, ConfigurationService, EligibilityService];
const api = describeApi(services, "https://credentials.test");
const operations = operationsOf(api).map(({ path, httpMethod, operation }) => ({
  path,
  httpMethod,
  ...operation,
}));
const checkOf = checksOf(api);

test("is valid OpenAPI 3.1, schemas included", async () => {
  const document = JSON.parse(JSON.stringify(api));
  expect(await validate("https://spec.openapis.org/oas/3.1/schema-base", document, "BASIC")).toEqual({
    valid: true,
  });
});

test.each([
  {
    path: "/api/learning_credentials/v1/metadata/{verify_uuid}/",
    operationId: "getCredentialMetadata",
    security: [],
    parameters: ["verify_uuid in path"],
    statuses: "200 301 304 404 405 414 429 500 503 504",
  },
  {
    path: "/api/learning_credentials/v1/configured/{learning_context_key}/",
    operationId: "checkConfiguration",
    security: [{ token: [] }, { tokenCookie: [], signatureCookie: [] }],
    parameters: ["learning_context_key in path"],
    statuses: "200 301 400 403 404 405 414 500 503 504",
  },
  {
    path: "/api/learning_credentials/v1/eligibility/{learning_context_key}/",
    operationId: "getEligibility",
    security: [{ token: [] }, { tokenCookie: [], signatureCookie: [] }],
    parameters: ["learning_context_key in path", "username in query", "retrieval_func in query"],
    statuses: "200 301 400 403 404 405 414 500 503 504",
  },
  {
    path: "/api/learning_credentials/v1/eligibility/{learning_context_key}/{credential_type_id}/",
    httpMethod: "POST",
    operationId: "claimCredential",
    security: [{ token: [] }, { tokenCookie: [], signatureCookie: [] }],
    parameters: ["learning_context_key in path", "credential_type_id in path", "username in query"],
    statuses: "201 308 400 403 404 405 409 413 414 500 503 504",
  },
  {
    path: "/api/learning_credentials/v1/credentials/",
    httpMethod: "GET",
    operationId: "listLearnerCredentials",
    security: [{ token: [] }, { tokenCookie: [], signatureCookie: [] }],
    parameters: ["learning_context_key in query", "username in query"],
    statuses: "200 301 400 403 404 405 414 500 503 504",
  },
])("$operationId", (expected) => {
  const operation = operations.find(({ path }) => path === expected.path);
  expect({
    ...expected,
    ...operation,
    parameters: operation?.parameters.map((parameter) => `${parameter.name} in ${parameter.in}`),
    statuses: Object.keys(operation?.responses ?? {}).join(" "),
  }).toMatchObject(expected);
  expect(operation?.parameters.map(({ required }) => required)).toEqual(
    expected.parameters.map((parameter) => parameter.endsWith("path")),
  );
});

test("there are no other routes", () => {
  expect(operations).toHaveLength(5);
});

test("everything has a description in the terms of HTTP", () => {
  const described = [
    ...operations.flatMap((operation) => [operation, ...operation.parameters]),
    ...Object.values(api.components.schemas).flatMap(({ properties }) => Object.values(properties ?? {})),
    ...api.tags,
  ];
  for (const { description = "" } of described) expect(description).toMatch(/^.{5,}\.$/s);
  expect(JSON.stringify(api)).not.toMatch(/NOT_FOUND|INVALID_ARGUMENT|FAILED_PRECONDITION|Schema\b/);
});

test("the description of username says who may send it", () => {
  const eligibility = operations.find(({ operationId }) => operationId === "getEligibility");
  const username = eligibility?.parameters.find(({ name }) => name === "username");
  expect(username?.description).toBe(
    "Learner to report on. Empty: the caller. Fails with 404 if staff name a learner without a record. " +
      "Callers who aren't staff can only pass their own.",
  );
});

describe("schemas", () => {
  test("of eligibility show the order of fields, which are optional, which can be null, and which are objects", () => {
    const { CredentialEligibility: entry, ExistingCredential: existing } = api.components.schemas;
    expect(Object.keys(entry?.properties ?? {})).toEqual([
      ...["credential_type_id", "name", "is_eligible", "existing_credential", "current_grades"],
      ...["required_grades", "current_completion", "required_completion", "steps"],
      ...["current_passed", "required_passed", "current_letter", "required_letter", "accepted_letters"],
      ...["required_steps", "requirements", "claim", "grading_scale", "grading_points"],
    ]);
    expect(entry?.required).toEqual(["credential_type_id", "name", "is_eligible", "existing_credential"]);
    expect(entry?.properties).toMatchObject({
      credential_type_id: { type: "integer" },
      existing_credential: { anyOf: [{ $ref: "#/components/schemas/ExistingCredential" }, { type: "null" }] },
      current_grades: { type: "object", additionalProperties: { type: "number" } },
      steps: { type: "object", additionalProperties: { $ref: "#/components/schemas/StepProgress" } },
      required_steps: { type: "integer" },
      requirements: { $ref: "#/components/schemas/Requirement" },
    });
    expect(existing?.properties).toMatchObject({
      uuid: { type: "string", format: "uuid" },
      status: { type: "string", enum: ["generating", "available"] },
      created: { type: "string", format: "date-time" },
      download_url: { type: ["string", "null"], format: "uri" },
    });
  });

  test("of metadata require all fields, in the order of the contract", () => {
    const schema = api.components.schemas.GetCredentialMetadataResponse;
    const names = ["user_full_name", "created", "learning_context_name", "status", "invalidation_reason"];
    expect(Object.keys(schema?.properties ?? {})).toEqual(names);
    expect(schema?.required).toEqual(names);
    expect(schema?.properties?.status?.enum).toEqual(["available", "invalidated"]);
  });

  test("accept the keys that the contract accepts", async () => {
    const configured = operations.find(({ operationId }) => operationId === "checkConfiguration");
    const check = await checkOf(configured?.parameters[0]?.schema);
    for (const exchange of wellFormedKeys) expect(check(keyIn(exchange)), exchange.name).toBe("");
    for (const exchange of malformedKeys) expect(check(keyIn(exchange)), exchange.name).not.toBe("");
  });

  test("reject every field that is not described", async () => {
    const check = await checkOf(refTo(GetCredentialMetadataResponseSchema));
    const metadata = {
      user_full_name: "Ana",
      created: "2026-11-21T15:35:47Z",
      learning_context_name: "Night Sky",
      status: "available",
      invalidation_reason: "",
    };
    expect(check(metadata)).toBe("");
    const { created: _, ...undated } = metadata;
    const wrong = [
      undated,
      { ...metadata, username: "ana" },
      { ...metadata, status: "error" },
      { ...metadata, created: "yesterday" },
      { ...metadata, user_full_name: null },
    ];
    for (const value of wrong) expect(check(value), JSON.stringify(value)).not.toBe("");
  });

  test("reject names that are not in their enum", () => {
    const proto = compileProtos({
      described: `
        enum Plain { UNKNOWN = 0; FIRST = 1; }
        message Values { Plain plain = 1 [(learning_credentials.options.v1.rest_values) = {only: "second"}]; }`,
    })("described");
    expect(() => messageSchemas(proto.message("Values"))).toThrow(
      /plain: rest_values: "second" is none of unknown, first/,
    );
  });
});

/** Returns the key in the path of an exchange. A key that can't be decoded is returned unchanged, as in the service. */
function keyIn({ path }: Exchange): string {
  const written = path.replace(/^configured\//, "").replace(/\/$/, "");
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

describe("examples", () => {
  const bodies = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      Object.values(content?.["application/json"].examples ?? {}).map(({ summary, value }) => ({
        name: `${operationId} ${status}: ${summary}`,
        schema: content?.["application/json"].schema,
        value,
      })),
    ),
  );

  test.each(bodies)("$name", async ({ schema, value }) => {
    expect((await checkOf(schema))(value)).toBe("");
  });

  test("of parameters", async () => {
    for (const { parameters } of operations) {
      for (const { schema, example } of parameters) {
        if (example !== undefined) expect((await checkOf(schema))(example)).toBe("");
      }
    }
  });

  test("exist for each status with a body", () => {
    for (const { responses } of operations) {
      for (const [status, { content }] of Object.entries(responses)) {
        expect(content === undefined, status).toBe(["301", "304", "308"].includes(status));
      }
    }
  });
});

describe("all output of the JSON writer fits the schema", () => {
  const moment = fc
    .date({
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59Z"),
      noInvalidDate: true,
    })
    .map(timestampFromDate);
  const text = fc.string({ unit: "binary" });
  const uuid = fc.uuid();
  const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 });
  const grades = fc.array(fc.record({ key: text, value: number }), { maxLength: 3 });
  const completion = {
    currentCompletion: fc.option(number, { nil: undefined }),
    requiredCompletion: fc.option(number, { nil: undefined }),
  };
  const progress = { isEligible: fc.boolean(), currentGrades: grades, requiredGrades: grades, ...completion };
  const contextKey = fc.constant("course-v1:A+B+C");

  const eligibility = fc.record({
    contextKey,
    credentials: fc.array(
      fc.record({
        credentialTypeId: fc.integer(),
        name: text,
        ...progress,
        existingCredential: fc.option(
          fc.record({
            uuid,
            verifyUuid: uuid,
            status: fc.constantFrom(CredentialStatus.GENERATING, CredentialStatus.AVAILABLE),
            createTime: moment,
            downloadUrl: fc.option(fc.webUrl(), { nil: undefined }),
          }),
          { nil: undefined },
        ),
        steps: fc.array(fc.record({ key: text, value: fc.record(progress) }), { maxLength: 3 }),
      }),
      { maxLength: 3 },
    ),
  });
  const metadata = fc.record({
    userFullName: text,
    createTime: moment,
    learningContextName: text,
    status: fc.constantFrom(CredentialStatus.AVAILABLE, CredentialStatus.INVALIDATED),
    invalidationReason: text,
  });

  test.each<[string, DescMessage, fc.Arbitrary<object>]>([
    ["eligibility", GetEligibilityResponseSchema, eligibility],
    ["metadata", GetCredentialMetadataResponseSchema, metadata],
  ])("%s", async (_, desc, arbitrary) => {
    const check = await checkOf(refTo(desc));
    const write = createJsonWriter(desc);
    fc.assert(
      fc.property(arbitrary, (fields) => {
        expect(
          check(JSON.parse(write(create(desc, withoutUndefined(fields) as Record<string, unknown>)))),
        ).toBe("");
      }),
      { numRuns: 200 },
    );
  });
});

/** Removes undefined values, because an unset field with presence is absent from the JSON. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== "object" || value === null || "$typeName" in value) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      inner === undefined ? [] : [[key, withoutUndefined(inner)]],
    ),
  );
}
