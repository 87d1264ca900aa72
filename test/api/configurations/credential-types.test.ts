import type { JsonObject } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import {
  BOTH,
  COMPLETIONS,
  codes,
  GRADES,
  givenConfigurator,
  invalid,
  newName,
  PDF,
  refusal,
} from "./configurator.js";

const api = givenConfigurator();

describe("a credential type", () => {
  it("is created, read, changed and deleted", async () => {
    const customOptions = { required_grades: { Exam: 0.65, Total: 0.8 }, accent_color: "#123456" };
    const credentialType = {
      name: "Certificate of Achievement",
      retrievalFunc: GRADES,
      generationFunc: PDF,
      customOptions,
    };
    const created = await api.staff.createCredentialType({ credentialType });
    expect(created).toMatchObject({ ...credentialType, id: expect.any(Number) });
    expect(created.id).toBeGreaterThan(0);
    expect(await api.staff.getCredentialType({ id: created.id })).toEqual(created);

    const changed = await api.staff.updateCredentialType({
      credentialType: { id: created.id, name: "Diploma" },
    });
    expect(changed).toEqual({ ...created, name: "Diploma", etag: changed.etag });
    expect(await api.staff.getCredentialType({ id: created.id })).toEqual(changed);

    await api.staff.deleteCredentialType({ id: created.id });
    const gone = { code: Code.NotFound, message: `There is no credential type ${created.id}.` };
    expect(await refusal(api.staff.getCredentialType({ id: created.id }))).toEqual(gone);
    expect(await refusal(api.staff.deleteCredentialType({ id: created.id }))).toEqual(gone);
    expect(
      await refusal(api.staff.updateCredentialType({ credentialType: { id: created.id, name: "x" } })),
    ).toEqual(gone);
  });

  it.each([
    ["no type", undefined, "credential_type is missing."],
    ["an id", { id: 7, name: "x" }, "credential_type.id is 7; the service sets the id, so it must be 0."],
    ["no name", {}, "credential_type.name is empty."],
    ["a blank name", { name: " " }, "credential_type.name is blank."],
    ["a long name", { name: "😀".repeat(256) }, /name has 256 characters; at most 255/],
    ["a name of 100,000 bytes", { name: "x".repeat(100_000) }, /name has 100000 characters/],
    ["a name with NUL", { name: "a\u0000" }, /U\+0000/],
    [
      "no retrieval function",
      { name: "x" },
      /^retrieval_func is "", which does not exist\. Available: .*retrieve_completions,/,
    ],
    [
      "a generation function to retrieve",
      { name: "x", retrievalFunc: PDF },
      /^retrieval_func is .*Available: /,
    ],
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
    expect(await refusal(api.staff.createCredentialType(request))).toEqual(invalid(message));
  });

  it("has a unique name, also when two are created or renamed at once", async () => {
    const { id, name } = await api.createType();
    const taken = {
      code: Code.AlreadyExists,
      message: `A credential type named "${name}" already exists.`,
    };
    const again = { name, retrievalFunc: GRADES, generationFunc: PDF };
    expect(await refusal(api.staff.createCredentialType({ credentialType: again }))).toEqual(taken);
    const other = await api.createType();
    expect(await refusal(api.staff.updateCredentialType({ credentialType: { id: other.id, name } }))).toEqual(
      taken,
    );
    expect(await api.staff.updateCredentialType({ credentialType: { id, name } })).toMatchObject({ name });

    const contested = newName();
    const creating = Array.from({ length: 8 }, () =>
      api.staff.createCredentialType({ credentialType: { ...again, name: contested } }),
    );
    expect(await codes(creating)).toEqual([0, ...Array(7).fill(Code.AlreadyExists)]);

    const types = await Promise.all(Array.from({ length: 8 }, () => api.createType()));
    const renaming = types.map((type) =>
      api.staff.updateCredentialType({ credentialType: { id: type.id, name: "Everybody's name" } }),
    );
    expect(await codes(renaming)).toEqual([0, ...Array(7).fill(Code.AlreadyExists)]);

    const [left, right] = [await api.createType(), await api.createType()];
    const swapping = [
      api.staff.updateCredentialType({ credentialType: { id: left.id, name: right.name } }),
      api.staff.updateCredentialType({ credentialType: { id: right.id, name: left.name } }),
    ];
    expect(await codes(swapping)).toEqual([Code.AlreadyExists, Code.AlreadyExists]);
  });

  it("and its configurations keep what was saved, each change once, and who saved it", async () => {
    const type = await api.createType({ required_grades: { Exam: 0.6 } });
    const { id } = type;
    const configuration = await api.configure(id, { hours: 1 });
    const update = (credentialType: object) =>
      api.staff.updateCredentialType({ credentialType: { ...credentialType, id } });
    const renamed = newName();
    await update({ name: renamed });
    await update({ name: renamed }); // changes nothing
    await update({ customOptions: { required_grades: { Exam: 0.7 }, hours: 2 } });
    await update({ customOptions: { hours: 2, required_grades: { Exam: 0.7 } } });
    const source = { case: "credentialTypeId", value: id } as const;
    const { revisions } = await api.staff.listRevisions({ source });
    expect(
      revisions.map(({ number, savedBy, credentialType }) => [
        number,
        savedBy,
        credentialType?.name,
        credentialType?.customOptions,
      ]),
    ).toEqual([
      [3, "registrar", renamed, { required_grades: { Exam: 0.7 }, hours: 2 }],
      [2, "registrar", renamed, type.customOptions],
      [1, "registrar", type.name, type.customOptions],
    ]);
    // An earlier revision is restored by an ordinary update.
    const [, , first] = revisions;
    await update({ ...first?.credentialType });
    expect(await api.staff.getCredentialType({ id })).toEqual(type);
    const paged = await api.staff.listRevisions({ source, pageSize: 3 });
    const rest = await api.staff.listRevisions({ source, pageSize: 3, pageToken: paged.nextPageToken });
    expect([...paged.revisions, ...rest.revisions].map(({ number }) => number)).toEqual([4, 3, 2, 1]);

    await api.staff.updateCredentialConfiguration({
      credentialConfiguration: { id: configuration.id, customOptions: { hours: 9 } },
    });
    const own = await api.staff.listRevisions({
      source: { case: "configurationId", value: configuration.id },
    });
    expect(own.revisions.map(({ credentialType }) => credentialType?.customOptions)).toEqual([
      { hours: 9 },
      { hours: 1 },
    ]);

    for (let hours = 10; hours < 215; hours++)
      await update({ customOptions: { required_grades: { Exam: 0.7 }, hours } });
    await update({ customOptions: { required_grades: { Exam: 0.7 }, hours: 214 } }); // changes nothing
    const stored = await api.staff.listRevisions({ source, pageSize: 1000 });
    expect([stored.revisions.length, stored.revisions.at(-1)?.number]).toEqual([200, 10]);
    await api.staff.deleteCredentialConfiguration({ id: configuration.id });
    await api.staff.deleteCredentialType({ id });
    expect((await refusal(api.staff.listRevisions({ source }))).code).toBe(Code.NotFound);
  });

  it("can't be deleted while a configuration uses it", async () => {
    const type = await api.createType();
    const configuration = await api.configure(type.id);
    expect(await refusal(api.staff.deleteCredentialType({ id: type.id }))).toEqual({
      code: Code.FailedPrecondition,
      message: expect.stringContaining(
        `Credential type ${type.id} is in use: delete its configurations first`,
      ),
    });
    await api.staff.deleteCredentialConfiguration({ id: configuration.id });
    await api.staff.deleteCredentialType({ id: type.id });
  });

  it("can't be changed if a configuration would no longer fit", async () => {
    const type = await api.createType();
    const inherits = await api.configure(type.id);
    await api.configure(type.id, { required_grades: { Quiz: 0.5 } });
    const change = (credentialType: JsonObject, paths: string[]) =>
      refusal(
        api.staff.updateCredentialType({
          credentialType: { id: type.id, ...credentialType },
          updateMask: { paths },
        }),
      );
    const emptied = await change({}, ["custom_options"]);
    // The message lacks its first two words if another test has loaded a library with a different version of zod.
    expect({ ...emptied, message: emptied.message.replace("Invalid input: ", "") }).toEqual(
      invalid(
        `With this change, configuration ${inherits.id} (${inherits.learningContextKey}) would no longer be valid: ` +
          "custom_options.required_grades: is missing: set it, or required_passed or required_letter. " +
          `Options of ${GRADES}: required_grades, required_letter, required_passed, use_platform_total.`,
      ),
    );
    expect(await change({ retrievalFunc: COMPLETIONS }, ["retrieval_func"])).toEqual(
      invalid(/^custom_options\.required_grades is not an option of .*retrieve_completions or /),
    );
    expect(await change({ retrievalFunc: COMPLETIONS }, ["retrieval_func", "custom_options"])).toEqual(
      invalid(
        /^With this change, configuration \d+ .* would no longer be valid: custom_options\.required_grades is not an option/,
      ),
    );
    expect(await api.staff.getCredentialType({ id: type.id })).toEqual(type);
    await api.staff.updateCredentialType({
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
      "that is absent changes the given fields",
      undefined,
      { retrievalFunc: BOTH, customOptions: given.customOptions },
    ],
    ["that is empty does, too", [], { retrievalFunc: BOTH, customOptions: given.customOptions }],
    ["changes the fields that it names", ["retrieval_func"], { retrievalFunc: BOTH, customOptions: before }],
    [
      "may name several fields",
      ["retrieval_func", "custom_options"],
      { retrievalFunc: BOTH, customOptions: given.customOptions },
    ],
  ])("%s", async (_, paths, expected) => {
    const type = await api.createType(before);
    const changed = await api.staff.updateCredentialType({
      credentialType: { id: type.id, ...given },
      ...(paths && { updateMask: { paths } }),
    });
    expect(changed).toMatchObject({ ...type, ...expected, etag: changed.etag });
  });

  it("that is absent leaves empty options unchanged", async () => {
    const type = await api.createType(before);
    const changed = await api.staff.updateCredentialType({
      credentialType: { id: type.id, customOptions: {} },
    });
    expect(changed.customOptions).toEqual(before);
  });

  it("that names options empties them", async () => {
    const type = await api.createType(before);
    const changed = await api.staff.updateCredentialType({
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
    ["a name that JavaScript objects have", ["to_string"], /update_mask names "to_string"/],
    ["a name that every object has", ["constructor"], /update_mask names "constructor"/],
  ])("is refused with %s", async (_, paths, message) => {
    const type = await api.createType(before);
    const changing = api.staff.updateCredentialType({
      credentialType: { id: type.id, ...given },
      updateMask: { paths },
    });
    expect(await refusal(changing)).toEqual(invalid(message));
    expect(await api.staff.getCredentialType({ id: type.id })).toEqual(type);
  });

  it("* changes every field of a type", async () => {
    const type = await api.createType(before);
    const credentialType = { ...given, id: type.id, name: newName() };
    const changed = await api.staff.updateCredentialType({ credentialType, updateMask: { paths: ["*"] } });
    expect(changed).toMatchObject(credentialType);
  });

  it("in JSON uses JSON field names", async () => {
    const type = await api.createType(before);
    const body = { credentialType: { id: type.id, customOptions: {} }, updateMask: "customOptions" };
    const changed = await api.post("UpdateCredentialType", JSON.stringify(body));
    expect(changed.customOptions).toEqual({});
  });
});
