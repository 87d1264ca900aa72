import type { JsonObject } from "@bufbuild/protobuf";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FunctionKind } from "../../gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "../../gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "../../gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";

const GRADES = "learning_credentials.processors.retrieve_subsection_grades";
const COMPLETIONS = "learning_credentials.processors.retrieve_completions";
const BOTH = "learning_credentials.processors.retrieve_completions_and_grades";
const PDF = "learning_credentials.generators.generate_pdf_credential";
const COURSE = "course-v1:Uni+C1+2026";
const PATH = "path-v1:Uni+P1+2026+a";

let service: TestService;
let token: string;
let staff: Client<typeof ConfigurationService>;

beforeAll(async () => {
  service = await startTestService();
  token = await tokenOf({ username: "registrar", isStaff: true });
  staff = service.client(ConfigurationService, token);
});

afterAll(() => service.stop());

let made = 0;
const newName = () => `Type ${++made}`;
const newCourse = () => `course-v1:Uni+N${++made}+2026`;

const createType = (customOptions: JsonObject = { required_grades: { Exam: 0.6 } }, retrievalFunc = GRADES) =>
  staff.createCredentialType({
    credentialType: { name: newName(), retrievalFunc, generationFunc: PDF, customOptions },
  });
const configure = (
  credentialTypeId: number,
  customOptions: JsonObject = {},
  learningContextKey = newCourse(),
) =>
  staff.createCredentialConfiguration({
    credentialConfiguration: { learningContextKey, credentialTypeId, customOptions },
  });

/** What a call was refused with; its message is never too long for a header of gRPC. */
async function refusal(call: Promise<unknown>): Promise<{ code: Code; message: string }> {
  const error = await call.then(
    (answer) => new Error(`it was accepted: ${JSON.stringify(answer)}`),
    (thrown: unknown) => thrown,
  );
  const { code, rawMessage } = ConnectError.from(error);
  expect(rawMessage.length).toBeLessThan(2000);
  return { code, message: rawMessage };
}

const invalid = (message: RegExp | string) => ({
  code: Code.InvalidArgument,
  message: typeof message === "string" ? message : expect.stringMatching(message),
});

