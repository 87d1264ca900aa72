import assert from "node:assert/strict";
import { create, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createJsonWriter } from "#edges/rest/json.js";
import { CheckConfigurationResponseSchema } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { GetCredentialMetadataResponseSchema } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { GetEligibilityResponseSchema } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { compileProtos } from "./compile-proto.js";

const OPTION = "learning_credentials.options.v1.rest_json";

const proto = compileProtos({
  json: `
    enum Plain { UNKNOWN = 0; FIRST_ONE = 1; }
    message Values {
      string text = 9; bool flag = 2; int32 small = 3; int64 large = 4; uint64 huge = 5; double ratio = 6; float single = 7;
      Plain plain = 8; optional int32 maybe = 1; google.protobuf.Timestamp at = 10; Values inner = 11;
      repeated Values list = 12; repeated double numbers = 13; repeated Plain plains = 14; int64 written = 15 [jstype = JS_STRING];
    }
    message Entry { string key = 1; Values value = 2; }
    message Entries { repeated Entry entries = 1 [(${OPTION}) = {as_object: true}]; }
    message Mapped { map<string, string> labels = 1; }
    message Chosen { oneof choice { string a = 1; } }
    message Bytes { bytes data = 1; }
    message Structured { google.protobuf.Struct any = 1; }
    message NullText { string a = 1 [(${OPTION}) = {null_when_unset: true}]; }
    message OmitText { string a = 1 [(${OPTION}) = {omit_when_empty: true}]; }
    message Both { optional string a = 1 [(${OPTION}) = {null_when_unset: true, omit_when_empty: true}]; }
    message ObjectText { string a = 1 [(${OPTION}) = {as_object: true}]; }
    message ObjectTexts { repeated string a = 1 [(${OPTION}) = {as_object: true}]; }
    message ObjectValues { repeated Values a = 1 [(${OPTION}) = {as_object: true}]; }
    message Deep { Bytes inner = 1; }`,
})("json");

const valuesSchema = proto.message("Values");
const writeValues = createJsonWriter(valuesSchema);
const valuesJson = (init: Record<string, unknown>) => writeValues(create(valuesSchema, init));

describe("the shape of the contract's responses", () => {
  test("metadata", () => {
    const message = create(GetCredentialMetadataResponseSchema, {
      userFullName: 'Ada "Countess" Lovelace 🎓',
      createTime: { seconds: 1768473000n },
      learningContextName: "Analytical\nEngines",
      status: CredentialStatus.AVAILABLE,
    });
    expect(createJsonWriter(GetCredentialMetadataResponseSchema)(message)).toBe(
      String.raw`{"user_full_name":"Ada \"Countess\" Lovelace 🎓","created":"2026-01-15T10:30:00Z",` +
        String.raw`"learning_context_name":"Analytical\nEngines","status":"available","invalidation_reason":""}`,
    );
  });

  test("configured, without configurations", () => {
    expect(createJsonWriter(CheckConfigurationResponseSchema)(create(CheckConfigurationResponseSchema))).toBe(
      '{"is_configured":false,"credential_types":[],"has_credentials":false,"credential_count":0}',
    );
  });

  test("eligibility", () => {
    const message = create(GetEligibilityResponseSchema, {
      contextKey: "course-v1:Org+Course+Run",
      credentials: [
        {
          credentialTypeId: 1,
          name: "Graded",
          isEligible: true,
          existingCredential: {
            uuid: "u",
            verifyUuid: "v",
            status: CredentialStatus.GENERATING,
            createTime: { seconds: 0n },
          },
          currentGrades: ["quiz", "10", "2", "__proto__", 'say "hi"', "total"].map((key, value) => ({
            key,
            value,
          })),
          requiredGrades: [{ key: "total", value: 66.6666666667 }],
        },
        { credentialTypeId: 2, name: "Completed", currentCompletion: 0, requiredCompletion: 0.9 },
        { steps: [{ key: "course-v1:A+B+C", value: { isEligible: true } }, { key: "course-v1:D+E+F" }] },
      ],
    });
    expect(createJsonWriter(GetEligibilityResponseSchema)(message)).toBe(
      '{"context_key":"course-v1:Org+Course+Run","credentials":[' +
        '{"credential_type_id":1,"name":"Graded","is_eligible":true,"existing_credential":{"uuid":"u","verify_uuid":"v",' +
        '"status":"generating","created":"1970-01-01T00:00:00Z","download_url":null},' +
        String.raw`"current_grades":{"quiz":0,"10":1,"2":2,"__proto__":3,"say \"hi\"":4,"total":5},` +
        '"required_grades":{"total":66.666667}},' +
        '{"credential_type_id":2,"name":"Completed","is_eligible":false,"existing_credential":null,' +
        '"current_completion":0,"required_completion":0.9},' +
        '{"credential_type_id":0,"name":"","is_eligible":false,"existing_credential":null,' +
        '"steps":{"course-v1:A+B+C":{"is_eligible":true},"course-v1:D+E+F":null}}]}',
    );
  });
});

