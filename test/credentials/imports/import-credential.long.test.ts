import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, it } from "vitest";
import { parseImportedCredential } from "#api/services/requests/parse-imported-credential.js";
import { type ImportDeps, importCredential } from "#domain/credentials/imports/import-credential.js";
import { createImportDeps } from "#domain/credentials/imports/import-deps.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import type { ImportedCredentialSchema } from "#gen/learning_credentials/v1/imported_credential_pb.js";
import { onePage, pdf, stream } from "../../assets/inspection/make-pdf.js";
import { ada } from "../../rendering/ada.js";
import { scanQr } from "../../rendering/design/scan-qr.js";
import { drawPdf } from "../../rendering/draw-pdf.js";
import { COURSE, givenAcademy } from "../../support/academy.js";
import { stopHealthy } from "../../support/health.js";
import { refusal } from "../../support/refusal.js";
import { issuedPdf } from "../issued-pdf.js";

const LMS = { kind: "service", name: "lms" } as const;

const { AVAILABLE, INVALIDATED, GENERATING } = CredentialStatus;
const MOMENT = new Date("2019-05-20T08:15:30.750Z");
const LATER = new Date("2021-03-01T12:00:00.123Z");
const PDF = issuedPdf("as it was printed in 2019");

type Foreign = MessageInitShape<typeof ImportedCredentialSchema>;

const academy = givenAcademy({ worker: true }, stopHealthy);

function foreign(username: string, more: Foreign = {}): Foreign & { verifyUuid: string } {
  return {
    verifyUuid: randomUUID(),
    legacyId: `legacy-${username}`,
    username,
    userFullName: "Ada Lovelace",
    learningContextKey: COURSE,
    learningContextName: "Course One\nas it was called then",
    credentialType: "Certificate",
    createTime: timestampFromDate(MOMENT),
    file: PDF,
    ...more,
  };
}

const invalid = (username: string, more: Foreign = {}) =>
  foreign(username, {
    status: INVALIDATED,
    invalidationReason: "Issued in error.\nReissued",
    invalidateTime: timestampFromDate(LATER),
    ...more,
  });

/**
 * Encrypts a file with AES-256, like the plug-in learning-credentials. By default, it opens without a password and can
 * only be printed.
 */
async function encrypted(file: Buffer, userPassword = "", useObjectStreams = false): Promise<Buffer> {
  const document = await PDFDocument.load(file, { updateMetadata: false });
  document.encrypt({ ownerPassword: "owner", userPassword, permissions: { printing: "highResolution" } });
  return Buffer.from(await document.save({ useObjectStreams }));
}

async function* each<T>(...values: T[]): AsyncGenerator<T> {
  yield* values;
}

function take(...credentials: Foreign[]) {
  return academy.platform.importCredentials(
    each(...credentials.map((credential) => ({ credentials: [credential] }))),
  );
}

async function metadata(verifyUuid: string): Promise<[number, unknown]> {
  const { httpUrl } = academy.service;
  const response = await fetch(`${httpUrl}/api/learning_credentials/v1/metadata/${verifyUuid}/`);
  return [response.status, await response.json()];
}

async function credentialOf(username: string) {
  const { credentials } = await academy.credentials.listCredentials({ username });
  expect(credentials).toHaveLength(1);
  return credentials[0] as (typeof credentials)[0];
}

/** Returns the paths of all files in the store with these contents. */
async function filesWith(content: Uint8Array): Promise<string[]> {
  const directory = join(academy.service.app.config.dataDir, "files");
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const contents = await Promise.all(paths.map((path) => readFile(path)));
  return paths.filter((_, index) => contents[index]?.equals(content));
}

