import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { tokenOf } from "../../support/service.js";
import {
  BOTH,
  COMPLETIONS,
  COURSE,
  codes,
  givenConfigurator,
  invalid,
  newCourse,
  PATH,
  refusal,
} from "./configurator.js";

const api = givenConfigurator();

describe("a credential configuration", () => {
  it("is created, read, changed and deleted", async () => {
    const type = await api.createType();
    const learningContextKey = newCourse();
    const created = await api.configure(type.id, { accent_color: "#123456" }, learningContextKey);
    expect(created).toMatchObject({
      learningContextKey,
      credentialTypeId: type.id,
      customOptions: { accent_color: "#123456" },
    });
    expect(await api.staff.getCredentialConfiguration({ id: created.id })).toEqual(created);

    const credentialConfiguration = { ...created, customOptions: { accent_color: "#654321" } };
    const changed = await api.staff.updateCredentialConfiguration({ credentialConfiguration });
    expect(changed).toEqual({ ...credentialConfiguration, etag: changed.etag });
    expect(await api.staff.getCredentialConfiguration({ id: created.id })).toEqual(changed);
    const emptied = await api.staff.updateCredentialConfiguration({
      credentialConfiguration: { id: created.id },
      updateMask: { paths: ["custom_options"] },
    });
    expect(emptied.customOptions).toEqual({});

    const { id } = created;
    await api.staff.deleteCredentialConfiguration({ id });
    const gone = { code: Code.NotFound, message: `There is no credential configuration ${id}.` };
    expect(await refusal(api.staff.getCredentialConfiguration({ id }))).toEqual(gone);
    expect(await refusal(api.staff.deleteCredentialConfiguration({ id }))).toEqual(gone);
    expect(
      await refusal(api.staff.updateCredentialConfiguration({ credentialConfiguration: { id } })),
    ).toEqual(gone);
  });

  it.each([
    ["nothing", undefined, "credential_configuration is missing."],
    ["an id", { id: -1 }, "credential_configuration.id is -1; the service sets the id, so it must be 0."],
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
    expect(await refusal(api.staff.createCredentialConfiguration(request))).toEqual(invalid(message));
  });

  it("must have an existing type", async () => {
    expect(await refusal(api.configure(2 ** 31 - 1))).toEqual({
      code: Code.NotFound,
      message: "There is no credential type 2147483647.",
    });
  });

  it("is unique by context and type, also when several are created at once", async () => {
    const type = await api.createType();
    const key = newCourse();
    const creating = Array.from({ length: 8 }, () => api.configure(type.id, {}, key));
    expect(await codes(creating)).toEqual([0, ...Array(7).fill(Code.AlreadyExists)]);
    expect(await refusal(api.configure(type.id, {}, key))).toEqual({
      code: Code.AlreadyExists,
      message: `Credential type ${type.id} is already configured for ${key}.`,
    });
    await api.configure((await api.createType()).id, {}, key);
  });

  it.each<[string, object, string[] | undefined]>([
    ["another context", { learningContextKey: PATH }, undefined],
    ["another type", { credentialTypeId: 2 ** 31 - 1 }, ["*"]],
  ])("can't be changed to %s", async (_, change, paths) => {
    const configuration = await api.configure((await api.createType()).id);
    const moving = api.staff.updateCredentialConfiguration({
      credentialConfiguration: { ...configuration, ...change },
      ...(paths && { updateMask: { paths } }),
    });
    expect(await refusal(moving)).toEqual(
      invalid(/learning_context_key and credential_type_id can't be changed/),
    );
    expect(await api.staff.getCredentialConfiguration({ id: configuration.id })).toEqual(configuration);
  });

  it("can't be changed so that it no longer fits its type", async () => {
    const configuration = await api.configure((await api.createType()).id);
    const credentialConfiguration = { id: configuration.id, customOptions: { required_grades: { Exam: 7 } } };
    expect(await refusal(api.staff.updateCredentialConfiguration({ credentialConfiguration }))).toEqual(
      invalid(/^custom_options\.required_grades\.Exam: /),
    );
    expect(
      await refusal(
        api.staff.updateCredentialConfiguration({
          credentialConfiguration,
          updateMask: { paths: ["learning_context_key"] },
        }),
      ),
    ).toEqual(
      invalid('update_mask names "learning_context_key"; it can name custom_options, claim, schedule, *.'),
    );
  });

  it("fits its type even if both are changed at once", async () => {
    for (let round = 0; round < 10; round++) {
      const type = await api.createType({}, BOTH);
      const configuration = await api.configure(type.id, { required_grades: { Exam: 1 } });
      await Promise.allSettled([
        api.staff.updateCredentialType({
          credentialType: { id: type.id, retrievalFunc: COMPLETIONS },
        }),
        api.staff.updateCredentialConfiguration({
          credentialConfiguration: { id: configuration.id },
          updateMask: { paths: ["custom_options"] },
        }),
      ]);
      const { retrievalFunc } = await api.staff.getCredentialType({ id: type.id });
      const { customOptions } = await api.staff.getCredentialConfiguration({ id: configuration.id });
      expect(Object.keys(customOptions ?? {})).toEqual(retrievalFunc === BOTH ? ["required_grades"] : []);
    }
  });

  it("is either changed or deleted when both are requested at once", async () => {
    const type = await api.createType();
    for (let round = 0; round < 10; round++) {
      const { id } = await api.configure(type.id);
      const customOptions = { accent_color: "#123456" };
      const changing = api.staff.updateCredentialConfiguration({
        credentialConfiguration: { id, customOptions },
      });
      const [deleted, changed] = await Promise.allSettled([
        api.staff.deleteCredentialConfiguration({ id }),
        changing,
      ]);
      expect(deleted.status).toBe("fulfilled");
      if (changed.status === "rejected") expect(ConnectError.from(changed.reason).code).toBe(Code.NotFound);
    }
  });

  it("can't be deleted once a credential was issued under it", async () => {
    const key = newCourse();
    const { id } = await api.configure((await api.createType()).id, {}, key);
    await api.service
      .client(LearnerRecordService, await tokenOf({ username: "lms", service: "write" }))
      .upsertRecords({
        records: [
          { kind: { case: "learner", value: { username: "ana", fullName: "Ana" } } },
          { kind: { case: "course", value: { courseKey: key, displayName: "One" } } },
        ],
      });
    const issuing = { configurationId: id, username: "ana", skipEligibilityCheck: true };
    await api.service.client(CredentialService, api.token).issueCredential(issuing);
    expect(await refusal(api.staff.deleteCredentialConfiguration({ id }))).toEqual({
      code: Code.FailedPrecondition,
      message: `Configuration ${id} can't be deleted, because credentials were issued under it.`,
    });
  });
});

describe("an id", () => {
  const methods = {
    getCredentialType: (id: number) => api.staff.getCredentialType({ id }),
    updateCredentialType: (id: number) => api.staff.updateCredentialType({ credentialType: { id } }),
    deleteCredentialType: (id: number) => api.staff.deleteCredentialType({ id }),
    getCredentialConfiguration: (id: number) => api.staff.getCredentialConfiguration({ id }),
    updateCredentialConfiguration: (id: number) =>
      api.staff.updateCredentialConfiguration({ credentialConfiguration: { id } }),
    deleteCredentialConfiguration: (id: number) => api.staff.deleteCredentialConfiguration({ id }),
  };
  it.each(Object.entries(methods))("of %s is at least 1", async (_, call) => {
    for (const id of [0, -1, -(2 ** 31)]) {
      expect(await refusal(call(id))).toEqual(invalid(new RegExp(`id is ${id}; it must be at least 1\\.$`)));
    }
    expect((await refusal(call(2 ** 31 - 1))).code).toBe(Code.NotFound);
  });
});

describe("callers who may configure", () => {
  it.each([
    ["nobody", undefined, Code.Unauthenticated, Code.Unauthenticated],
    ["a learner", { username: "ana" }, Code.PermissionDenied, Code.PermissionDenied],
    ["a service that may read", { username: "report", service: "read" as const }, 0, Code.PermissionDenied],
    ["a service that may write", { username: "lms", service: "write" as const }, 0, Code.InvalidArgument],
  ])("%s", async (_, caller, reading, writing) => {
    const client = api.service.client(ConfigurationService, caller && (await tokenOf(caller)));
    expect(await codes([client.listCredentialTypes({})])).toEqual([reading]);
    expect(await codes([client.createCredentialType({}), client.deleteCredentialConfiguration({})])).toEqual([
      writing,
      writing,
    ]);
  });
});