/** A request as JSON, which may hold what a client can't send. */
async function post(method: string, body: string) {
  const response = await fetch(`${service.httpUrl}/${ConfigurationService.typeName}/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body,
  });
  return (await response.json()) as JsonObject;
}

describe("a credential type", () => {
  it("is created, read, changed and deleted", async () => {
    const customOptions = { required_grades: { Exam: 0.65, Total: 0.8 }, accent_color: "#123456" };
    const credentialType = {
      name: "Certificate of Achievement",
      retrievalFunc: GRADES,
      generationFunc: PDF,
      customOptions,
    };
    const created = await staff.createCredentialType({ credentialType });
    expect(created).toMatchObject({ ...credentialType, id: expect.any(Number) });
    expect(created.id).toBeGreaterThan(0);
    expect(await staff.getCredentialType({ id: created.id })).toEqual(created);

    const changed = await staff.updateCredentialType({ credentialType: { id: created.id, name: "Diploma" } });
    expect(changed).toEqual({ ...created, name: "Diploma" });
    expect(await staff.getCredentialType({ id: created.id })).toEqual(changed);

    await staff.deleteCredentialType({ id: created.id });
    const gone = { code: Code.NotFound, message: `There is no credential type ${created.id}.` };
    expect(await refusal(staff.getCredentialType({ id: created.id }))).toEqual(gone);
    expect(await refusal(staff.deleteCredentialType({ id: created.id }))).toEqual(gone);
    expect(
      await refusal(staff.updateCredentialType({ credentialType: { id: created.id, name: "x" } })),
    ).toEqual(gone);
  });

  it.each([
    ["no type", undefined, "credential_type is missing."],
    ["an id", { id: 7, name: "x" }, "credential_type.id is 7; the service gives the id: leave it 0."],
    ["no name", {}, "credential_type.name is empty."],
    ["a blank name", { name: " " }, "credential_type.name is blank."],
    ["a long name", { name: "😀".repeat(256) }, /name has 256 characters; at most 255/],
    ["a name of 100,000 bytes", { name: "x".repeat(100_000) }, /name has 100000 characters/],
    ["a name with NUL", { name: "a\u0000" }, /U\+0000/],
    [
      "no retrieval function",
      { name: "x" },
      /^retrieval_func is "", which is not known\. Known: .*retrieve_completions,/,
    ],
    ["a generation function to retrieve", { name: "x", retrievalFunc: PDF }, /^retrieval_func is .*Known: /],
    [
      "no generation function",
      { name: "x", retrievalFunc: GRADES },
      /^generation_func is "", .*generate_pdf_credential/,
    ],
    [
      "a function of JavaScript",
      { name: "x", retrievalFunc: "constructor" },
      /^retrieval_func is "constructor"/,
    ],
    [
      "a function of 100,000 characters",
      { name: "x", retrievalFunc: "x".repeat(100_000) },
      /^retrieval_func is "x+…"/,
    ],
  ])("is refused with %s", async (_, credentialType, message) => {
    const request = credentialType === undefined ? {} : { credentialType };
    expect(await refusal(staff.createCredentialType(request))).toEqual(invalid(message));
  });

  it("has a name of its own, also when two are created or renamed at once", async () => {
    const { id, name } = await createType();
    const taken = {
      code: Code.AlreadyExists,
      message: `There is a credential type named "${name}" already.`,
    };
    const again = { name, retrievalFunc: GRADES, generationFunc: PDF };
    expect(await refusal(staff.createCredentialType({ credentialType: again }))).toEqual(taken);
    const other = await createType();
    expect(await refusal(staff.updateCredentialType({ credentialType: { id: other.id, name } }))).toEqual(
      taken,
    );
    expect(await staff.updateCredentialType({ credentialType: { id, name } })).toMatchObject({ name });

    const contested = newName();
    const creating = Array.from({ length: 8 }, () =>
      staff.createCredentialType({ credentialType: { ...again, name: contested } }),
    );
    expect(await codes(creating)).toEqual([0, ...Array(7).fill(Code.AlreadyExists)]);

    const types = await Promise.all(Array.from({ length: 8 }, () => createType()));
    const renaming = types.map((type) =>
      staff.updateCredentialType({ credentialType: { id: type.id, name: "Everybody's name" } }),
    );
    expect(await codes(renaming)).toEqual([0, ...Array(7).fill(Code.AlreadyExists)]);

    const [left, right] = [await createType(), await createType()];
    const swapping = [
      staff.updateCredentialType({ credentialType: { id: left.id, name: right.name } }),
      staff.updateCredentialType({ credentialType: { id: right.id, name: left.name } }),
    ];
    expect(await codes(swapping)).toEqual([Code.AlreadyExists, Code.AlreadyExists]);
  });

  it("can't be deleted while a configuration uses it", async () => {
    const type = await createType();
    const configuration = await configure(type.id);
    expect(await refusal(staff.deleteCredentialType({ id: type.id }))).toEqual({
      code: Code.FailedPrecondition,
      message: expect.stringContaining(
        `Credential type ${type.id} is in use: delete its configurations first`,
      ),
    });
    await staff.deleteCredentialConfiguration({ id: configuration.id });
    await staff.deleteCredentialType({ id: type.id });
  });

  it("can't be changed so that a configuration would no longer fit", async () => {
    const type = await createType();
    const inherits = await configure(type.id);
    await configure(type.id, { required_grades: { Quiz: 0.5 } });
    const change = (credentialType: JsonObject, paths: string[]) =>
      refusal(
        staff.updateCredentialType({
          credentialType: { id: type.id, ...credentialType },
          updateMask: { paths },
        }),
      );
    const where = `With this change, configuration ${inherits.id} (${inherits.learningContextKey}) would not fit: `;
    expect(await change({}, ["custom_options"])).toEqual(
      invalid(
        `${where}custom_options.required_grades: Invalid input: expected record, received undefined. ` +
          `Options of ${GRADES}: required_grades.`,
      ),
    );
    expect(await change({ retrievalFunc: COMPLETIONS }, ["retrieval_func"])).toEqual(
      invalid(/^custom_options\.required_grades is not an option of .*retrieve_completions or /),
    );
    expect(await change({ retrievalFunc: COMPLETIONS }, ["retrieval_func", "custom_options"])).toEqual(
      invalid(
        /^With this change, configuration \d+ .* would not fit: custom_options\.required_grades is not an option/,
      ),
    );
    expect(await staff.getCredentialType({ id: type.id })).toEqual(type);
    await staff.updateCredentialType({
      credentialType: { id: type.id, retrievalFunc: BOTH },
      updateMask: { paths: ["retrieval_func"] },
    });
  });
});

describe("a field mask", () => {
  const before = { required_grades: { Exam: 0.6 } };
  const given = {
    name: "",
    retrievalFunc: BOTH,
    generationFunc: PDF,
    customOptions: { required_grades: { Quiz: 1 } },
  };

  it.each<[string, string[] | undefined, object]>([
    [
      "that is absent changes what is given",
      undefined,
      { retrievalFunc: BOTH, customOptions: given.customOptions },
    ],
    ["that is empty does, too", [], { retrievalFunc: BOTH, customOptions: given.customOptions }],
    ["changes what it names", ["retrieval_func"], { retrievalFunc: BOTH, customOptions: before }],
    [
      "may name several fields",
      ["retrieval_func", "custom_options"],
      { retrievalFunc: BOTH, customOptions: given.customOptions },
    ],
  ])("%s", async (_, paths, expected) => {
    const type = await createType(before);
    const changed = await staff.updateCredentialType({
      credentialType: { id: type.id, ...given },
      ...(paths && { updateMask: { paths } }),
    });
    expect(changed).toMatchObject({ ...type, ...expected });
  });

  it("that is absent lets empty options be", async () => {
    const type = await createType(before);
    const changed = await staff.updateCredentialType({ credentialType: { id: type.id, customOptions: {} } });
    expect(changed.customOptions).toEqual(before);
  });

  it("names options to empty them", async () => {
    const type = await createType(before);
    const changed = await staff.updateCredentialType({
      credentialType: { id: type.id },
      updateMask: { paths: ["custom_options"] },
    });
    expect(changed.customOptions).toEqual({});
  });

  it.each<[string, string[], RegExp]>([
    ["* with an empty name", ["*"], /credential_type\.name is empty/],
    ["an empty name", ["name"], /credential_type\.name is empty/],
    [
      "an unknown field",
      ["nmae"],
      /update_mask names "nmae"; it can name name, retrieval_func, generation_func, custom_options, \*\./,
    ],
    [
      "a part of the options",
      ["custom_options.required_grades"],
      /update_mask names "custom_options\.required_grades"/,
    ],
    ["the id", ["id"], /update_mask names "id"/],
    ["what an object of JavaScript has", ["to_string"], /update_mask names "to_string"/],
    ["what every object has", ["constructor"], /update_mask names "constructor"/],
  ])("is refused with %s", async (_, paths, message) => {
    const type = await createType(before);
    const changing = staff.updateCredentialType({
      credentialType: { id: type.id, ...given },
      updateMask: { paths },
    });
    expect(await refusal(changing)).toEqual(invalid(message));
    expect(await staff.getCredentialType({ id: type.id })).toEqual(type);
  });

  it("* changes every field of a type", async () => {
    const type = await createType(before);
    const credentialType = { ...given, id: type.id, name: newName() };
    const changed = await staff.updateCredentialType({ credentialType, updateMask: { paths: ["*"] } });
    expect(changed).toMatchObject(credentialType);
  });

  it("of JSON has names as JSON has them", async () => {
    const type = await createType(before);
    const body = { credentialType: { id: type.id, customOptions: {} }, updateMask: "customOptions" };
    const changed = await post("UpdateCredentialType", JSON.stringify(body));
    expect(changed.customOptions).toEqual({});
  });
});

describe("options", () => {
  /** Each as the options of a type, by the function that takes them. */
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
    ["an option named by nothing", GRADES, { "": 1 }, /^custom_options\. is not an option/],
    ["what every object has", GRADES, { constructor: 1 }, /^custom_options\.constructor is not an option/],
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
      /^language: the built-in design has no words in "tr", only in ar, de, en, es, fr, it, pt, uk\./,
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
      /^custom_options\.steps\["course-v1:Uni\+C1\+2026"\]\.required_grade is not an option of .*Known: required_grades\./,
    ],
    [
      "what every object has in a step",
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
    ["a step without what has no default", GRADES, { steps: { [COURSE]: {} } }, /\]\.required_grades: /],
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
      /; and 995 more\. Options of/,
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
    expect(await refusal(createType(customOptions, retrievalFunc))).toEqual(invalid(message));
    const type = await createType({}, retrievalFunc);
    const own = await refusal(configure(type.id, customOptions, PATH));
    expect(own.code).toBe(Code.InvalidArgument);
  });

  it("are refused when they are nested too deep", async () => {
    const customOptions = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
    expect(
      await post("CreateCredentialType", `{"credentialType":{"customOptions":${customOptions}}}`),
    ).toMatchObject({
      code: "invalid_argument",
    });
  });

  it("lose what is named __proto__ when the message is read, and nothing else comes of it", async () => {
    const customOptions =
      '{"__proto__": {"required_grades": {"Exam": 1}}, "required_grades": {"Exam": 0.5, "__proto__": 1}}';
    const name = newName();
    const body = `{"credentialType": {"name": "${name}", "retrievalFunc": "${GRADES}", "generationFunc": "${PDF}", "customOptions": ${customOptions}}}`;
    expect(await post("CreateCredentialType", body)).toMatchObject({
      customOptions: { required_grades: { Exam: 0.5 } },
    });
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("of a type may leave to its configurations what has no default; those must then give it", async () => {
    const type = await createType({});
    expect(await refusal(configure(type.id))).toEqual(
      invalid(/^custom_options\.required_grades: .*received undefined/),
    );
    await configure(type.id, { required_grades: { Exam: 1 } });
  });

  it("of a configuration are merged deeply over those of its type before they are checked", async () => {
    const type = await createType({ required_grades: { Exam: 0.6, Total: 0.5 } });
    await configure(type.id, { required_grades: { Total: 0.8 } });
    await configure(type.id, { required_grades: { Total: null } });
    expect(await refusal(configure(type.id, { required_grades: { Exam: null, Total: null } }))).toEqual(
      invalid(/^custom_options\.required_grades: must name at least one/),
    );
    expect(await refusal(configure(type.id, { required_grades: { exam: 0.7 } }))).toEqual(
      invalid(/^custom_options\.required_grades: names an assignment type twice/),
    );
    expect(await refusal(configure(type.id, { required_grades: null }))).toEqual(
      invalid(/^custom_options\.required_grades: .*received undefined/),
    );
  });

  it("must be known also where null removes them", async () => {
    const type = await createType();
    expect(await refusal(configure(type.id, { required_grade: null }))).toEqual(
      invalid(/^custom_options\.required_grade is not an option/),
    );
  });

  it("may differ from step to step of a learning path, where the path needs none then", async () => {
    const type = await createType({});
    const steps = { [COURSE]: { required_grades: { Exam: 0.7 } } };
    const configuration = await configure(type.id, { steps }, "path-v1:Uni+Steps+1+a");
    expect(configuration.customOptions).toEqual({ steps });
  });

  it("of a course have no steps", async () => {
    const steps = { [COURSE]: { required_grades: { Exam: 0.7 } } };
    const type = await createType();
    expect(await refusal(configure(type.id, { steps }, COURSE))).toEqual(
      invalid("custom_options.steps is for learning paths: a course has no steps."),
    );
    const withSteps = await createType({ steps });
    expect(await refusal(configure(withSteps.id, {}, COURSE))).toEqual(
      invalid(/^custom_options\.required_grades: .*received undefined/),
    );
    await configure(withSteps.id, { steps: null, required_grades: { Exam: 1 } }, COURSE);
  });

  it("come back as they were given", async () => {
    const type = await createType({}, BOTH);
    const customOptions = {
      required_completion: 0.1 + 0.2,
      required_grades: { 数学: 1, "10": 0, "2": 0.5, toString: 0.3 },
      steps: { [COURSE]: { required_grades: { é: 1e-7 } } },
      page: { size: "LETTER" },
    };
    const { id } = await configure(type.id, customOptions, "path-v1:Uni+Back+1+a");
    expect((await staff.getCredentialConfiguration({ id })).customOptions).toEqual(customOptions);
  });
});

describe("a credential configuration", () => {
  it("is created, read, changed and deleted", async () => {
    const type = await createType();
    const learningContextKey = newCourse();
    const created = await configure(type.id, { accent_color: "#123456" }, learningContextKey);
    expect(created).toMatchObject({
      learningContextKey,
      credentialTypeId: type.id,
      customOptions: { accent_color: "#123456" },
    });
    expect(await staff.getCredentialConfiguration({ id: created.id })).toEqual(created);

    const credentialConfiguration = { ...created, customOptions: { accent_color: "#654321" } };
    expect(await staff.updateCredentialConfiguration({ credentialConfiguration })).toEqual(
      credentialConfiguration,
    );
    expect(await staff.getCredentialConfiguration({ id: created.id })).toEqual(credentialConfiguration);
    const emptied = await staff.updateCredentialConfiguration({
      credentialConfiguration: { id: created.id },
      updateMask: { paths: ["custom_options"] },
    });
    expect(emptied.customOptions).toEqual({});

    const { id } = created;
    await staff.deleteCredentialConfiguration({ id });
    const gone = { code: Code.NotFound, message: `There is no credential configuration ${id}.` };
    expect(await refusal(staff.getCredentialConfiguration({ id }))).toEqual(gone);
    expect(await refusal(staff.deleteCredentialConfiguration({ id }))).toEqual(gone);
    expect(await refusal(staff.updateCredentialConfiguration({ credentialConfiguration: { id } }))).toEqual(
      gone,
    );
  });

  it.each([
    ["nothing", undefined, "credential_configuration is missing."],
    ["an id", { id: -1 }, "credential_configuration.id is -1; the service gives the id: leave it 0."],
    [
      "no context",
      { credentialTypeId: 1 },
      /^credential_configuration\.learning_context_key: Invalid learning context key: ""/,
    ],
    [
      "no type",
      { learningContextKey: COURSE },
      "credential_configuration.credential_type_id is 0; it must be at least 1.",
    ],
  ])("is refused with %s", async (_, credentialConfiguration, message) => {
    const request = credentialConfiguration === undefined ? {} : { credentialConfiguration };
    expect(await refusal(staff.createCredentialConfiguration(request))).toEqual(invalid(message));
  });

  it("is of a type that there is", async () => {
    expect(await refusal(configure(2 ** 31 - 1))).toEqual({
      code: Code.NotFound,
      message: "There is no credential type 2147483647.",
    });
  });

  it("is the only one of its context and type, also when several are created at once", async () => {
    const type = await createType();
    const key = newCourse();
    const creating = Array.from({ length: 8 }, () => configure(type.id, {}, key));
    expect(await codes(creating)).toEqual([0, ...Array(7).fill(Code.AlreadyExists)]);
    expect(await refusal(configure(type.id, {}, key))).toEqual({
      code: Code.AlreadyExists,
      message: `Credential type ${type.id} is configured for ${key} already.`,
    });
    await configure((await createType()).id, {}, key);
  });

  it.each<[string, object, string[] | undefined]>([
    ["another context", { learningContextKey: PATH }, undefined],
    ["another type", { credentialTypeId: 2 ** 31 - 1 }, ["*"]],
  ])("can't be given %s", async (_, change, paths) => {
    const configuration = await configure((await createType()).id);
    const moving = staff.updateCredentialConfiguration({
      credentialConfiguration: { ...configuration, ...change },
      ...(paths && { updateMask: { paths } }),
    });
    expect(await refusal(moving)).toEqual(
      invalid(/learning_context_key and credential_type_id can't be changed/),
    );
    expect(await staff.getCredentialConfiguration({ id: configuration.id })).toEqual(configuration);
  });

  it("can't be changed into one that does not fit its type", async () => {
    const configuration = await configure((await createType()).id);
    const credentialConfiguration = { id: configuration.id, customOptions: { required_grades: { Exam: 7 } } };
    expect(await refusal(staff.updateCredentialConfiguration({ credentialConfiguration }))).toEqual(
      invalid(/^custom_options\.required_grades\.Exam: /),
    );
    expect(
      await refusal(
        staff.updateCredentialConfiguration({
          credentialConfiguration,
          updateMask: { paths: ["learning_context_key"] },
        }),
      ),
    ).toEqual(invalid('update_mask names "learning_context_key"; it can name custom_options, schedule, *.'));
  });

  it("fits its type whoever changes the two at once", async () => {
    for (let round = 0; round < 10; round++) {
      const type = await createType({}, BOTH);
      const configuration = await configure(type.id, { required_grades: { Exam: 1 } });
      await Promise.allSettled([
        staff.updateCredentialType({
          credentialType: { id: type.id, retrievalFunc: COMPLETIONS },
        }),
        staff.updateCredentialConfiguration({
          credentialConfiguration: { id: configuration.id },
          updateMask: { paths: ["custom_options"] },
        }),
      ]);
      const { retrievalFunc } = await staff.getCredentialType({ id: type.id });
      const { customOptions } = await staff.getCredentialConfiguration({ id: configuration.id });
      expect(Object.keys(customOptions ?? {})).toEqual(retrievalFunc === BOTH ? ["required_grades"] : []);
    }
  });

  it("is either changed or deleted when both are asked for at once", async () => {
    const type = await createType();
    for (let round = 0; round < 10; round++) {
      const { id } = await configure(type.id);
      const customOptions = { accent_color: "#123456" };
      const changing = staff.updateCredentialConfiguration({
        credentialConfiguration: { id, customOptions },
      });
      const [deleted, changed] = await Promise.allSettled([
        staff.deleteCredentialConfiguration({ id }),
        changing,
      ]);
      expect(deleted.status).toBe("fulfilled");
      if (changed.status === "rejected") expect(ConnectError.from(changed.reason).code).toBe(Code.NotFound);
    }
  });

  it("can't be deleted once a credential was issued under it", async () => {
    const key = newCourse();
    const { id } = await configure((await createType()).id, {}, key);
    await service
      .client(LearnerRecordService, await tokenOf({ username: "lms", service: "write" }))
      .upsertRecords({
        records: [
          { kind: { case: "learner", value: { username: "ana", fullName: "Ana" } } },
          { kind: { case: "course", value: { courseKey: key, displayName: "One" } } },
        ],
      });
    const issuing = { configurationId: id, username: "ana", skipEligibilityCheck: true };
    await service.client(CredentialService, token).issueCredential(issuing);
    expect(await refusal(staff.deleteCredentialConfiguration({ id }))).toEqual({
      code: Code.FailedPrecondition,
      message: `Credentials were issued under configuration ${id}: it is kept as long as they can be verified.`,
    });
  });
});

describe("an id", () => {
  const methods = {
    getCredentialType: (id: number) => staff.getCredentialType({ id }),
    updateCredentialType: (id: number) => staff.updateCredentialType({ credentialType: { id } }),
    deleteCredentialType: (id: number) => staff.deleteCredentialType({ id }),
    getCredentialConfiguration: (id: number) => staff.getCredentialConfiguration({ id }),
    updateCredentialConfiguration: (id: number) =>
      staff.updateCredentialConfiguration({ credentialConfiguration: { id } }),
    deleteCredentialConfiguration: (id: number) => staff.deleteCredentialConfiguration({ id }),
  };
  it.each(Object.entries(methods))("of %s is at least 1", async (_, call) => {
    for (const id of [0, -1, -(2 ** 31)]) {
      expect(await refusal(call(id))).toEqual(invalid(new RegExp(`id is ${id}; it must be at least 1\\.$`)));
    }
    expect((await refusal(call(2 ** 31 - 1))).code).toBe(Code.NotFound);
  });
});

describe("a list", () => {
  let typeId: number;
  const own = () => ({ learningContextKey: "", credentialTypeId: typeId });

  beforeAll(async () => {
    typeId = (await createType()).id;
    for (let index = 0; index < 7; index++) await configure(typeId);
  });

  it("is walked page by page, each entry once, by id", async () => {
    const ids: number[] = [];
    let pageToken = "";
    let pages = 0;
    do {
      const page = await staff.listCredentialConfigurations({ ...own(), pageSize: 3, pageToken });
      ids.push(...page.credentialConfigurations.map(({ id }) => id));
      pageToken = page.nextPageToken;
      pages += 1;
    } while (pageToken !== "");
    expect(pages).toBe(3);
    expect(ids).toHaveLength(7);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  it("has no next page when the last one is just full", async () => {
    const page = await staff.listCredentialConfigurations({ ...own(), pageSize: 7 });
    expect(page.credentialConfigurations).toHaveLength(7);
    expect(page.nextPageToken).toBe("");
  });

  it("goes on where it was, whatever is deleted meanwhile", async () => {
    const type = await createType();
    const [first, second, third] = [
      await configure(type.id),
      await configure(type.id),
      await configure(type.id),
    ];
    const filter = { credentialTypeId: type.id };
    const { nextPageToken } = await staff.listCredentialConfigurations({ ...filter, pageSize: 1 });
    await staff.deleteCredentialConfiguration({ id: first.id });
    await staff.deleteCredentialConfiguration({ id: second.id });
    const rest = await staff.listCredentialConfigurations({ ...filter, pageToken: nextPageToken });
    expect(rest.credentialConfigurations.map(({ id }) => id)).toEqual([third.id]);
  });

  it("is filtered by context, type or both", async () => {
    const key = newCourse();
    const [one, two] = [await createType(), await createType()];
    const [a, b] = [await configure(one.id, {}, key), await configure(two.id, {}, key)];
    const c = await configure(one.id);
    const idsOf = async (filter: object) =>
      (await staff.listCredentialConfigurations(filter)).credentialConfigurations.map(({ id }) => id);
    expect(await idsOf({ learningContextKey: key })).toEqual([a.id, b.id]);
    expect(await idsOf({ credentialTypeId: one.id })).toEqual([a.id, c.id]);
    expect(await idsOf({ learningContextKey: key, credentialTypeId: two.id })).toEqual([b.id]);
    expect(await idsOf({ learningContextKey: newCourse() })).toEqual([]);
  });

  it("shows 100 entries when no size is given, and 1000 at most", async () => {
    const type = await createType();
    await service.app.database.knex.raw(
      `insert into credential_configurations (learning_context_key, credential_type_id, custom_options)
       select 'course-v1:Uni+Many' || n || '+1', ?, '{}' from generate_series(1, 1001) n`,
      [type.id],
    );
    for (const [pageSize, shown] of [
      [0, 100],
      [1000, 1000],
      [1001, 1000],
      [2 ** 31 - 1, 1000],
    ]) {
      const page = await staff.listCredentialConfigurations({
        credentialTypeId: type.id,
        pageSize: pageSize ?? 0,
      });
      expect(page.credentialConfigurations).toHaveLength(shown ?? 0);
      expect(page.nextPageToken).not.toBe("");
    }
  });

  it.each(["listCredentialTypes", "listCredentialConfigurations", "listFunctions"] as const)(
    "of %s refuses a negative size and a token that is not its own",
    async (method) => {
      const list = (request: { pageSize?: number; pageToken?: string }) => staff[method](request);
      expect(await refusal(list({ pageSize: -1 }))).toEqual(
        invalid("page_size is -1; it must be 1 to 1000, or 0 for 100."),
      );
      const filtered = await staff.listCredentialConfigurations({ ...own(), pageSize: 1 });
      const { nextPageToken } = await list({ pageSize: 1 });
      const tokens = ["x", ".", "0", "x.1", "\u0000", "-1", "a".repeat(100_000), filtered.nextPageToken];
      for (const pageToken of [
        ...tokens,
        `${nextPageToken}.1`,
        `${nextPageToken}zzzzzzzzzzzz`,
        nextPageToken.toUpperCase(),
      ]) {
        expect(await refusal(list({ pageToken }))).toEqual(invalid(/^page_token is not one of this list: /));
      }
    },
  );

  it("refuses the token of another filter, and is over at an id that there will never be", async () => {
    const { nextPageToken } = await staff.listCredentialConfigurations({ ...own(), pageSize: 1 });
    const refused = invalid(/^page_token is not one of this list: /);
    expect(await refusal(staff.listCredentialConfigurations({ pageToken: nextPageToken }))).toEqual(refused);
    expect(await refusal(staff.listCredentialTypes({ pageToken: nextPageToken }))).toEqual(refused);
    const beyond = `${nextPageToken.split(".")[0]}.zzzzzzzzzz`;
    const page = await staff.listCredentialConfigurations({ ...own(), pageToken: beyond });
    expect(page).toMatchObject({ credentialConfigurations: [], nextPageToken: "" });
  });

  it.each([
    ["a key", { learningContextKey: "nothing" }, /^Invalid learning context key: "nothing"/],
    ["a type", { credentialTypeId: -1 }, "credential_type_id is -1; it must be at least 1."],
  ])("of configurations refuses %s that can't be", async (_, filter, message) => {
    expect(await refusal(staff.listCredentialConfigurations(filter))).toEqual(invalid(message));
  });
});

describe("the list of functions", () => {
  it("tells each by its name, what it does, and its options as a JSON Schema", async () => {
    const { functions, nextPageToken } = await staff.listFunctions({});
    expect(nextPageToken).toBe("");
    expect(functions.map(({ name, kind }) => [name, kind])).toEqual([
      [PDF, FunctionKind.GENERATION],
      [COMPLETIONS, FunctionKind.RETRIEVAL],
      [BOTH, FunctionKind.RETRIEVAL],
      [GRADES, FunctionKind.RETRIEVAL],
    ]);
    for (const { summary, optionSchema } of functions) {
      expect(summary).toMatch(/^[A-Z].*\.$/);
      expect(optionSchema).toMatchObject({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        additionalProperties: false,
      });
    }
    expect(functions.find(({ name }) => name === BOTH)?.optionSchema).toMatchObject({
      required: ["required_grades"],
      properties: {
        required_completion: { type: "number", minimum: 0, maximum: 1, default: 0.9 },
        required_grades: { type: "object", additionalProperties: { type: "number", minimum: 0, maximum: 1 } },
      },
    });
  });

  it("is walked page by page", async () => {
    const names: string[] = [];
    let pageToken = "";
    do {
      const page = await staff.listFunctions({ pageSize: 3, pageToken });
      names.push(...page.functions.map(({ name }) => name));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(names).toEqual([PDF, COMPLETIONS, BOTH, GRADES]);
  });
});

describe("who may configure", () => {
  it.each([
    ["nobody", undefined, Code.Unauthenticated, Code.Unauthenticated],
    ["a learner", { username: "ana" }, Code.PermissionDenied, Code.PermissionDenied],
    ["a service that may read", { username: "report", service: "read" as const }, 0, Code.PermissionDenied],
    ["a service that may write", { username: "lms", service: "write" as const }, 0, Code.InvalidArgument],
  ])("%s", async (_, caller, reading, writing) => {
    const client = service.client(ConfigurationService, caller && (await tokenOf(caller)));
    expect(await codes([client.listCredentialTypes({})])).toEqual([reading]);
    expect(await codes([client.createCredentialType({}), client.deleteCredentialConfiguration({})])).toEqual([
      writing,
      writing,
    ]);
  });
});

/** The codes that calls ended with, in order; 0: they succeeded. */
async function codes(calls: Promise<unknown>[]): Promise<number[]> {
  const ended = calls.map((call) =>
    call.then(
      () => 0,
      (error) => ConnectError.from(error).code as number,
    ),
  );
  return (await Promise.all(ended)).sort((a, b) => a - b);
}