describe("a credential of another system", () => {
  it("keeps its verification UUID, dates, names and file, and is neither emailed nor generated again", async () => {
    const { knex } = academy.service.app.database;
    const address = "keeper@uni.test";
    await academy.report({
      case: "learner",
      value: { username: "keeper", fullName: "Ada King", email: address },
    });
    const fromElsewhere = foreign("keeper");
    expect(
      await take({ ...fromElsewhere, verifyUuid: fromElsewhere.verifyUuid.toUpperCase() }),
    ).toMatchObject({
      received: 1,
      imported: 1,
      unchanged: 0,
      rejectedCount: 0,
    });
    const credential = await credentialOf("keeper");
    expect(credential).toMatchObject({
      verifyUuid: fromElsewhere.verifyUuid,
      userFullName: "Ada Lovelace",
      learningContextName: fromElsewhere.learningContextName,
      credentialType: "Certificate",
      configurationId: academy.configurationId,
      status: AVAILABLE,
      fileSha256: createHash("sha256").update(PDF).digest("hex"),
      fileSize: PDF.length,
    });
    expect(await metadata(fromElsewhere.verifyUuid)).toEqual([
      200,
      {
        user_full_name: "Ada Lovelace",
        created: "2019-05-20T08:15:30Z",
        learning_context_name: fromElsewhere.learningContextName,
        status: "available",
        invalidation_reason: "",
      },
    ]);
    const { url } = await academy.credentials.getDownloadUrl({ uuid: credential.uuid });
    const response = await fetch(url.replace("https://credentials.test", academy.service.httpUrl));
    expect(Buffer.from(await response.arrayBuffer())).toEqual(PDF);
    expect(
      await knex("credentials").where({ uuid: credential.uuid }).first("legacy_id", "issued_by"),
    ).toEqual({
      legacy_id: "legacy-keeper",
      issued_by: "lms",
    });
    expect(await knex("jobs").whereRaw("payload::text ~ ?", credential.uuid).count()).toEqual([{ count: 0 }]);
    const { rows } = await knex.raw(
      `select type, status_before, status_after, name as actor from (
         select type, credential_uuid, actor_id, status_before, status_after from credential_events
         union all select type, credential_uuid, actor_id, status_before, status_after from unsealed_credential_events
       ) event join credential_event_actors actor on actor.id = actor_id where credential_uuid = ?`,
      [credential.uuid],
    );
    expect(rows).toEqual([
      { type: "imported", status_before: null, status_after: "available", actor: "lms" },
    ]);
  });

  it("verifies by the QR code that was printed on it", { timeout: 180_000 }, async () => {
    const fromElsewhere = foreign("printed");
    const printed = await academy.service.app.renderer.render(
      "learning_credentials.generators.generate_pdf_credential",
      {
        ...ada,
        verifyUuid: fromElsewhere.verifyUuid,
        verifyUrl: `https://credentials.test/verify/${fromElsewhere.verifyUuid}/`,
      },
      {},
      await academy.service.app.loadAssets({}),
    );
    await take({ ...fromElsewhere, file: printed });
    const canvas = await drawPdf(printed, 3);
    const words = scanQr(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)) ?? "";
    const page = await fetch(words.replace("https://credentials.test", academy.service.httpUrl));
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("Ada Lovelace");
  });

  it("that may be printed but not copied from is served byte for byte", async () => {
    const file = await encrypted(PDF);
    const fromElsewhere = foreign("protected", { file });
    await take(fromElsewhere);
    const { uuid } = await credentialOf("protected");
    const { url } = await academy.credentials.getDownloadUrl({ uuid });
    const served = await fetch(url.replace("https://credentials.test", academy.service.httpUrl));
    expect(Buffer.from(await served.arrayBuffer()).equals(file)).toBe(true);
  });

  it("that was invalidated is imported as such, and no link leads to its file", async () => {
    const fromElsewhere = invalid("withdrawn");
    await take(fromElsewhere);
    expect(await metadata(fromElsewhere.verifyUuid)).toMatchObject([
      200,
      {
        status: "invalidated",
        invalidation_reason: "Issued in error.\nReissued",
        created: "2019-05-20T08:15:30Z",
      },
    ]);
    const credential = await credentialOf("withdrawn");
    expect(credential.invalidateTime).toEqual(timestampFromDate(LATER));
    expect(await academy.filesOf(credential.uuid)).toEqual([]);
    expect(await academy.filesOf(credential.uuid, "_invalidated")).toHaveLength(1);
    await take(invalid("fileless", { file: new Uint8Array() }));
    expect(await credentialOf("fileless")).toMatchObject({ status: INVALIDATED, fileSha256: "" });
  });

  it("can be invalidated and reissued like one issued here", async () => {
    const fromElsewhere = foreign("ours");
    await take(fromElsewhere);
    await academy.enrol("ours");
    const { uuid } = await credentialOf("ours");
    const issue = () => academy.issue("ours");
    expect((await issue()).uuid).toBe(uuid);
    await academy.credentials.invalidateCredential({ uuid, reason: "A misprint." });
    await expect.poll(() => academy.filesOf(uuid, "_invalidated")).toHaveLength(1);
    expect(await take(fromElsewhere)).toMatchObject({ imported: 0, unchanged: 1 });
    expect((await issue()).uuid).not.toBe(uuid);
  });
});

