import type { JsonObject } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { createCanvas } from "@napi-rs/canvas";
import PDFDocument from "pdfkit";
import { describe, expect, it } from "vitest";
import { AssetKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { assetParts } from "../assets/asset-parts.js";
import { readPdf } from "../rendering/read-pdf.js";
import { COURSE, givenAcademy } from "../support/academy.js";

const academy = givenAcademy({ worker: true });

function page(text: string): Promise<Buffer> {
  return new Promise((resolve) => {
    const document = new PDFDocument({ size: "A4", layout: "landscape" });
    const chunks: Buffer[] = [];
    document.on("data", (chunk) => chunks.push(chunk));
    document.on("end", () => resolve(Buffer.concat(chunks)));
    document.text(text, 50, 50);
    document.end();
  });
}

const upload = (slug: string, bytes: Uint8Array, announced = bytes.length) =>
  academy.configurations.uploadAsset(assetParts(slug, bytes, { size: announced }));

async function refusal(call: Promise<unknown>): Promise<[Code, string]> {
  const error = ConnectError.from(
    await call.then(
      () => "no refusal",
      (reason) => reason,
    ),
  );
  return [error.code, error.rawMessage];
}

async function textOf(pdf: Uint8Array): Promise<string> {
  return JSON.stringify(await readPdf(pdf));
}

describe("an asset", () => {
  it("is identified by its content, and listed until it is deleted", async () => {
    const bytes = await page("Letterhead");
    const asset = await upload("letterhead", bytes);
    expect(asset).toMatchObject({ slug: "letterhead", kind: AssetKind.PDF, size: bytes.length });
    expect(asset.sha256).toMatch(/^[0-9a-f]{64}$/);
    const { assets } = await academy.configurations.listAssets({});
    expect(assets.map(({ slug }) => slug)).toContain("letterhead");
    await academy.configurations.deleteAsset({ slug: "letterhead" });
    expect((await academy.configurations.listAssets({})).assets).toEqual([]);
    expect(await refusal(academy.configurations.deleteAsset({ slug: "letterhead" }))).toEqual([
      Code.NotFound,
      'There is no asset named "letterhead".',
    ]);
  });

  it.each([
    ["text", "logo", Buffer.from("hello"), undefined, /hello|text|not/i],
    ["cut off", "logo", Buffer.from("hello"), 10, /ends after 5 of the 10 bytes/],
    ["longer than announced", "logo", Buffer.from("hello"), 3, /longer than the 3 bytes/],
    ["with a wrong slug", "Logo!", Buffer.from("hello"), undefined, /slug is "Logo!"/],
  ])("is refused when it is %s", async (_, slug, bytes, announced, reason) => {
    const [code, message] = await refusal(upload(slug, bytes, announced));
    expect(code).toBe(Code.InvalidArgument);
    expect(message).toMatch(reason);
    expect((await academy.configurations.listAssets({})).assets).toEqual([]);
  });

  it("is refused temporarily while eight others are being uploaded", async () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let begun = 0;
    async function* slow(slug: string) {
      yield { part: { case: "header" as const, value: { slug, size: 5 } } };
      begun++;
      await held;
    }
    const others = Array.from({ length: 8 }, (_, at) =>
      refusal(academy.configurations.uploadAsset(slow(`slow-${at}`))),
    );
    await expect.poll(() => begun).toBe(8);
    await expect
      .poll(() => refusal(upload("ninth", Buffer.from("hello"), 10)))
      .toEqual([
        Code.ResourceExhausted,
        "There are too many uploads at the same time: retry in ten seconds.",
      ]);
    letGo();
    for (const [code] of await Promise.all(others)) expect(code).toBe(Code.InvalidArgument);
    expect(await refusal(upload("ninth", Buffer.from("hello"), 10))).toMatchObject([
      Code.InvalidArgument,
      expect.anything(),
    ]);
  });

  it("must exist and be of the right kind when options name it, and can't be deleted meanwhile", async () => {
    const { configurations, configurationId } = academy;
    const use = (template: string) =>
      configurations.updateCredentialConfiguration({
        credentialConfiguration: { id: configurationId, customOptions: { template } },
      });
    expect(await refusal(use("frame"))).toEqual([
      Code.InvalidArgument,
      'custom_options.template: there is no asset "frame"; upload it first.',
    ]);
    await upload("frame", await page("The first frame"));
    await use("frame");
    const [code, message] = await refusal(configurations.deleteAsset({ slug: "frame" }));
    expect(code).toBe(Code.FailedPrecondition);
    expect(message).toContain(`credential configuration ${configurationId}`);
  });

  it("must not be a PDF to print on if PDF/A is required: refused when configured, uploaded, planned and issued", async () => {
    const { configurations, configurationId, credentials, service } = academy;
    const [{ id: typeId = 0, customOptions = {} } = {}] = (await configurations.listCredentialTypes({}))
      .credentialTypes;
    const changeConfiguration = (customOptions: JsonObject) =>
      configurations.updateCredentialConfiguration({
        credentialConfiguration: { id: configurationId, customOptions },
      });
    const changeType = (more: JsonObject) =>
      configurations.updateCredentialType({
        credentialType: { id: typeId, customOptions: { ...customOptions, ...more } },
        updateMask: { paths: ["custom_options"] },
      });
    const why = "as pdf_a is true, and PDF templates are not checked for PDF/A.";
    const refused = `asset "paper" is of kind pdf; it must be png or jpeg or svg, ${why}`;

    await upload("paper", await page("Paper"));
    for (const option of ["template", "template_multiline"]) {
      const requested = { [option]: "paper", pdf_a: true };
      const reported = [Code.InvalidArgument, `custom_options.${option}: ${refused}`];
      expect(await refusal(changeConfiguration(requested))).toEqual(reported);
      expect(await refusal(changeType(requested))).toEqual(reported);
    }
    await changeConfiguration({ template: "paper" });
    expect(await refusal(changeType({ pdf_a: true }))).toEqual([
      Code.InvalidArgument,
      `With this change, configuration ${configurationId} (${COURSE}) would no longer be valid: custom_options.template: ${refused}`,
    ]);

    await upload("plain", createCanvas(20, 10).toBuffer("image/png"));
    await changeConfiguration({ template: "plain", pdf_a: true });
    expect(await refusal(upload("plain", await page("No picture")))).toEqual([
      Code.FailedPrecondition,
      `The kind of this file is pdf, but the options of credential configuration ${configurationId} name the asset plain, which must be png or jpeg or svg, ${why}`,
    ]);

    // Saves options that an earlier version of the service accepted.
    const { knex } = service.app.database;
    await knex("credential_configurations")
      .where({ id: configurationId })
      .update({ custom_options: { template: "paper", pdf_a: true } });
    await academy.enrol("ona");
    const reported = [
      Code.FailedPrecondition,
      `The credential's configuration must be corrected first: custom_options.template: ${refused}`,
    ];
    expect(await refusal(credentials.issueCredential({ configurationId, username: "ona" }))).toEqual(
      reported,
    );
    expect(await refusal(credentials.startIssuanceRun({ configurationId, dryRun: true }))).toEqual(reported);
    await changeConfiguration({ template: "frame" });
  });

  it("stays in a credential as it was at the time of issue", async () => {
    const { credentials, configurationId, enrol } = academy;
    await enrol("ada", "bob");
    const ada = await credentials.issueCredential({ configurationId, username: "ada" });
    await upload("frame", await page("The second frame"));
    const bob = await credentials.issueCredential({ configurationId, username: "bob" });
    expect(await textOf(await pdfOf(ada.uuid))).toContain("The first frame");
    expect(await textOf(await pdfOf(bob.uuid))).toContain("The second frame");
  });
});