describe("values", () => {
  test("fields keep the order of the .proto, defaults are written, and unset fields with presence are left out", () => {
    expect(valuesJson({})).toBe(
      '{"text":"","flag":false,"small":0,"large":0,"huge":0,"ratio":0,"single":0,"plain":"unknown","list":[],"numbers":[],' +
        '"plains":[],"written":0}',
    );
  });

  test.each([
    ["flag", true, "true"],
    ["small", -2147483648, "-2147483648"],
    ["large", -9223372036854775808n, "-9223372036854775808"],
    ["huge", 18446744073709551615n, "18446744073709551615"],
    ["written", "9007199254740993", "9007199254740993"],
    ["maybe", 0, "0"],
    ["plain", 1, '"first_one"'],
    ["plains", [1, 0], '["first_one","unknown"]'],
    ["numbers", [1.5, -0, 2], "[1.5,0,2]"],
    ["single", Math.fround(0.1), "0.1"],
    ["text", "\u2028\u007f</script>é🎓", '"\u2028\u007f</script>é🎓"'],
    ["text", '\u0000\b\t\n\f\r\u001f"\\', String.raw`"\u0000\b\t\n\f\r\u001f\"\\"`],
    ["text", "\ud800 alone \udc00", String.raw`"\ud800 alone \udc00"`],
    ["at", { seconds: 1768473000n }, '"2026-01-15T10:30:00Z"'],
    ["at", { seconds: -1n, nanos: 1 }, '"1969-12-31T23:59:59.000000001Z"'],
    ["at", { seconds: 0n, nanos: 120_000_000 }, '"1970-01-01T00:00:00.120Z"'],
    ["at", { seconds: 0n, nanos: 1_000 }, '"1970-01-01T00:00:00.000001Z"'],
    ["at", { seconds: 0n, nanos: 100_000_100 }, '"1970-01-01T00:00:00.100000100Z"'],
    ["at", { seconds: -62135596800n }, '"0001-01-01T00:00:00Z"'],
    ["at", { seconds: 253402300799n }, '"9999-12-31T23:59:59Z"'],
  ])("%s: %o", (field, value, expected) => {
    expect(valuesJson({ [field]: value })).toContain(`"${field}":${expected}`);
  });

  test.each([
    [0, "0"],
    [-0, "0"],
    [1, "1"],
    [60.00000000000001, "60"],
    [59.99999999999999, "60"],
    [33.333333333333336, "33.333333"],
    [0.1 + 0.2, "0.3"],
    [0.000001, "0.000001"],
    [0.0000014, "0.000001"],
    [0.0000004, "0"],
    [-0.0000004, "0"],
    [-2.5, "-2.5"],
    [1e9, "1000000000"],
    [123456789012.34567, "123456789012.34567"],
    [Number.MAX_SAFE_INTEGER, "9007199254740991"],
    [1e20, "100000000000000000000"],
    [5e-324, "0"],
  ])("the number %d is written %s", (value, expected) => {
    expect(valuesJson({ ratio: value })).toContain(`"ratio":${expected},`);
  });

  test.each([
    ["ratio", Number.NaN],
    ["ratio", Number.POSITIVE_INFINITY],
    ["numbers", [Number.NEGATIVE_INFINITY]],
    ["small", Number.NaN],
    ["plain", 7],
    ["at", { seconds: 253402300800n }],
    ["at", { seconds: 0n, nanos: 1_000_000_000 }],
  ])("%s: %o has no JSON", (field, value) => {
    expect(() => valuesJson({ [field]: value })).toThrow(RangeError);
  });

  test("a message type may contain itself", () => {
    const json = valuesJson({ text: "outer", inner: { text: "inner" }, list: [{ small: 1 }, { small: 2 }] });
    expect(JSON.parse(json)).toMatchObject({
      text: "outer",
      inner: { text: "inner" },
      list: [{ small: 1 }, { small: 2 }],
    });
  });
});