describe("its origin in another system", () => {
  it("is shown to staff and services, with its issuer and its identifier there", async () => {
    const before = Date.now();
    await take(foreign("told", { issuer: "University of Elsewhere" }), foreign("untold", { legacyId: "" }));
    const listed = await credentialOf("told");
    expect(listed).toMatchObject({ legacyId: "legacy-told", issuer: "University of Elsewhere" });
    expect(Number(listed.importTime?.seconds) * 1000).toBeGreaterThan(before - 60_000);
    expect(await academy.credentials.getCredential({ uuid: listed.uuid })).toEqual(listed);
    const issuedHere = await credentialOf("untold");
    expect(issuedHere).toMatchObject({ legacyId: "", issuer: "" });
    expect(issuedHere.importTime).toBeDefined();
    await academy.enrol("issued here");
    const ours = await academy.issue("issued here");
    expect(ours).toMatchObject({ legacyId: "", issuer: "" });
    expect(ours.importTime).toBeUndefined();
  });

  it("changes none of the contract's five fields", async () => {
    const fromElsewhere = foreign("five", { issuer: "University of Elsewhere" });
    await take(fromElsewhere);
    const [, body] = await metadata(fromElsewhere.verifyUuid);
    expect(Object.keys(body as object)).toEqual([
      "user_full_name",
      "created",
      "learning_context_name",
      "status",
      "invalidation_reason",
    ]);
  });

  it("is covered by its event: a changed issuer is detected", async () => {
    const fromElsewhere = foreign("vouched", { issuer: "University of Elsewhere" });
    await take(fromElsewhere);
    const { knex } = academy.service.app.database;
    const commitment = async () => {
      const { rows } = await knex.raw(
        `select encode(credential_commitment(credentials), 'hex') as now,
           (select encode(commitment, 'hex') from (
              select credential_uuid, commitment from credential_events
              union all select credential_uuid, commitment from unsealed_credential_events
            ) event where credential_uuid = uuid) as then
         from credentials where verify_uuid = ?`,
        [fromElsewhere.verifyUuid],
      );
      return rows[0];
    };
    const asImported = await commitment();
    expect(asImported.now).toBe(asImported.then);
    await knex("credentials")
      .where({ verify_uuid: fromElsewhere.verifyUuid })
      .update({ original_issuer: "Harvard" });
    expect((await commitment()).now).not.toBe(asImported.then);
    await knex("credentials")
      .where({ verify_uuid: fromElsewhere.verifyUuid })
      .update({ original_issuer: "University of Elsewhere" });
    expect((await commitment()).now).toBe(asImported.then);
  });
});