describe("a preview", () => {
  it("shows a configuration with unsaved options, and issues nothing", async () => {
    const { configurations, credentials, configurationId } = academy;
    const { pdf } = await configurations.previewCredential({
      source: { case: "configurationId", value: configurationId },
      customOptions: { text_elements: { motto: { text: "Per aspera", y: 80 } } },
      userFullName: "Zoë Quist",
    });
    const text = await textOf(pdf);
    for (const part of ["Zoë Quist", "Per aspera", "Course One", "The second frame"])
      expect(text).toContain(part);
    expect((await credentials.listCredentials({ username: "Zoë Quist" })).credentials).toEqual([]);
  });

  it("refuses the same options as saving does", async () => {
    const { configurations, configurationId } = academy;
    const preview = configurations.previewCredential({
      source: { case: "configurationId", value: configurationId },
      customOptions: { text_elements: { name: { text: "{nmae}" } } },
    });
    const [code, message] = await refusal(preview);
    expect(code).toBe(Code.InvalidArgument);
    expect(message).toContain("nmae");
  });

  it("needs a source", async () => {
    expect(await refusal(academy.configurations.previewCredential({}))).toEqual([
      Code.InvalidArgument,
      "source is missing: set configuration_id, credential_type or credential_uuid.",
    ]);
  });
});

async function pdfOf(uuid: string): Promise<Uint8Array> {
  await expect
    .poll(async () => (await academy.credentials.getCredential({ uuid })).status)
    .toBe(CredentialStatus.AVAILABLE);
  const [file] = await academy.filesOf(uuid);
  const bytes = await academy.service.app.files.read(
    file?.slice(file.indexOf("/learning_credentials/") + 1) ?? "",
  );
  return bytes ?? new Uint8Array();
}