/** Rounds a number as the JSON writer does. */
const rounded = (value: number) => Math.round(value * 1e6) / 1e6 + 0;
const omitEmpty = (object: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

describe("the result of JSON.parse", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.integer({ min: 0xd7f0, max: 0xe010 }).map((c) => String.fromCharCode(c)) }),
    fc.constantFrom("__proto__", "constructor", "1", '"\\'),
  );
  /** Numbers with at most 6 decimals, whose rounding is never ambiguous. */
  const number = fc.integer({ min: -1e12, max: 1e12 }).map((micros) => rounded(micros / 1e6));
  const grades = fc.uniqueArray(fc.record({ key: text, value: number }), { selector: ({ key }) => key });
  const seconds = fc.integer({ min: -62_135_596_800, max: 253_402_300_799 });
  const entry = fc.record({
    credentialTypeId: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    name: text,
    isEligible: fc.boolean(),
    existingCredential: fc.option(
      fc.record({
        uuid: text,
        verifyUuid: text,
        status: fc.constantFrom(CredentialStatus.GENERATING, CredentialStatus.AVAILABLE),
        seconds,
        downloadUrl: fc.option(text, { nil: undefined }),
      }),
      { nil: undefined },
    ),
    currentGrades: grades,
    requiredGrades: grades,
    currentCompletion: fc.option(number, { nil: undefined }),
    steps: fc.uniqueArray(fc.record({ key: text, isEligible: fc.boolean(), currentGrades: grades }), {
      selector: ({ key }) => key,
    }),
  });
  type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never;

  const gradesModel = (list: { key: string; value: number }[]) =>
    list.length > 0 ? Object.fromEntries(list.map(({ key, value }) => [key, value])) : undefined;

  const entryModel = (value: Entry) =>
    omitEmpty({
      credential_type_id: value.credentialTypeId,
      name: value.name,
      is_eligible: value.isEligible,
      existing_credential: value.existingCredential
        ? {
            uuid: value.existingCredential.uuid,
            verify_uuid: value.existingCredential.verifyUuid,
            status:
              value.existingCredential.status === CredentialStatus.AVAILABLE ? "available" : "generating",
            created: new Date(value.existingCredential.seconds * 1000).toISOString().replace(".000Z", "Z"),
            download_url: value.existingCredential.downloadUrl ?? null,
          }
        : null,
      current_grades: gradesModel(value.currentGrades),
      required_grades: gradesModel(value.requiredGrades),
      current_completion: value.currentCompletion,
      steps:
        value.steps.length > 0
          ? Object.fromEntries(
              value.steps.map((step) => [
                step.key,
                omitEmpty({ is_eligible: step.isEligible, current_grades: gradesModel(step.currentGrades) }),
              ]),
            )
          : undefined,
    });

  const toInit = ({ existingCredential, steps, currentCompletion, ...rest }: Entry) => ({
    ...rest,
    ...(currentCompletion === undefined ? {} : { currentCompletion }),
    ...(existingCredential && { existingCredential: toExisting(existingCredential) }),
    steps: steps.map(({ key, isEligible, currentGrades }) => ({ key, value: { isEligible, currentGrades } })),
  });

  const toExisting = ({ seconds, downloadUrl, ...rest }: NonNullable<Entry["existingCredential"]>) => ({
    ...rest,
    createTime: timestampFromDate(new Date(seconds * 1000)),
    ...(downloadUrl === undefined ? {} : { downloadUrl }),
  });

  test("equals the message, also as UTF-8", () => {
    const write = createJsonWriter(GetEligibilityResponseSchema);
    fc.assert(
      fc.property(text, fc.array(entry, { maxLength: 4 }), (contextKey, entries) => {
        const message = create(GetEligibilityResponseSchema, {
          contextKey,
          credentials: entries.map(toInit),
        });
        const json = write(message);
        const model = { context_key: contextKey, credentials: entries.map(entryModel) };
        assert.deepStrictEqual(JSON.parse(json), model);
        expect(Buffer.from(json).toString()).toBe(json);
      }),
    );
  });

  test("equals any number to within half a millionth, and the text has no exponent", () => {
    fc.assert(
      fc.property(fc.double({ min: -1e15, max: 1e15, noNaN: true }), (value) => {
        const json = valuesJson({ numbers: [value] });
        const written = /"numbers":\[(.*?)\]/.exec(json)?.[1] ?? "";
        expect(written).toMatch(/^(0|-?[1-9]\d*|-?\d+\.\d{0,5}[1-9])$/);
        expect(written).not.toMatch(/^-0$/);
        expect(Math.abs(Number(written) - value)).toBeLessThanOrEqual(
          5.1e-7 + Math.abs(value) * Number.EPSILON,
        );
      }),
    );
  });
});