describe("a file with active content is refused, naming the content and the remedy:", () => {
  const REMEDY = "Print it to a new PDF, which contains only what is visible, and upload the new file.";

  it.each<[string, Buffer | Promise<Buffer>, string]>([
    [
      "a script that runs when it is opened",
      onePage({ catalog: "/OpenAction << /S /JavaScript /JS (app.alert(1)) >>" }),
      `The PDF contains JavaScript, which is not allowed in credentials. ${REMEDY}`,
    ],
    [
      "a program that is launched",
      onePage({ catalog: "/OpenAction << /S /Launch /F (calc.exe) >>" }),
      `an action of the type Launch, which is not allowed in credentials. ${REMEDY}`,
    ],
    [
      "a form",
      onePage({ catalog: "/AcroForm << /Fields [<< /FT /Tx /T (name) >>] >>" }),
      `a form to fill in, which is not allowed in credentials. ${REMEDY}`,
    ],
    [
      "a password",
      pdf(["<< /Type /Catalog >>"], "/Encrypt 1 0 R"),
      "The PDF can't be opened without a password",
    ],
    ["a password to open it", encrypted(onePage(), "secret"), "The PDF can't be opened without a password"],
    [
      "a script in an encrypted file",
      encrypted(onePage({ catalog: "/OpenAction << /S /JavaScript /JS (app.alert(1)) >>" })),
      `The PDF contains JavaScript, which is not allowed in credentials. ${REMEDY}`,
    ],
    [
      "packed objects in an encrypted file",
      encrypted(onePage(), "", true),
      "The PDF is encrypted, and its objects are compressed",
    ],
    [
      "HTML behind its first line",
      Buffer.from("%PDF-1.7\n<script>alert(1)</script>"),
      "The PDF has a broken page tree.",
    ],
  ])("%s", async (_name, given, message) => {
    const file = await given;
    const fromElsewhere = foreign("active", { file });
    expect(await refusal(take(fromElsewhere))).toContain(message);
    expect((await metadata(fromElsewhere.verifyUuid))[0]).toBe(404);
    expect(await filesWith(file)).toEqual([]);
  });

  const nested = Array.from({ length: 13 }, (_, at) =>
    stream(
      `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F ${at + 6} 0 R >> >>`,
      Buffer.from("/F Do ".repeat(at < 12 ? 7 : 0)),
    ),
  );

  it.each<[string, Buffer, string]>([
    [
      "forms within forms",
      onePage({
        page: "/Resources << /XObject << /F 5 0 R >> >>",
        content: stream("", Buffer.from("/F Do")),
        more: nested,
      }),
      "draws more than 100000 times",
    ],
    [
      "the same as the face of an annotation",
      onePage({ page: "/Annots [<< /Subtype /Stamp /Rect [0 0 9 9] /AP << /N 5 0 R >> >>]", more: nested }),
      "draws more than 100000 times",
    ],
    [
      "states that a reader keeps, on its second page",
      pdf([
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R 5 0 R] /Count 2 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 842 595] /Contents 4 0 R >>",
        stream("", Buffer.from("0 g")),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 842 595] /Contents 6 0 R >>",
        stream("", Buffer.from("q ".repeat(1_000_000))),
      ]),
      "keeps more than 256 graphics states",
    ],
  ])("content that would attack readers is refused: %s", async (_name, file, message) => {
    const fromElsewhere = foreign("hanging", { file });
    expect(await refusal(take(fromElsewhere))).toContain(message);
    expect((await metadata(fromElsewhere.verifyUuid))[0]).toBe(404);
    expect(await filesWith(file)).toEqual([]);
  });

  it("but signatures are allowed", async () => {
    const signature = "<< /FT /Sig /T (Signature1) /Type /Annot /Subtype /Widget /Rect [0 0 0 0] /V 6 0 R >>";
    const value = "<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /Contents <00> >>";
    const signed = onePage({
      catalog: "/AcroForm << /SigFlags 3 /Fields [5 0 R] >>",
      page: "/Annots [5 0 R]",
      more: [signature, value],
    });
    expect(await take(foreign("signed", { file: signed }))).toMatchObject({ imported: 1 });
  });
});

describe("importing it again", () => {
  it("changes nothing, whether simultaneously or later", { timeout: 180_000 }, async () => {
    const content = issuedPdf("sent again and again");
    const fromElsewhere = foreign("again", { file: content });
    const answers = await Promise.all(Array.from({ length: 3 }, () => take(fromElsewhere, invalid("again"))));
    expect(answers.map(({ imported }) => imported).reduce((sum, count) => sum + count)).toBe(4);
    expect(await take(fromElsewhere)).toMatchObject({ received: 1, imported: 0, unchanged: 1 });
    expect(await filesWith(content)).toHaveLength(1);
  });

  it.each<[string, Foreign]>([
    ["legacy_id", { legacyId: "" }],
    ["issuer", { issuer: "Another University" }],
    ["username", { username: "somebody else" }],
    ["user_full_name", { userFullName: "Ada King" }],
    ["learning_context_name", { learningContextName: "Course 1" }],
    ["create_time", { createTime: timestampFromDate(LATER) }],
    ["file", { file: issuedPdf("another one") }],
    [
      "status, invalidation_reason, invalidate_time",
      { status: INVALIDATED, invalidationReason: "Why.", invalidateTime: timestampFromDate(LATER) },
    ],
  ])("with another %s is refused by name", async (field, change) => {
    const fromElsewhere = foreign(`changed ${field}`);
    await take(fromElsewhere);
    expect(await refusal(take({ ...fromElsewhere, ...change } as Foreign))).toBe(
      `FailedPrecondition: Credential 0 (counted from 0): ${fromElsewhere.verifyUuid} already exists, with a different ${field}.`,
    );
  });
});

