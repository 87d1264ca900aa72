import type { JsonObject } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { fieldOfError } from "#console/editing/field-of-error.js";
import {
  BOTH,
  COMPLETIONS,
  COURSE,
  GRADES,
  givenConfigurator,
  invalid,
  newName,
  PATH,
  PDF,
  refusal,
} from "./configurator.js";

const api = givenConfigurator();

describe("options", () => {
  /** In each case, a type has these options, which the named function accepts or refuses. */
  it.each<[string, string, JsonObject, RegExp]>([
    [
      "an unknown option",
      GRADES,
      { required_grade: {} },
      /^custom_options\.required_grade is not an option of .*Known: accent_color, .*required_grades, .*steps/,
    ],
    [
      "an option of another function",
      GRADES,
      { required_completion: 1 },
      /^custom_options\.required_completion is not an option/,
    ],
    ["an option with an empty name", GRADES, { "": 1 }, /^custom_options\. is not an option/],
    [
      "a name that every object has",
      GRADES,
      { constructor: 1 },
      /^custom_options\.constructor is not an option/,
    ],
    ["an unknown option inside one", GRADES, { page: { sise: "A4" } }, /^custom_options\.page: .*"sise"/],
    [
      "a slug that no asset has",
      GRADES,
      { logo: "Nordhafen.Logo" },
      /^custom_options\.logo: must be the slug/,
    ],
    [
      "no grades",
      GRADES,
      { required_grades: {} },
      /^custom_options\.required_grades: must name at least one/,
    ],
    ...["", " ", "x".repeat(256)].map((name): [string, string, JsonObject, RegExp] => [
      `a grade of the assignment type ${JSON.stringify(name)}, which no record can have`,
      GRADES,
      { required_grades: Object.fromEntries([[name, 0.5]]) },
      /^custom_options\.required_grades: names .*, which can't be an assignment type/,
    ]),
    [
      "more grades than a grading policy has",
      GRADES,
      {
        required_grades: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`Lab ${index}`, 0.5])),
      },
      /^custom_options\.required_grades: must name at most 100 grades/,
    ],
    ["grades that are a list", GRADES, { required_grades: ["Exam"] }, /^custom_options\.required_grades: /],
    ["grades that are null", GRADES, { required_grades: null }, /^custom_options\.required_grades: /],
    [
      "a grade in percent",
      GRADES,
      { required_grades: { Exam: 65 } },
      /^custom_options\.required_grades\.Exam: .*1/,
    ],
    [
      "a negative grade",
      GRADES,
      { required_grades: { Exam: -0.1 } },
      /^custom_options\.required_grades\.Exam: /,
    ],
    [
      "a grade in words",
      GRADES,
      { required_grades: { Exam: "0.65" } },
      /^custom_options\.required_grades\.Exam: .*expected number/,
    ],
    [
      "a type twice",
      GRADES,
      { required_grades: { Exam: 0.5, EXAM: 0.6 } },
      /^custom_options\.required_grades: names an assignment type twice/,
    ],
    [
      "a completion above 1",
      COMPLETIONS,
      { required_completion: 90 },
      /^custom_options\.required_completion: /,
    ],
    [
      "a colour that is none",
      GRADES,
      { accent_color: "blue" },
      /^custom_options\.accent_color: must be a colour/,
    ],
    [
      "a language without words",
      GRADES,
      { language: "tr" },
      /^language: designs have no texts in "tr", only in ar, de, en, es, fr, it, pt, uk\./,
    ],
    ["a paper that is none", GRADES, { page: { size: "A5" } }, /^custom_options\.page\.size: /],
    ["steps that are a list", GRADES, { steps: [] }, /^custom_options\.steps must be an object/],
    [
      "steps of no course",
      GRADES,
      { steps: { C1: { required_grades: { Exam: 1 } } } },
      /^custom_options\.steps: Invalid course key: "C1"/,
    ],
    [
      "steps of a path",
      GRADES,
      { steps: { [PATH]: { required_grades: { Exam: 1 } } } },
      /^custom_options\.steps: Invalid course key/,
    ],
    [
      "a step of nothing",
      GRADES,
      { steps: { [COURSE]: 1 } },
      /^custom_options\.steps\["course-v1:Uni\+C1\+2026"\] must be an object/,
    ],
    [
      "an unknown option in a step",
      GRADES,
      { steps: { [COURSE]: { required_grade: 1 } } },
      /^custom_options\.steps\["course-v1:Uni\+C1\+2026"\]\.required_grade is not an option of .*Known: required_grades, required_letter, required_passed, use_platform_total\./,
    ],
    [
      "a name in a step that every object has",
      GRADES,
      { steps: { [COURSE]: { toString: 1 } } },
      /\]\.toString is not an option/,
    ],
    [
      "a colour in a step",
      GRADES,
      { steps: { [COURSE]: { accent_color: "#000" } } },
      /\.accent_color is not an option/,
    ],
    [
      "a step without an option that has no default",
      GRADES,
      { steps: { [COURSE]: {} } },
      /\]\.required_grades: /,
    ],
    [
      "a bad grade in a step",
      GRADES,
      { steps: { [COURSE]: { required_grades: { Exam: 2 } } } },
      /\]\.required_grades\.Exam: /,
    ],
    [
      "an unknown option of 60,000 characters",
      GRADES,
      { ["x".repeat(60_000)]: 1 },
      /^custom_options\.x+… is not/,
    ],
    [
      "an unknown option that is no text for a terminal",
      GRADES,
      { "\u001b[2J\n": 1 },
      /^custom_options\.\\u\{1b\}\[2J\\u\{a\} is not/,
    ],
    [
      "a thousand bad grades",
      GRADES,
      { required_grades: Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`T${i}`, 2])) },
      /; and 996 more\. Options of/,
    ],
    [
      "64 KiB",
      GRADES,
      { required_grades: { ["x".repeat(65_536)]: 1 } },
      /^custom_options take 65\d+ bytes of JSON.*at most 65536/,
    ],
    [
      "64 KiB of letters that take more than a byte",
      GRADES,
      { required_grades: { ["数".repeat(30_000)]: 1 } },
      /^custom_options take 90\d+ bytes/,
    ],
  ])("are refused with %s", async (_, retrievalFunc, customOptions, message) => {
    expect(await refusal(api.createType(customOptions, retrievalFunc))).toEqual(invalid(message));
    const type = await api.createType({}, retrievalFunc);
    const own = await refusal(api.configure(type.id, customOptions, PATH));
    expect(own.code).toBe(Code.InvalidArgument);
  });

  it.each<[string, JsonObject, string]>([
    ["of a type", { required_grades: { Exam: 65 } }, "custom_options.required_grades.Exam"],
    ["of a step", { steps: { [COURSE]: {} } }, `custom_options.steps["${COURSE}"].required_grades`],
    ["that is unknown", { required_grade: 1 }, "custom_options"],
  ])("name the wrong option %s as the field of the request", async (_, customOptions, field) => {
    const error = await api.createType(customOptions).catch(ConnectError.from);
    expect(fieldOfError(error)).toBe(field);
  });

  it("are refused when nested too deep", async () => {
    const customOptions = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
    expect(
      await api.post("CreateCredentialType", `{"credentialType":{"customOptions":${customOptions}}}`),
    ).toMatchObject({
      code: "invalid_argument",
    });
  });

  it("lose keys named __proto__ when the message is read, without side effects", async () => {
    const customOptions =
      '{"__proto__": {"required_grades": {"Exam": 1}}, "required_grades": {"Exam": 0.5, "__proto__": 1}}';
    const name = newName();
    const body = `{"credentialType": {"name": "${name}", "retrievalFunc": "${GRADES}", "generationFunc": "${PDF}", "customOptions": ${customOptions}}}`;
    expect(await api.post("CreateCredentialType", body)).toMatchObject({
      customOptions: { required_grades: { Exam: 0.5 } },
    });
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("of a type may omit those without a default, which its configurations must then give", async () => {
    const type = await api.createType({});
    expect(await refusal(api.configure(type.id))).toEqual(
      invalid(/^custom_options\.required_grades: is missing: set it, or required_passed or required_letter/),
    );
    await api.configure(type.id, { required_grades: { Exam: 1 } });
  });

  it("of a configuration are merged deeply over those of its type before validation", async () => {
    const type = await api.createType({ required_grades: { Exam: 0.6, Total: 0.5 } });
    await api.configure(type.id, { required_grades: { Total: 0.8 } });
    await api.configure(type.id, { required_grades: { Total: null } });
    expect(await refusal(api.configure(type.id, { required_grades: { Exam: null, Total: null } }))).toEqual(
      invalid(/^custom_options\.required_grades: must name at least one/),
    );
    await api.configure(type.id, { required_grades: { exam: 0.7 } });
    expect(await refusal(api.configure(type.id, { required_grades: { exam: 0.7, Exam: 0.8 } }))).toEqual(
      invalid(/^custom_options\.required_grades: names an assignment type twice/),
    );
    expect(await refusal(api.configure(type.id, { required_grades: null }))).toEqual(
      invalid(/^custom_options\.required_grades: is missing: set it, or required_passed or required_letter/),
    );
  });

  it("must be known, even if null removes them", async () => {
    const type = await api.createType();
    expect(await refusal(api.configure(type.id, { required_grade: null }))).toEqual(
      invalid(/^custom_options\.required_grade is not an option/),
    );
  });

  it("may differ between the steps of a learning path, and the path itself then needs none", async () => {
    const type = await api.createType({});
    const steps = { [COURSE]: { required_grades: { Exam: 0.7 } } };
    const configuration = await api.configure(type.id, { steps }, "path-v1:Uni+Steps+1+a");
    expect(configuration.customOptions).toEqual({ steps });
  });

  it("of a course have no steps", async () => {
    const steps = { [COURSE]: { required_grades: { Exam: 0.7 } } };
    const type = await api.createType();
    expect(await refusal(api.configure(type.id, { steps }, COURSE))).toEqual(
      invalid("custom_options.steps is for learning paths: a course has no steps."),
    );
    const withSteps = await api.createType({ steps });
    expect(await refusal(api.configure(withSteps.id, {}, COURSE))).toEqual(
      invalid(/^custom_options\.required_grades: is missing: set it, or required_passed or required_letter/),
    );
    await api.configure(withSteps.id, { steps: null, required_grades: { Exam: 1 } }, COURSE);
  });

  it("are returned as they were given", async () => {
    const type = await api.createType({}, BOTH);
    const customOptions = {
      required_completion: 0.1 + 0.2,
      required_grades: { 数学: 1, "10": 0, "2": 0.5, toString: 0.3 },
      steps: { [COURSE]: { required_grades: { é: 1e-7 } } },
      page: { size: "LETTER" },
    };
    const { id } = await api.configure(type.id, customOptions, "path-v1:Uni+Back+1+a");
    expect((await api.staff.getCredentialConfiguration({ id })).customOptions).toEqual(customOptions);
  });
});