describe("a message type without a REST JSON form is refused when its writer is compiled", () => {
  test.each([
    ["Mapped", "field json.Mapped.labels: a map has no JSON in REST, as it has no order: use as_object"],
    ["Chosen", "field json.Chosen.a: a oneof has no JSON in REST"],
    ["Bytes", "field json.Bytes.data: bytes have no JSON in REST"],
    ["Deep", "field json.Bytes.data: bytes have no JSON in REST"],
    ["Structured", "google.protobuf.Struct has no JSON in REST"],
    ["NullText", "field json.NullText.a: null_when_unset is for fields with presence"],
    ["OmitText", "field json.OmitText.a: omit_when_empty is for lists, and for fields with presence"],
    ["Both", "field json.Both.a: omit_when_empty is for lists, and for fields with presence"],
    ["ObjectText", "field json.ObjectText.a: as_object is for lists"],
    [
      "ObjectTexts",
      "field json.ObjectTexts.a: as_object is for messages with two fields, string key and value",
    ],
    [
      "ObjectValues",
      "field json.ObjectValues.a: as_object is for messages with two fields, string key and value",
    ],
  ])("%s", (name, expected) => {
    expect(() => createJsonWriter(proto.message(name))).toThrow(expected);
  });

  test("the value of a map entry may be any message", () => {
    const write = createJsonWriter(proto.message("Entries"));
    const message = create(proto.message("Entries"), {
      entries: [{ key: "a", value: { text: "x" } }, { key: "b" }],
    });
    expect(JSON.parse(write(message))).toMatchObject({ entries: { a: { text: "x" }, b: null } });
  });
});

describe("the JSON of any message of the contract", () => {
  const outputs = [
    CheckConfigurationResponseSchema,
    GetCredentialMetadataResponseSchema,
    GetEligibilityResponseSchema,
  ];
  const number = fc.oneof(
    fc.double({ min: -1e20, max: 1e20 }),
    fc.constantFrom(-0, 1e21, 5e-324, 59.99999999999999, Number.NaN, Number.NEGATIVE_INFINITY),
  );

  /** Any value that a field of these messages can have. */
  function anyField(field: DescField, within: readonly DescMessage[]): fc.Arbitrary<unknown> {
    if (field.message) return anyInit(field.message, within);
    if (field.enum)
      return fc.oneof(fc.constantFrom(...field.enum.values.map(({ number }) => number)), fc.nat());
    if (field.scalar === ScalarType.BOOL) return fc.boolean();
    if (field.scalar === ScalarType.INT64) return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    if (field.scalar === ScalarType.INT32) return fc.integer();
    return field.scalar === ScalarType.STRING ? fc.string({ unit: "binary" }) : number;
  }

  /** @param within the messages that contain this one. A message contains itself at most once */
  function anyInit(
    desc: DescMessage,
    within: readonly DescMessage[] = [],
  ): fc.Arbitrary<Record<string, unknown>> {
    const isRecursive = ({ message }: DescField) =>
      message !== undefined && within.filter((each) => each === message).length > 1;
    const bounded = desc.fields.filter((field) => !isRecursive(field));
    const fields = bounded.map((field) => {
      const value = anyField(field, [...within, desc]);
      const own = field.fieldKind === "list" ? fc.array(value, { maxLength: 3 }) : value;
      return [field.localName, own] as const;
    });
    return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  }

  test.each(outputs)("parses back with its fields in order, or is refused: $name", (desc) => {
    const write = createJsonWriter(desc);
    fc.assert(
      fc.property(anyInit(desc), (init) => {
        let json: string;
        try {
          json = write(create(desc, init));
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
          return;
        }
        const names = Object.keys(JSON.parse(json));
        const order = desc.fields.map(({ name }) => (name === "create_time" ? "created" : name));
        expect(names).toEqual(order.filter((name) => names.includes(name)));
        const outsideTexts = json.replace(/"(?:[^"\\]|\\.)*"/g, '""');
        expect(outsideTexts).not.toMatch(/undefined|NaN|Infinity|\.\d{7}|\d[eE]-/);
      }),
      { numRuns: 300 },
    );
  });
});