describe("is refused, and leaves no file:", () => {
  const content = issuedPdf("refused");
  const DAYS_AHEAD = timestampFromDate(new Date(Date.now() + 3 * 86_400_000));

  it.each<[string, Foreign, string]>([
    ["no UUID", { verifyUuid: "x" }, 'verify_uuid is "x"; it must be a UUID'],
    [
      "the nil UUID",
      { verifyUuid: "00000000-0000-0000-0000-000000000000" },
      "too easy to guess: it has 1 different",
    ],
    [
      "the max UUID",
      { verifyUuid: "ffffffff-ffff-ffff-ffff-ffffffffffff" },
      "too easy to guess: it has 1 different",
    ],
    [
      "a UUID that counts",
      { verifyUuid: "00000000-0000-4000-8000-000000000017" },
      "too easy to guess: it has 5 different",
    ],
    [
      "the name of somebody erased",
      { username: `erased-${"0".repeat(32)}` },
      "reserved for learners who were erased",
    ],
    ["a long issuer", { issuer: "x".repeat(256) }, "issuer has 256 characters"],
    [
      "the year 1",
      { createTime: { seconds: -62_135_596_800n } },
      "create_time is 0001-01-01T00:00:00.000Z; it must not be before 1900.",
    ],
    [
      "the year 1899",
      { createTime: { seconds: -2_208_988_801n } },
      "create_time is 1899-12-31T23:59:59.000Z",
    ],
    ["no learner", { username: "" }, "username is empty"],
    ["a blank name", { userFullName: " " }, "user_full_name is blank"],
    [
      "a malformed key",
      { learningContextKey: "course-v1:x" },
      "learning_context_key: Invalid learning context key",
    ],
    ["a context without a name", { learningContextName: "" }, "learning_context_name is empty"],
    ["a long legacy id", { legacyId: "x".repeat(256) }, "legacy_id has 256 characters"],
    ["a status that passes", { status: GENERATING }, "status is GENERATING"],
    ["a status that there is not", { status: 9 as CredentialStatus }, "status is 9"],
    ["no moment of issuing", { createTime: undefined } as object, "create_time is missing"],
    ["a moment to come", { createTime: DAYS_AHEAD }, "create_time is 20"],
    ["a reason, though in force", { invalidationReason: "Why." }, "only allowed with the status INVALIDATED"],
    ["no reason", { status: INVALIDATED, invalidateTime: DAYS_AHEAD }, "invalidation_reason is empty"],
    ["no moment", { status: INVALIDATED, invalidationReason: "Why." }, "invalidate_time is missing"],
    [
      "invalidated before it was issued",
      { status: INVALIDATED, invalidationReason: "Why.", invalidateTime: timestampFromDate(new Date(0)) },
      "invalidate_time is before create_time",
    ],
    ["no file", { file: new Uint8Array() }, "file is not a PDF"],
    ["a file that is no PDF", { file: Buffer.from("<html>") }, "file is not a PDF"],
    ["a file that is too large", { file: Buffer.alloc(3 * 1024 * 1024 + 1) }, "file has 3145729 bytes"],
    [
      "an unknown type",
      { credentialType: "Diploma" },
      `there is no credential type named "Diploma": create it, and a configuration of it for ${COURSE}`,
    ],
    [
      "a context without configuration",
      { learningContextKey: "course-v1:A+B+C" },
      '"Certificate" is not configured for course-v1:A+B+C: create a credential configuration of credential type 1 for it',
    ],
  ])("%s", async (_, change, message) => {
    expect(await refusal(take(foreign("refused", { file: content, ...change })))).toContain(message);
    expect(await filesWith(content)).toEqual([]);
  });

  it("a second valid one", async () => {
    await take(foreign("holder"));
    const { uuid } = await credentialOf("holder");
    const second = foreign("holder", { file: content });
    expect(await refusal(take(second))).toBe(
      `FailedPrecondition: Credential 0 (counted from 0): ${second.verifyUuid} can't be imported: the learner already ` +
        `has the credential ${uuid} (available) under configuration ${academy.configurationId}: invalidate that credential first, ` +
        "or import this one as INVALIDATED.",
    );
    expect(await filesWith(content)).toEqual([]);
  });

  it("those of an erased learner, unless issued after the erasure", async () => {
    const fromElsewhere = foreign("erased", { file: content });
    await take(fromElsewhere);
    await academy.records.eraseLearner({ username: "erased" });
    expect(await refusal(take(fromElsewhere))).toContain("already exists, and its learner was erased");
    expect(await refusal(take(foreign("erased", { file: content })))).toContain(
      "can't be imported: the learner was erased after the credential was issued.",
    );
    await expect.poll(() => filesWith(content)).toEqual([]);
    const created = timestampFromDate(new Date(Date.now() + 60_000));
    expect(await take(foreign("erased", { createTime: created }))).toMatchObject({ imported: 1 });
  });
});

