import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import { assetParts } from "../../assets/asset-parts.js";
import { codeAndMessage } from "../../support/refusal.js";
import { givenConfigurator, newCourse, newName, REQUIREMENTS } from "./configurator.js";

const configurator = givenConfigurator();

const drawing = (path: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="${path}"/></svg>`);

const upload = (slug: string, content: Buffer, etag = "") =>
  configurator.staff.uploadAsset(assetParts(slug, content, { etag }));

/** Expects that the call is refused because of another change. Returns the etag in the error. */
async function conflict(
  call: Promise<unknown>,
  message: string,
  why = "ETAG_MISMATCH",
): Promise<string | undefined> {
  const error = await call.then(
    () => undefined,
    (reason) => ConnectError.from(reason),
  );
  const [info] = error?.findDetails(ErrorInfoSchema) ?? [];
  expect([error?.code, info?.reason, error?.rawMessage]).toEqual([
    Code.Aborted,
    why,
    expect.stringContaining(message),
  ]);
  return info?.metadata.etag;
}

describe("an etag", () => {
  it("of a type stops a second editor from overwriting the first", async () => {
    const created = await configurator.createType();
    const read = await configurator.staff.getCredentialType({ id: created.id });
    expect(read.etag).toBe(created.etag);
    expect((await configurator.staff.listCredentialTypes({ pageSize: 1000 })).credentialTypes).toContainEqual(
      read,
    );

    const first = await configurator.staff.updateCredentialType({
      credentialType: { ...read, name: newName() },
    });
    expect(first.etag).not.toBe(read.etag);
    expect((await configurator.staff.getCredentialType({ id: read.id })).etag).toBe(first.etag);

    const second = { credentialType: { ...read, customOptions: { required_grades: { Exam: 0.9 } } } };
    const { id } = read;
    expect(
      await conflict(configurator.staff.updateCredentialType(second), `Credential type ${id} was changed`),
    ).toBe(first.etag);
    await conflict(
      configurator.staff.deleteCredentialType({ id, etag: read.etag }),
      `Credential type ${id} was changed`,
    );
    const again = { ...first, customOptions: { required_grades: { Exam: 0.9 } } };
    const merged = await configurator.staff.updateCredentialType({ credentialType: again });
    expect(merged).toMatchObject({ name: first.name, customOptions: { required_grades: { Exam: 0.9 } } });
    await configurator.staff.deleteCredentialType({ id, etag: merged.etag });
  });

  it("of a configuration changes with its options and schedule, and is compared only if given", async () => {
    const type = await configurator.createType();
    const created = await configurator.configure(type.id, { required_grades: { Exam: 0.7 } }, newCourse());
    const { id } = created;
    const change = (fields: object) =>
      configurator.staff.updateCredentialConfiguration({ credentialConfiguration: { id, ...fields } });
    const scheduled = await change({
      schedule: { enabled: false, recurrence: { case: "cron", value: "0 6 * * MON" } },
    });
    expect(scheduled.etag).not.toBe(created.etag);
    expect((await configurator.staff.getCredentialConfiguration({ id })).etag).toBe(scheduled.etag);

    const customOptions = { required_grades: { Exam: 0.8 } };
    await conflict(change({ customOptions, etag: created.etag }), `Configuration ${id} was changed`);
    const changed = await change({ customOptions, etag: scheduled.etag });
    expect((await change({ customOptions })).etag).toBe(changed.etag);
    await conflict(
      configurator.staff.deleteCredentialConfiguration({ id, etag: scheduled.etag }),
      `Configuration ${id} was changed`,
    );
    await configurator.staff.deleteCredentialConfiguration({ id, etag: changed.etag });
  });

  it("of a configuration is not changed by the runs of its schedule", async () => {
    const type = await configurator.createType();
    const { id } = await configurator.configure(type.id);
    const { etag } = await configurator.staff.updateCredentialConfiguration({
      credentialConfiguration: {
        id,
        schedule: { enabled: true, recurrence: { case: "intervalDays", value: 3 } },
      },
    });
    const { knex } = configurator.service.app.database;
    await knex("credential_schedules")
      .where({ configuration_id: id })
      .update({ next_run_at: new Date("2030-01-01"), last_error: "No record." });
    expect((await configurator.staff.getCredentialConfiguration({ id })).etag).toBe(etag);
  });

  it("lets one of two simultaneous editors through", async () => {
    const type = await configurator.createType();
    const { id, etag } = await configurator.configure(type.id);
    const edits = [0.61, 0.62, 0.63, 0.64].map((Exam) =>
      configurator.staff.updateCredentialConfiguration({
        credentialConfiguration: { id, etag, customOptions: { required_grades: { Exam } } },
      }),
    );
    const outcomes = await Promise.allSettled(edits);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("isn't needed to upload a file under an unused name only", async () => {
    const slug = "once";
    const create = (path: string) =>
      configurator.staff.uploadAsset(assetParts(slug, drawing(path), { createOnly: true }));
    const { sha256 } = await create("M0 0h1");
    expect(await codeAndMessage(create("M0 0h2"))).toEqual([
      "AlreadyExists",
      `The name ${slug} is in use by another file: choose another name.`,
    ]);
    expect((await configurator.staff.getAsset({ slug })).asset?.sha256).toBe(sha256);
  });

  it("lets nobody save requirements after another change of the configuration, or of its type", async () => {
    const { staff } = configurator;
    const tree = (completion: number) => ({ requirements: { completion } });
    const type = await configurator.createType(tree(0.5), REQUIREMENTS);
    const { id, etag } = await configurator.configure(type.id);
    const save = (etags: { etag: string; typeEtag?: string }, customOptions: object) =>
      staff.updateCredentialConfiguration({
        credentialConfiguration: { id, etag: etags.etag, customOptions: customOptions as never },
        updateMask: { paths: ["custom_options"] },
        credentialTypeEtag: etags.typeEtag ?? "",
      });

    // Two changes of the configuration: the first one succeeds.
    const other = await save({ etag, typeEtag: type.etag }, tree(0.7));
    await conflict(save({ etag, typeEtag: type.etag }, tree(0.6)), `Configuration ${id} was changed`);
    expect((await staff.getCredentialConfiguration({ id })).customOptions).toEqual(tree(0.7));

    // A change of a configuration that inherits its type's requirements, after a change of the type.
    const inherited = await save({ etag: other.etag, typeEtag: type.etag }, {});
    const changed = await staff.updateCredentialType({
      credentialType: { id: type.id, etag: type.etag, customOptions: tree(0.9) },
    });
    const outdated = { etag: inherited.etag, typeEtag: type.etag };
    const message = `Credential type ${type.id} was changed`;
    expect(await conflict(save(outdated, { accent_color: "#123456" }), message, "PLAN_CHANGED")).toBe(
      changed.etag,
    );
    expect((await staff.getCredentialConfiguration({ id })).customOptions).toEqual({});

    // Two simultaneous updates: the first succeeds, and the other is refused.
    const outcomes = await Promise.allSettled([
      save({ etag: inherited.etag, typeEtag: changed.etag }, tree(0.2)),
      save({ etag: inherited.etag, typeEtag: changed.etag }, tree(0.3)),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);

    // Two changes of the type.
    const saveType = (completion: number) =>
      staff.updateCredentialType({
        credentialType: { id: type.id, etag: changed.etag, customOptions: tree(completion) },
      });
    await saveType(0.8);
    await conflict(saveType(0.4), message);
    expect((await staff.getCredentialType({ id: type.id })).customOptions).toEqual(tree(0.8));
  });

  it("of an asset guards its replacement and its deletion", async () => {
    const first = await upload("guarded", drawing("M0 0h1"));
    const second = await upload("guarded", drawing("M0 0h2"), first.etag);
    await conflict(upload("guarded", drawing("M0 0h3"), first.etag), "Asset guarded was changed");
    expect((await configurator.staff.listAssets({ pageSize: 1000 })).assets).toContainEqual(second);
    await conflict(
      configurator.staff.deleteAsset({ slug: "guarded", etag: first.etag }),
      "Asset guarded was changed",
    );
    await configurator.staff.deleteAsset({ slug: "guarded", etag: second.etag });
    await conflict(upload("guarded", drawing("M0 0h4"), second.etag), "Asset guarded was deleted");
  });
});
