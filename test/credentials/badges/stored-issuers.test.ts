import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createMakeDocumentBadge } from "#domain/credentials/badges/make-badge.js";
import { verifyBadge } from "#formats/badges/verify-badge.js";
import { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import {
  CredentialService,
  CredentialVerdict,
  VerifiableCredentialFormat as Format,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { verifiedByCore } from "../../badges/verifier-core.js";
import { type Academy, openAcademy } from "../../support/academy.js";
import { rowsOf } from "../../support/database.js";
import { givenDirectory } from "../../support/directory.js";
import { findingsOn } from "../../support/health.js";
import { startTestService, type TestService, tokenOf } from "../../support/service.js";
import { writeSigningKeys } from "../../support/signing-keys.js";

const PUBLIC = "https://saved.test/learn";
const DID = "did:web:saved.test:learn";
const UNI = `${DID}:organisations:Uni`;
const uni = { organisation: "Uni", name: "University of the Harbour" };

const directory = givenDirectory("stored-issuers");
const lines: string[] = [];
const log = pino({ level: "trace" }, { write: (line) => void lines.push(line) });
let academy: Academy;
/** Another process of the same service. */
let other: TestService;
let settings: Record<string, string>;
beforeAll(async () => {
  settings = { PUBLIC_URL: PUBLIC, PLATFORM_NAME: "Harbour Light" };
  academy = await openAcademy({ signs: true, settings, log });
  settings.SIGNING_KEY_FILES = academy.service.app.config.signingKeyFiles.join(",");
  other = await startTestService({ beside: academy.service, settings, log });
});
afterAll(async () => {
  await other.stop();
  await academy.service.stop();
});
const administration = async (at = academy.service) =>
  at.client(AdministrationService, await tokenOf({ username: "ops", service: "write" }));
const staffOf = async (at = academy.service) =>
  at.client(CredentialService, await tokenOf({ username: "registrar", isStaff: true }));
const organisationAt = async (at = academy.service, organisation = "Uni") => {
  const { organisations } = await (await administration(at)).listOrganisations({});
  return organisations.find((each) => each.organisation === organisation);
};

beforeEach(async () => {
  const { issuer } = (await organisationAt()) ?? {};
  if (issuer) await (await administration()).deleteIssuer({ organisation: "Uni", etag: issuer.etag });
});

/** Issues in one process, and generates the file in another. */
async function issued(username: string, at = academy.service, worker = other): Promise<string> {
  await academy.enrol(username);
  const { configurationId } = academy;
  const { uuid } = await (await staffOf(at)).issueCredential({ configurationId, username });
  await academy.generate(uuid, {
    makeDocumentBadge: createMakeDocumentBadge({ ...worker.app, publicUrl: PUBLIC }),
  });
  return uuid;
}
async function badgeOf(uuid: string, at = academy.service) {
  const { content } = await (await staffOf(at)).getVerifiableCredential({ uuid, format: Format.JSON });
  return JSON.parse(Buffer.from(content).toString());
}
const local = (url: string) =>
  url.startsWith(`${PUBLIC}/`) ? other.httpUrl + url.slice(PUBLIC.length) : undefined;

describe("an issuer that an administrator saves", () => {
  test("signs at once in every process, and what it has issued doesn't change when it does", async () => {
    const before = await issued("ana");
    const saved = await (await administration()).setIssuer({ ...uni, url: "https://uni.test" });
    expect(saved).toMatchObject({
      name: uni.name,
      keyCount: 2,
      isStored: true,
      isInFile: false,
      problem: "",
    });
    const uuid = await issued("ben");
    const badge = await badgeOf(uuid, other);
    expect(badge.issuer).toMatchObject({ id: UNI, name: uni.name, url: "https://uni.test" });
    const { checks, errors } = await verifiedByCore(badge, local);
    expect(errors).toEqual([]);
    expect(checks).toMatchObject({ valid_signature: true, revocation_status: true });
    expect((await badgeOf(before)).issuer.id).toBe(DID);

    const { issuer } = (await organisationAt(other)) ?? {};
    await (await administration(other)).setIssuer({
      ...uni,
      name: "Harbour College",
      etag: issuer?.etag ?? "",
    });
    expect((await badgeOf(uuid)).issuer).toEqual(badge.issuer);
    const renamed = (await organisationAt())?.issuer;
    await (await administration()).deleteIssuer({ organisation: "Uni", etag: renamed?.etag ?? "" });
    const after = await issued("cat");
    expect((await badgeOf(after)).issuer).toMatchObject({ id: DID, name: "Harbour Light" });
    // Credentials of the former issuer can be verified, repaired and withdrawn.
    expect(await organisationAt()).toMatchObject({ formerIssuer: { name: "Harbour College", keyCount: 2 } });
    expect(await badgeOf(uuid)).toEqual(badge);
    expect((await verifiedByCore(badge, local)).checks).toMatchObject({ valid_signature: true });
    const file = { subject: { case: "file", value: Buffer.from(JSON.stringify(badge)) } } as const;
    expect((await (await staffOf()).verifyCredential(file)).verdict).toBe(CredentialVerdict.GENUINE);
    expect(await findingsOn(academy.service.app)).toEqual([]);
    await academy.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
    expect((await verifiedByCore(badge, local)).checks).toMatchObject({ revocation_status: false });

    await (await administration()).setIssuer(uni);
    const resumed = await badgeOf(await issued("dan"));
    expect(resumed.issuer.id).toBe(UNI);
    expect(resumed.proof.verificationMethod).toBe(badge.proof.verificationMethod);
  });

  test("gets new keys, which don't sign before verifiers can know them", async () => {
    await (await administration()).setIssuer(uni);
    const first = await badgeOf(await issued("eve"));
    const etag = (await organisationAt())?.issuer?.etag ?? "";
    const saved = await (await administration()).setIssuer({ ...uni, etag, replacesKeys: true });
    expect(saved.keyCount).toBe(4);
    const second = await badgeOf(await issued("fay"));
    expect(second.proof.verificationMethod).toBe(first.proof.verificationMethod);
    // After five minutes, the new key signs.
    await academy.service.app.database.knex.raw(
      `update stored_settings set etag = gen_random_uuid(), secrets = (
         select jsonb_object_agg(key, jsonb_set(value, '{setAt}', to_jsonb(((value->>'setAt')::timestamptz - interval '5 minutes')::text)))
         from jsonb_each(secrets)) where kind = 'issuer' and name = 'Uni'`,
    );
    await other.app.storedIssuers.refresh();
    await academy.service.app.storedIssuers.refresh();
    const third = await badgeOf(await issued("gil"));
    expect(third.proof.verificationMethod).not.toBe(first.proof.verificationMethod);
    const { problems } = (await verifyBadge(JSON.stringify(third), fetchJson, new Date())) ?? {};
    expect(problems).toEqual([]);
  });

  test("has its keys only encrypted in the database, and nowhere else", async () => {
    const { setIssuer, listAuditEntries } = await administration();
    const saved = await setIssuer(uni);
    const changed = await setIssuer({ ...uni, description: "By the sea", etag: saved.etag });
    const read = async () => (await listAuditEntries({ object: "organisation:Uni" })).entries;
    const audit = async () => JSON.stringify(await read(), big);
    await expect.poll(audit).toMatch(/"path":"description"[^}]*By the sea/);
    await expect.poll(audit).toMatch(/"path":"secrets\.ed25519-[^}]*set/);
    const [{ dump = "" } = {}] = await rowsOf<{ dump: string }>(
      academy.service.app.config.databaseUrl ?? "",
      "select (select json_agg(s) from stored_settings s)::text || (select json_agg(k) from issuer_keys k)::text as dump",
    );
    const seen = [dump, await audit(), JSON.stringify(changed, big), lines.join("\n")].join("\n");
    expect(seen).not.toMatch(/PRIVATE KEY|"d":|MC4CAQAwBQYDK2Vw|MIGHAgEAMBMGByqGSM49/);
    expect(lines.length).toBeGreaterThan(10);
  });

  test("isn't replaced by another one if its keys can't be read", async () => {
    await (await administration()).setIssuer(uni);
    const lost = await startTestService({
      beside: academy.service,
      settings: { ...settings, SETTINGS_SECRET: "another secret, so that nothing can be read" },
    });
    try {
      const { issuer } = (await organisationAt(lost)) ?? {};
      expect(issuer).toMatchObject({ name: uni.name, keyCount: 0 });
      expect(issuer?.problem).toContain("was encrypted with a different SETTINGS_SECRET");
      const uuid = await issued("hal", lost, lost);
      const { status, errorReason } = await academy.credentials.getCredential({ uuid });
      expect(status).toBe(CredentialStatus.ERROR);
      expect(errorReason).toContain("Uni issues the badge, but its keys can't be read");

      await (await administration()).setIssuer({ organisation: "Law", name: "Law" });
      const unreadable = (await organisationAt(lost, "Law"))?.issuer;
      const replacing = {
        organisation: "Law",
        name: "Law",
        replacesKeys: true,
        etag: unreadable?.etag ?? "",
      };
      const replaced = await (await administration(lost)).setIssuer(replacing);
      expect(replaced).toMatchObject({ keyCount: 2, problem: "" });
    } finally {
      await lost.stop();
    }
  });

  test.each([
    [{ organisation: "a b", name: "A" }, "InvalidArgument: organisation is"],
    [{ organisation: "Uni", name: " " }, "InvalidArgument: name must not be empty"],
    [{ ...uni, url: "http://uni.test" }, "InvalidArgument: url must be a URL with https://"],
    [{ ...uni, image: "https://a@uni.test/" }, "InvalidArgument: image must not contain a username"],
    [{ ...uni, description: "x".repeat(1001) }, "InvalidArgument: description"],
    [{ ...uni, etag: "old" }, "Aborted: The issuer Uni was changed since its etag was read"],
    [{ organisation: "", name: "A" }, 'FailedPrecondition: PLATFORM_NAME sets name to "Harbour Light"'],
    [{ organisation: "", replacesKeys: true }, "InvalidArgument: replaces_keys must be false"],
  ])("is refused as %j", async (request, problem) => {
    await expect((await administration()).setIssuer(request)).rejects.toThrow(asText(problem));
  });

  test("can be saved for a hundred organisations, and the error then names what helps", async () => {
    const { knex } = academy.service.app.database;
    await knex.raw(
      `insert into stored_settings (kind, name, options, secrets)
       select 'issuer', 'full-' || n, '{"name": "Full", "isStopped": true}', '{}' from generate_series(1, 100) n`,
    );
    await expect((await administration()).setIssuer({ organisation: "More", name: "More" })).rejects.toThrow(
      "There are already 100 saved issuers: set up further organisations in ISSUERS_FILE",
    );
    await knex.raw("delete from stored_settings where name like 'full-%'");
  });

  test("is changed and deleted only as it was read, and created once", async () => {
    const { setIssuer, deleteIssuer } = await administration();
    await expect(deleteIssuer({ organisation: "Uni" })).rejects.toThrow('There is no saved issuer for "Uni"');
    const { etag } = await setIssuer(uni);
    await expect(setIssuer(uni)).rejects.toThrow('"Uni" already has a saved issuer');
    await expect(deleteIssuer({ organisation: "Uni", etag: "old" })).rejects.toThrow(
      "The issuer Uni was changed since its etag was read",
    );
    await deleteIssuer({ organisation: "Uni", etag });
    await expect(deleteIssuer({ organisation: "Uni", etag })).rejects.toThrow(
      'There is no saved issuer for "Uni"',
    );
  });
});

test("the website, description and logo of the service itself are saved, and the environment wins", async () => {
  const { setIssuer, deleteIssuer, listOrganisations } = await administration();
  const texts = {
    url: "https://light.test",
    description: "An academy",
    image: "https://light.test/logo.png",
  };
  let { etag } = await setIssuer(texts);
  const fixed = await startTestService({
    beside: academy.service,
    settings: { ...settings, ISSUER_URL: "https://fixed.test" },
  });
  try {
    const { defaultIssuer } = await (await administration(fixed)).listOrganisations({});
    expect(defaultIssuer).toMatchObject({
      ...texts,
      url: "https://fixed.test",
      variables: ["PLATFORM_NAME", "ISSUER_URL"],
      isStored: true,
    });
    const atFixed = await administration(fixed);
    await expect(atFixed.setIssuer({ url: "https://other.test", etag })).rejects.toThrow(
      '[failed_precondition] ISSUER_URL sets url to "https://fixed.test"',
    );
    // The console sends what it shows. Values from the environment aren't saved.
    ({ etag } = await atFixed.setIssuer({ ...texts, url: "https://fixed.test", etag }));
    const here = await listOrganisations({});
    expect(here.defaultIssuer).toMatchObject({ ...texts, url: "" });
    ({ etag } = await setIssuer({ ...texts, etag }));
    const { issuer } = await badgeOf(await issued("ida"));
    expect(issuer).toMatchObject({ id: DID, url: texts.url, description: texts.description });
  } finally {
    await fixed.stop();
  }
  await deleteIssuer({ etag });
  expect((await listOrganisations({})).defaultIssuer).toMatchObject({ url: "", isStored: false });
  expect((await badgeOf(await issued("jan"))).issuer.description).toBeUndefined();
});

test("an issuer in ISSUERS_FILE overrides a saved one, and can't be saved", async () => {
  await (await administration()).setIssuer(uni);
  const file = join(directory, "issuers.json");
  const keys = (await writeSigningKeys(directory, "uni")).split(",");
  await writeFile(file, JSON.stringify({ Uni: { name: "Uni of the file", signing_keys: keys } }));
  const filed = await startTestService({
    beside: academy.service,
    settings: { ...settings, ISSUERS_FILE: file },
  });
  try {
    const { issuer } = (await organisationAt(filed)) ?? {};
    expect(issuer).toMatchObject({ name: "Uni of the file", isInFile: true, isStored: true });
    const { setIssuer } = await administration(filed);
    const refusal = '[failed_precondition] ISSUERS_FILE sets the issuer of "Uni": change it in that file';
    await expect(setIssuer({ ...uni, etag: issuer?.etag ?? "" })).rejects.toThrow(refusal);
    await expect(setIssuer(uni)).rejects.toThrow(refusal);
    expect((await organisationAt())?.issuer).toMatchObject({ name: uni.name, isInFile: false });
  } finally {
    await filed.stop();
  }
});

test("without signing keys or SETTINGS_SECRET, it says what is missing", async () => {
  for (const [changes, problem] of [
    [{ SIGNING_KEY_FILES: "none" }, "This service signs no Open Badges: set SIGNING_KEY_FILES"],
    [{ SETTINGS_SECRET: "" }, "SETTINGS_SECRET is not set"],
  ] as const) {
    const lacking = await startTestService({
      beside: academy.service,
      settings: { ...settings, ...changes },
    });
    const { listOrganisations, setIssuer } = await administration(lacking);
    expect((await listOrganisations({})).issuerObstacle).toContain(problem);
    await expect(setIssuer({ organisation: "New", name: "New" })).rejects.toThrow(problem);
    await lacking.stop();
  }
});

describe("without key files, a service with a database of its own", () => {
  const keyless = { PUBLIC_URL: PUBLIC, SIGNING_KEY_FILES: "" };
  const own = async (at: TestService) =>
    (await (await administration(at)).listOrganisations({})).defaultIssuer;
  const beside = (changes = {}) =>
    startTestService({ beside: keep.service, settings: { ...keyless, ...changes } });
  const keep = {} as Academy;
  beforeAll(async () => void Object.assign(keep, await openAcademy({ settings: keyless, log })));
  afterAll(() => keep.service.stop());

  async function credentialFrom(username: string, worker: TestService) {
    await keep.enrol(username);
    const { configurationId } = keep;
    const { uuid } = await (await staffOf(keep.service)).issueCredential({ configurationId, username });
    await keep.generate(uuid, {
      makeDocumentBadge: createMakeDocumentBadge({ ...worker.app, publicUrl: PUBLIC }),
    });
    return uuid;
  }

  test("creates its signing keys once, stores them encrypted, and replaces them on request", async () => {
    const others = await Promise.all([beside(), beside()]);
    const uuid = await credentialFrom("ana", others[0] as TestService);
    const badge = await badgeOf(uuid, keep.service);
    expect(badge.issuer).toMatchObject({ id: DID, name: "Learning Credentials" });
    const here = (url: string) =>
      url.startsWith(`${PUBLIC}/`) ? keep.service.httpUrl + url.slice(PUBLIC.length) : undefined;
    expect((await verifiedByCore(badge, here)).checks).toMatchObject({ valid_signature: true });
    for (const each of [keep.service, ...others])
      expect(await own(each)).toMatchObject({
        keyCount: 2,
        isStored: false,
        canReplaceKeys: true,
        problem: "",
      });
    const replaced = await (await administration(keep.service)).setIssuer({ replacesKeys: true });
    expect(replaced).toMatchObject({ keyCount: 4, isStored: true });
    await (await administration(keep.service)).deleteIssuer({ etag: replaced.etag });
    expect(await own(others[1] as TestService)).toMatchObject({ keyCount: 4, isStored: false });
    for (const each of others) await each.stop();
    const url = keep.service.app.config.databaseUrl ?? "";
    const [{ dump = "" } = {}] = await rowsOf<{ dump: string }>(
      url,
      "select (select json_agg(s) from stored_settings s)::text as dump",
    );
    expect(dump).toMatch(/"sealed"/);
    expect(dump).not.toMatch(/PRIVATE KEY|"d":|MC4CAQAwBQYDK2Vw|MIGHAgEAMBMGByqGSM49/);
  });

  test("can't replace its keys while it signs no badges", async () => {
    const unsigned = await beside({ SIGNING_KEY_FILES: "none" });
    expect(await own(keep.service)).toMatchObject({ canReplaceKeys: true });
    expect(await own(unsigned)).toMatchObject({ canReplaceKeys: false });
    await expect((await administration(unsigned)).setIssuer({ replacesKeys: true })).rejects.toThrow(
      "This service signs no Open Badges",
    );
    await unsigned.stop();
  });

  test("issues no badge under other keys if it can't read them, and gets new ones", async () => {
    const lost = await beside({ SETTINGS_SECRET: "another secret, so that nothing can be read" });
    const silent = await beside({ SETTINGS_SECRET: "" });
    for (const [each, problem] of [
      [lost, "was encrypted with a different SETTINGS_SECRET"],
      [silent, "SETTINGS_SECRET is not set"],
    ] as const) {
      expect((await own(each))?.problem).toContain(problem);
      const uuid = await credentialFrom(`ben${problem.length}`, each);
      const { status, errorReason } = await (await staffOf(keep.service)).getCredential({ uuid });
      expect(status).toBe(CredentialStatus.ERROR);
      expect(errorReason).toContain("The service issues the badge, but its keys can't be read");
    }
    const renewed = await (await administration(lost)).setIssuer({ replacesKeys: true });
    expect(renewed.problem).toBe("");
    const uuid = await credentialFrom("cat", lost);
    expect((await badgeOf(uuid, lost)).issuer).toMatchObject({ id: DID });
    await (await administration(lost)).deleteIssuer({ etag: renewed.etag });
    await lost.stop();
    await silent.stop();
  });

  test("issues under the name that is saved for the platform, everywhere and from then on", async () => {
    const other = await beside();
    const client = await administration(keep.service);
    const saved = await client.setIssuer({ name: "Harbour College" });
    expect(saved).toMatchObject({ name: "Harbour College", isStored: true, variables: [] });
    await other.app.storedIssuers.refresh();
    const uuid = await credentialFrom("dan", other);
    expect((await badgeOf(uuid, other)).issuer.name).toBe("Harbour College");
    expect(await (await fetch(`${other.httpUrl}/verify/0/`)).text()).toContain("Harbour College");
    await client.deleteIssuer({ etag: saved.etag });
    expect(await own(keep.service)).toMatchObject({ name: "Learning Credentials", isStored: false });
    expect((await badgeOf(uuid, keep.service)).issuer.name).toBe("Harbour College");
    await other.stop();
  });
});

const fetchJson = async (url: string) => (await fetch(local(url) ?? "")).json();
const asText = (problem: string) =>
  `[${problem
    .split(": ")[0]
    ?.replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase()}] ${problem.slice(problem.indexOf(": ") + 2)}`;
const big = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