describe("a stream", () => {
  it("ends at the first credential that can't be imported, and keeps those before it", async () => {
    const [first, second] = [foreign("first"), foreign("second")];
    expect(await refusal(take(first, foreign("wrong", { username: "" }), second))).toContain(
      "InvalidArgument: Credential 1 (counted from 0): username is empty",
    );
    expect((await metadata(first.verifyUuid))[0]).toBe(200);
    expect((await metadata(second.verifyUuid))[0]).toBe(404);
  });

  it("continues past such credentials if requested", async () => {
    const good = foreign("good");
    const answer = await academy.platform.importCredentials(
      each(
        { skipInvalid: true, credentials: [foreign("bad", { credentialType: "Diploma" }), good] },
        { credentials: [foreign("worse", { username: "" })] },
      ),
    );
    expect(answer).toMatchObject({ received: 3, imported: 1, unchanged: 0, rejectedCount: 2 });
    expect(answer.rejected.map(({ index, reason }) => [index, reason])).toEqual([
      [0, expect.stringContaining('no credential type named "Diploma"')],
      [2, "username is empty."],
    ]);
  });

  it("that is empty is accepted", async () => {
    expect(await take()).toMatchObject({ received: 0, imported: 0 });
  });
});

describe("an import that fails halfway", () => {
  const content = issuedPdf("half-way");
  const parse = (message: Foreign) =>
    parseImportedCredential({
      status: 0,
      invalidationReason: "",
      issuer: "",
      uuid: "",
      aliases: [],
      ...message,
    } as never);

  function parts(): ImportDeps {
    return createImportDeps(academy.service.app);
  }

  it("is completed by repeating it: the store failed", async () => {
    const fromElsewhere = parse(foreign("store", { file: content }));
    const signal = new AbortController().signal;
    const files = {
      ...parts().files,
      async put() {
        throw new Error("the store is away");
      },
    };
    await expect(importCredential({ ...parts(), files }, fromElsewhere, LMS, signal)).rejects.toThrow("away");
    expect(await importCredential(parts(), fromElsewhere, LMS, signal)).toBe("imported");
  });

  it("is completed by repeating it: it was interrupted", async () => {
    const fromElsewhere = parse(foreign("interrupted", { file: content }));
    const abort = new AbortController();
    const files = {
      ...parts().files,
      async put(...file: Parameters<ImportDeps["files"]["put"]>) {
        await parts().files.put(...file);
        abort.abort(new Error("interrupted"));
      },
    };
    const before = await filesWith(content);
    await expect(importCredential({ ...parts(), files }, fromElsewhere, LMS, abort.signal)).rejects.toThrow(
      "interrupted",
    );
    expect(await filesWith(content)).toEqual(before);
    expect(await importCredential(parts(), fromElsewhere, LMS, new AbortController().signal)).toBe(
      "imported",
    );
    expect(await filesWith(content)).toHaveLength(before.length + 1);
  });

  it("is refused if the learner was erased while the file was uploaded", async () => {
    const fromElsewhere = parse(foreign("erased meanwhile", { file: content }));
    await academy.enrol("erased meanwhile");
    const files = {
      ...parts().files,
      async put(...file: Parameters<ImportDeps["files"]["put"]>) {
        await academy.records.eraseLearner({ username: "erased meanwhile" });
        await parts().files.put(...file);
      },
    };
    const before = await filesWith(content);
    const signal = new AbortController().signal;
    await expect(importCredential({ ...parts(), files }, fromElsewhere, LMS, signal)).rejects.toThrow(
      "was erased",
    );
    expect(await filesWith(content)).toEqual(before);
  });
});
