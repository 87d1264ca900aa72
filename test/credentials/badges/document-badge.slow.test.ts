import { readFile, writeFile } from "node:fs/promises";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { revokeKey } from "#domain/credentials/badges/issuer-key-store.js";
import { createMakeDocumentBadge, type MakeDocumentBadge } from "#domain/credentials/badges/make-badge.js";
import { unbakePdf } from "#formats/badges/unbake-pdf.js";
import { verifyBadge } from "#formats/badges/verify-badge.js";
import {
  CredentialService,
  VerifiableCredentialFormat as Format,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { readPdf } from "../../rendering/read-pdf.js";
import { givenAcademy } from "../../support/academy.js";
import { findingsOn, repairOf } from "../../support/health.js";
import { startTestService, type TestService, tokenOf } from "../../support/service.js";
import { writeSigningKeys } from "../../support/signing-keys.js";

const academy = givenAcademy({ signs: true, settings: { PLATFORM_NAME: "Harbour Light" } });

const everything = {
  results: true,
  email: true,
  tags: ["stars", "night sky"],
  image: "https://academy.test/star.png",
};

async function issued(
  username: string,
  { email, ...parts }: { email?: string; makeDocumentBadge?: MakeDocumentBadge } = {},
): Promise<string> {
  await academy.enrol(username);
  if (email !== undefined)
    await academy.report({ case: "learner", value: { username, fullName: `Learner ${username}`, email } });
  const { uuid } = await academy.issue(username);
  await academy.generate(uuid, parts);
  return uuid;
}

async function badgeOf(uuid: string): Promise<string> {
  const { content } = await academy.credentials.getVerifiableCredential({ uuid, format: Format.JSON });
  return Buffer.from(content).toString();
}

async function fileOf(uuid: string): Promise<{ path: string; bytes: Buffer }> {
  const [path = ""] = await academy.filesOf(uuid);
  return { path, bytes: await readFile(path) };
}

const keyOf = async (uuid: string) =>
  (await academy.service.app.database.knex("credentials").where({ uuid }).first("badge_key")).badge_key;

test("the file of a credential contains the badge that the service returns, with the same facts", async () => {
  const uuid = await issued("ana");
  const { bytes } = await fileOf(uuid);
  const badge = unbakePdf(bytes) ?? "";
  expect(badge).toBe(await badgeOf(uuid));
  const said = JSON.parse(badge);
  expect((await readPdf(bytes)).text).toContain(said.credentialSubject.identifier[0].identityHash);
  expect(said.proof.verificationMethod.endsWith(`#${await keyOf(uuid)}`)).toBe(true);
});

test("the same row gives the same bytes, which is how a lost file is restored", async () => {
  const uuid = await issued("bea");
  const { path, bytes } = await fileOf(uuid);
  await academy.service.app.files.delete(path.slice(path.indexOf("learning_credentials/")));
  const { app } = academy.service;
  expect(await repairOf(app)({ kind: "missing-file", credentialUuid: uuid, detail: "" })).toBe("repaired");
  expect((await fileOf(uuid)).bytes.equals(bytes)).toBe(true);
});

test("a file made before files contained badges is restored without one", async () => {
  const { app } = academy.service;
  const uuid = await issued("cid", { makeDocumentBadge: async () => undefined });
  const { path, bytes } = await fileOf(uuid);
  expect([unbakePdf(bytes), await keyOf(uuid)]).toEqual([undefined, null]);
  expect(await badgeOf(uuid)).toContain('"proof"');
  await app.files.delete(path.slice(path.indexOf("learning_credentials/")));
  expect(await repairOf(app)({ kind: "missing-file", credentialUuid: uuid, detail: "" })).toBe("repaired");
  expect((await fileOf(uuid)).bytes.equals(bytes)).toBe(true);
});

test("a type without badges has none in its files", async () => {
  const { configurations } = academy;
  const { credentialTypes } = await configurations.listCredentialTypes({});
  const [type] = credentialTypes;
  const update = (custom: object) =>
    configurations.updateCredentialType({
      credentialType: { ...type, etag: "", customOptions: { ...type?.customOptions, ...custom } },
    } as never);
  await update({ open_badge: false });
  const uuid = await issued("dan");
  await update({});
  expect(unbakePdf((await fileOf(uuid)).bytes)).toBeUndefined();
  expect(await keyOf(uuid)).toBeNull();
});

describe("doctor", () => {
  test("finds no fault if files and rows agree", async () => {
    await issued("hal");
    expect(await findingsOn(academy.service.app)).toEqual([]);
  });

  test("finds no fault in badges with all optional facts", async () => {
    await academy.configure({ open_badge: everything });
    const uuid = await issued("lea", { email: "Lea@Uni.test" });
    await academy.configure({});
    const { credentialSubject } = JSON.parse(await badgeOf(uuid));
    expect(credentialSubject.identifier).toHaveLength(2);
    expect(credentialSubject.result).not.toEqual([]);
    expect(await findingsOn(academy.service.app)).toEqual([]);
  });

  test.each([
    ["user_full_name", "Mallory"],
    ["learning_context_name", "Brain Surgery"],
    ["credential_type", "Doctorate"],
    ["created_at", "2020-01-01T00:00:00Z"],
  ])("finds a file that differs from its row: another %s", async (column, value) => {
    const { app } = academy.service;
    const uuid = await issued(`ida-${column}`);
    const rows = app.database.knex("credentials").where({ uuid });
    const before = await rows.clone().first(column);
    await rows.clone().update({ [column]: value });
    const found = await findingsOn(app);
    await rows.clone().update(before);
    expect(found).toContainEqual(
      expect.objectContaining({
        kind: "mismatched-badge",
        credentialUuid: uuid,
        detail: expect.stringContaining("does not match the credential's row"),
      }),
    );
    expect(found.filter(({ kind }) => kind === "mismatched-badge")).toHaveLength(1);
  });

  test("finds a file with the badge of another, or with none", async () => {
    const { app } = academy.service;
    const uuid = await issued("jon");
    const { path, bytes } = await fileOf(uuid);
    const foreign = unbakePdf((await fileOf(await issued("kim"))).bytes) ?? "";
    const own = unbakePdf(bytes) ?? "";
    for (const [swapped, detail] of [
      [
        bytes.toString("latin1").replace(own, foreign.padEnd(own.length)),
        "does not match the credential's row",
      ],
      [bytes.toString("latin1").replace(own, own.replace("Learner jon", "Learner joe")), "is not signed by"],
      [bytes.toString("latin1").replace("/EmbeddedFile\n", "/Embeddedfile\n"), "contains no badge"],
    ]) {
      await writeFile(path, Buffer.from(swapped ?? "", "latin1"));
      const found = await findingsOn(app);
      expect(found).toContainEqual(
        expect.objectContaining({ kind: "mismatched-badge", detail: expect.stringContaining(detail ?? "") }),
      );
      expect(found).toContainEqual(expect.objectContaining({ kind: "damaged-file", credentialUuid: uuid }));
    }
    await writeFile(path, bytes);
    expect(await findingsOn(app)).toEqual([]);
  });

  test("finds keys that are not published, or missing", async () => {
    const { app } = academy.service;
    const { fragment = "", jwk } = app.signingKeys?.own.all[0] ?? {};
    await app.database.knex("issuer_keys").where({ fragment }).delete();
    const found = await findingsOn(app, { withHashes: false });
    await app.database.knex("issuer_keys").insert({ fragment, jwk: JSON.stringify(jwk) });
    expect(found.map(({ kind }) => kind)).toEqual(["unpublished-key", "unpublished-key"]);
    const without = await findingsOn({ ...app, signingKeys: undefined }, { withHashes: false });
    expect(without.map(({ kind }) => kind)).toEqual(["missing-signing-key"]);
  });
});

describe("after a rotation", () => {
  let before: string;
  let oldKeys: string;
  let newKeys: string;
  let rotated: TestService;
  beforeAll(async () => {
    before = await issued("eva");
    const { config } = academy.service.app;
    oldKeys = config.signingKeyFiles.join(",");
    newKeys = await writeSigningKeys(config.dataDir, "new");
  });
  afterEach(() => rotated?.stop());

  async function rotate(SIGNING_KEY_FILES: string) {
    rotated = await startTestService({ beside: academy.service, settings: { SIGNING_KEY_FILES } });
    const credentials = rotated.client(
      CredentialService,
      await tokenOf({ username: "registrar", isStaff: true }),
    );
    return {
      app: rotated.app,
      async badgeOf(uuid: string): Promise<string> {
        const { content } = await credentials.getVerifiableCredential({ uuid, format: Format.JSON });
        return Buffer.from(content).toString();
      },
    };
  }

  async function problemsOf(badge: string): Promise<readonly string[] | undefined> {
    const fetchJson = async (url: string) => {
      const answer = await fetch(rotated.httpUrl + url.slice("https://credentials.test".length));
      return answer.json();
    };
    return (await verifyBadge(badge, fetchJson, new Date()))?.problems;
  }

  test("a badge signed by the old key is restored with the same bytes while the key is kept; new badges use the new key", async () => {
    const old = await badgeOf(before);
    const { badgeOf: now, app } = await rotate(`${newKeys},${oldKeys}`);
    expect(await now(before)).toBe(old);
    const { path, bytes } = await fileOf(before);
    await app.files.delete(path.slice(path.indexOf("learning_credentials/")));
    expect(await repairOf(app)({ kind: "missing-file", credentialUuid: before, detail: "" })).toBe(
      "repaired",
    );
    expect((await fileOf(before)).bytes.equals(bytes)).toBe(true);
    const publicUrl = app.publicUrl;
    const makeDocumentBadge = createMakeDocumentBadge({ ...app, publicUrl });
    const after = await issued("fay", { makeDocumentBadge });
    expect(await keyOf(after)).toBe(app.signingKeys?.own.all[0]?.fragment);
    expect(await keyOf(before)).not.toBe(await keyOf(after));
    for (const badge of [old, await now(after)]) expect(await problemsOf(badge)).toEqual([]);
  });

  test("without the old key, its badges still verify, and its files can't be restored", async () => {
    const old = await badgeOf(before);
    const { badgeOf: now, app } = await rotate(newKeys);
    expect(await problemsOf(old)).toEqual([]);
    expect(await now(before)).not.toBe(old);
    expect(await problemsOf(await now(before))).toEqual([]);
    expect(await repairOf(app)({ kind: "missing-file", credentialUuid: before, detail: "" })).toMatchObject({
      because: expect.stringContaining(await keyOf(before)),
    });
  });

  test("revoking a key invalidates only what it has signed, and it signs nothing more", async () => {
    const old = await badgeOf(before);
    const { badgeOf: now, app } = await rotate(`${oldKeys},${newKeys}`);
    const after = await issued("gil", {
      makeDocumentBadge: createMakeDocumentBadge({ ...app, publicUrl: app.publicUrl }),
    });
    expect(await keyOf(after)).toBe(await keyOf(before));
    expect(await revokeKey(app.database.knex, await keyOf(before), "It was stolen.")).toBe(true);
    expect(await revokeKey(app.database.knex, await keyOf(before), "Again.")).toBe(false);
    await vi.waitFor(async () => expect(await now(before)).not.toBe(old), { timeout: 60_000, interval: 200 });
    expect(await problemsOf(old)).toEqual(["The issuer does not publish the key that signed the badge."]);
    expect(await problemsOf(await now(before))).toEqual([]);
    const document = await (await fetch(`${rotated.httpUrl}/.well-known/did.json`)).text();
    const found = await findingsOn(app, { withHashes: false });
    expect(found).toMatchObject([
      { kind: "revoked-key", detail: expect.stringContaining(await keyOf(before)) },
    ]);
    expect(document).not.toContain(await keyOf(before));
    expect(document).toContain(app.signingKeys?.own.all[2]?.fragment);
  });
});
