import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { Code } from "@connectrpc/connect";
import { DataIntegrityProof } from "@digitalbazaar/data-integrity";
import { cryptosuite } from "@digitalbazaar/eddsa-rdfc-2022-cryptosuite";
import * as vc from "@digitalbazaar/vc";
import { checkStatus } from "@digitalbazaar/vc-bitstring-status-list";
import { loadImage } from "@napi-rs/canvas";
import { verifyJWT } from "did-jwt";
import { beforeAll, describe, expect, test } from "vitest";
import { badgeInFile } from "#formats/badges/badge-in-file.js";
import {
  CredentialService,
  VerifiableCredentialFormat as Format,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { loaderOf, published } from "../../badges/contexts.js";
import { changedLeaves } from "../../badges/leaves.js";
import { resolverOf } from "../../badges/resolver-of.js";
import { openProxy } from "../../jobs/tcp-proxy.js";
import { COURSE, givenAcademy, openAcademy } from "../../support/academy.js";
import { createTestDatabase } from "../../support/database.js";
import { tokenOf } from "../../support/service.js";

const PUBLIC = "https://credentials.test";
const DID = "did:web:credentials.test";

/** 1EdTech's schema of Open Badges 3.0, which no package contains. */
const SCHEMA = new URL("../../../../shared/fixtures/digital-credentials/ob3-schema.json", import.meta.url);

const academy = givenAcademy({
  signs: true,
  settings: { PUBLIC_URL: PUBLIC, PLATFORM_NAME: "Harbour Light" },
});
let staff: string;
beforeAll(async () => {
  staff = await tokenOf({ username: "registrar", isStaff: true });
});

/** Issues a credential to a learner and generates its file. */
async function issued(username: string): Promise<string> {
  return (await academy.issued(username)).uuid;
}

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape
type Json = any;

async function badgeOf(uuid: string, format = Format.JSON): Promise<string> {
  const { content } = await academy.credentials.getVerifiableCredential({ uuid, format });
  return Buffer.from(content).toString();
}

/** Fetches a document of the service as external verifiers do. */
async function fetched(url: string): Promise<Json> {
  expect(url.startsWith(`${PUBLIC}/`)).toBe(true);
  const answer = await fetch(academy.service.httpUrl + url.slice(PUBLIC.length));
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  expect(answer.headers.get("content-type")).toMatch(/json/);
  return answer.json();
}

/** Loads published contexts from this machine, everything else from the service. */
async function documentLoader(url: string) {
  const known = published.get(url);
  if (known) return loaderOf(published)(url);
  const [did, fragment] = url.split("#");
  const document = await fetched(did === DID ? `${PUBLIC}/.well-known/did.json` : url);
  const method = fragment && document.verificationMethod.find(({ id }: Json) => id === url);
  return {
    contextUrl: null,
    documentUrl: url,
    document: method ? { "@context": document["@context"][1], ...method } : document,
  };
}

const suite = () => new DataIntegrityProof({ cryptosuite });

/** Verifies with Digital Bazaar's library. */
async function verified(credential: object): Promise<boolean> {
  const checksNoStatus = async () => ({ verified: true });
  return (
    await vc.verifyCredential({ credential, suite: suite(), documentLoader, checkStatus: checksNoStatus })
  ).verified;
}

/** Reads the status list with Digital Bazaar's library, which also verifies the list itself. */
async function isRevoked(credential: object): Promise<boolean | undefined> {
  const { verified, results, error } = await checkStatus({
    credential,
    documentLoader,
    suite: suite(),
    verifyBitstringStatusListCredential: true,
  });
  if (!verified && !results) throw error;
  return results?.[0]?.status;
}

test("a badge contains the facts of the credential, and nothing else that identifies the learner", async () => {
  const uuid = await issued("ana");
  const text = await badgeOf(uuid);
  const { verifyUuid, createTime: created } = await academy.credentials.getCredential({ uuid });
  expect(JSON.parse(text)).toMatchObject({
    id: `urn:uuid:${verifyUuid}`,
    name: "Certificate: Course One",
    issuer: { id: DID, type: ["Profile"], name: "Harbour Light", url: PUBLIC },
    validFrom: new Date(Number(created?.seconds) * 1000).toISOString().replace(".000", ""),
    credentialSubject: {
      identifier: [{ hashed: false, identityHash: "Learner ana", identityType: "name" }],
      achievement: {
        name: "Course One",
        achievementType: "CertificateOfCompletion",
        description: "Certificate: Course One",
        inLanguage: "en",
      },
    },
    evidence: [{ id: `${PUBLIC}/verify/${verifyUuid}/` }],
  });
  expect(text).toMatch(/^[ -~]+$/);
  for (const hidden of [uuid, '"ana"', COURSE, encodeURIComponent(COURSE)])
    expect(text).not.toContain(hidden);
  expect(await badgeOf(uuid)).toBe(text);
});

test("an independent verifier accepts it using only what the service serves, and refuses it if any value is changed", async () => {
  const badge = JSON.parse(await badgeOf(await issued("bea")));
  expect(await verified(badge)).toBe(true);
  expect(await isRevoked(badge)).toBe(false);
  for (const [path, changed] of changedLeaves(badge)) expect(await verified(changed), path).toBe(false);
});

test("another independent verifier accepts it as a JWT, with the same DID document, and refuses it if any value is changed", async () => {
  const uuid = await issued("jon");
  const jwt = await badgeOf(uuid, Format.JWT);
  const didDocument = await fetched(`${PUBLIC}/.well-known/did.json`);
  const options = { resolver: resolverOf(didDocument), proofPurpose: "assertionMethod" as const };
  const { verified, payload } = await verifyJWT(jwt, options);
  expect(verified).toBe(true);
  const { proof: _, ...unsigned } = JSON.parse(await badgeOf(uuid));
  expect(payload).toMatchObject(unsigned);
  const [head, claims = "", signature] = jwt.split(".");
  const changes = changedLeaves(JSON.parse(Buffer.from(claims, "base64url").toString()));
  expect(changes.length).toBeGreaterThan(30);
  for (const [path, changed] of changes) {
    const forged = Buffer.from(JSON.stringify(changed)).toString("base64url");
    await expect(verifyJWT([head, forged, signature].join("."), options), path).rejects.toThrow();
  }
});

test("invalidating a credential sets its own status bit immediately, and no other", async () => {
  const uuids = [await issued("ida"), await issued("ivo"), await issued("ira")];
  const badges: Json[] = [];
  for (const uuid of uuids) badges.push(JSON.parse(await badgeOf(uuid)));
  const indexes = badges.map(({ credentialStatus }) => credentialStatus.statusListIndex);
  expect(new Set(indexes).size).toBe(3);
  const before = await bits();
  await academy.credentials.invalidateCredential({ uuid: uuids[1] ?? "", reason: "Issued in error." });
  expect(await Promise.all(badges.map(isRevoked))).toEqual([false, true, false]);
  const after = await bits();
  expect(differences(before, after)).toEqual([Number(indexes[1])]);

  const { uuid } = await academy.credentials.reissueCredential({ uuid: uuids[0] ?? "", reason: "Misspelt." });
  await academy.generate(uuid);
  expect(await isRevoked(badges[0])).toBe(true);
  expect(await isRevoked(JSON.parse(await badgeOf(uuid)))).toBe(false);
});

async function bits(): Promise<Buffer> {
  const { credentialSubject } = await fetched(`${PUBLIC}/status/0`);
  return gunzipSync(Buffer.from(credentialSubject.encodedList.slice(1), "base64url"));
}

function differences(before: Buffer, after: Buffer): number[] {
  expect(after.length).toBe(before.length);
  return Array.from({ length: 8 * before.length }, (_, index) => index).filter(
    (index) => (((before[index >> 3] ?? 0) ^ (after[index >> 3] ?? 0)) & (0x80 >> (index & 7))) !== 0,
  );
}

test("the bits of two status lists agree with the database", async () => {
  const { knex } = academy.service.app.database;
  // Filling a list and starting the next would take an hour. Only the ids are important, so two rows with chosen ids
  // suffice.
  await knex.raw(`
    insert into credentials (id, username, configuration_id, status, issued_by, user_full_name, learning_context_key,
      learning_context_name, credential_type, generation_func, options, assets, print_settings, created_at,
      invalidation_reason, invalidated_by, invalidated_at)
    overriding system value
    select number, 'many-' || number, configuration_id, 'invalidated', 'registrar', 'Many', learning_context_key,
      learning_context_name, credential_type, generation_func, options, assets, print_settings, created_at, 'Test.', 'registrar', now()
    from (select * from credentials limit 1) as one, generate_series(131050, 131100) as number`);
  const counts = await Promise.all(
    [0, 1].map(async (list) => {
      const { credentialSubject } = await fetched(`${PUBLIC}/status/${list}`);
      const bytes: Buffer = gunzipSync(Buffer.from(credentialSubject.encodedList.slice(1), "base64url"));
      return [...bytes].reduce((sum, byte) => sum + byte.toString(2).replaceAll("0", "").length, 0);
    }),
  );
  const { rows } = await knex.raw(
    "select count(*)::integer as count from credentials where status = 'invalidated' group by id >> 17 order by id >> 17",
  );
  expect(counts).toEqual(rows.map(({ count }: Json) => count));
  expect((await fetch(`${academy.service.httpUrl}/status/2`)).status).toBe(404);
  await knex.raw("delete from credentials where username like 'many-%'");
});

describe("the data that verifiers fetch", () => {
  test.each([
    ["/.well-known/did.json", "application/did+json", "public, max-age=300"],
    ["/did.json", "application/did+json", "public, max-age=300"],
    ["/status/0", "application/json", "public, max-age=10"],
    ["/status/0/", "application/json", "public, max-age=10"],
  ])("is at %s, for any origin, and may be cached for a while", async (path, type, caching) => {
    const answer = await fetch(academy.service.httpUrl + path, {
      headers: { origin: "https://wallet.example" },
    });
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": type,
      "cache-control": caching,
      "access-control-allow-origin": "*",
    });
    const text = await answer.text();
    expect(text).toMatch(/^[ -~]+$/);
    const etag = answer.headers.get("etag") ?? "";
    const again = await fetch(academy.service.httpUrl + path, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
  });

  test("is sent as a credential if the Accept header requests one", async () => {
    const answer = await fetch(`${academy.service.httpUrl}/status/0`, {
      headers: { accept: "application/vc" },
    });
    expect(answer.headers.get("content-type")).toBe("application/vc");
    expect(answer.headers.get("vary")).toMatch(/Accept/);
  });

  test("is a JWT by default, which another independent verifier accepts", async () => {
    const uuid = await issued("ole");
    const { credentialStatus } = JSON.parse(await badgeOf(uuid));
    await academy.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
    const asJwt = (accept: string) =>
      fetch(`${academy.service.httpUrl}/status/0`, { headers: { accept } }).then(async (answer) => ({
        type: answer.headers.get("content-type"),
        text: await answer.text(),
      }));
    const { type, text } = await asJwt("application/vc+jwt");
    expect(type).toBe("application/vc+jwt");
    const didDocument = await fetched(`${PUBLIC}/.well-known/did.json`);
    const options = { resolver: resolverOf(didDocument), proofPurpose: "assertionMethod" as const };
    const { verified, payload } = await verifyJWT(text, options);
    expect(verified).toBe(true);
    const { proof: _, validFrom, validUntil, ...list } = await fetched(`${PUBLIC}/status/0`);
    expect(payload).toMatchObject({
      ...list,
      iss: DID,
      jti: `${PUBLIC}/status/0`,
      sub: payload.credentialSubject.id,
    });
    const bits = gunzipSync(Buffer.from(payload.credentialSubject.encodedList.slice(1), "base64url"));
    const index = Number(credentialStatus.statusListIndex);
    expect((bits[index >> 3] ?? 0) & (0x80 >> (index & 7))).not.toBe(0);
    const [header = "", , signature = ""] = text.split(".");
    const changed = Buffer.from(JSON.stringify({ ...payload, sub: `${PUBLIC}/status/1` }));
    await expect(
      verifyJWT([header, changed.toString("base64url"), signature].join("."), options),
    ).rejects.toThrow();
    for (const accept of ["application/vc+jwt, application/json", "application/vc, application/vc+jwt"])
      expect((await asJwt(accept)).type).not.toContain("jwt");
    expect((await asJwt("application/json;q=0.5, application/vc+jwt")).type).toBe("application/vc+jwt");
    expect((await asJwt("application/vc;q=0.5, application/json")).type).toBe("application/json");
  });

  test.each([
    ["GET", "/status/1", 404],
    ["GET", "/status/00", 404],
    ["GET", "/status/-1", 404],
    ["GET", "/status/1000000000", 404],
    ["GET", "/status/x", 404],
    ["GET", "/.well-known/did.jsonx", 404],
    ["POST", "/status/0", 405],
    ["DELETE", "/.well-known/did.json", 405],
  ])("%s %s gives %i", async (method, path, status) => {
    const answer = await fetch(academy.service.httpUrl + path, { method });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test("lists each key by its full DID URL, as an assertion method of its issuer", async () => {
    const { id, verificationMethod, assertionMethod } = await fetched(`${PUBLIC}/.well-known/did.json`);
    expect(id).toBe(DID);
    expect(verificationMethod.map(({ type }: Json) => type).sort()).toEqual(["JsonWebKey2020", "Multikey"]);
    expect(assertionMethod).toEqual(verificationMethod.map((method: Json) => method.id));
    for (const method of verificationMethod) {
      expect(method.controller).toBe(DID);
      expect(method.id.startsWith(`${DID}#`)).toBe(true);
      expect(method.publicKeyJwk?.d).toBeUndefined();
    }
  });
});

describe("a badge is given to its holder, staff and services:", () => {
  let uuid: string;
  beforeAll(async () => {
    uuid = await issued("hal");
  });
  const as = async (caller: Parameters<typeof tokenOf>[0]) =>
    academy.service.client(CredentialService, await tokenOf(caller));

  test.each([
    ["its holder", { username: "hal" }],
    ["staff", { username: "registrar", isStaff: true }],
    ["a service that may read", { username: "lms", service: "read" as const }],
  ])("%s gets it", async (_who, caller) => {
    const { content, mediaType } = await (await as(caller)).getVerifiableCredential({ uuid });
    expect(mediaType).toBe("application/vc");
    expect(JSON.parse(Buffer.from(content).toString()).proof.cryptosuite).toBe("eddsa-rdfc-2022");
  });

  test("other learners can't find out whether it exists", async () => {
    const stranger = await as({ username: "eve" });
    for (const requested of [uuid, "00000000-0000-4000-8000-000000000000", "x"]) {
      await expect(stranger.getVerifiableCredential({ uuid: requested })).rejects.toMatchObject({
        code: Code.NotFound,
        rawMessage: "Credential not found.",
      });
    }
    const nobody = academy.service.client(CredentialService);
    await expect(nobody.getVerifiableCredential({ uuid })).rejects.toMatchObject({
      code: Code.Unauthenticated,
    });
  });

  test("it can be downloaded as a file", async () => {
    const token = await tokenOf({ username: "hal" });
    for (const [name, type] of [
      ["badge.json", "application/vc"],
      ["badge.jwt", "text/plain"],
      ["badge.png", "image/png"],
      ["badge.svg", "image/svg+xml"],
    ]) {
      const url = `${academy.service.httpUrl}/download/credential/${uuid}/${name}`;
      const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "content-type": type,
        "content-disposition": `attachment; filename="${name}"`,
        "cache-control": "no-store",
      });
      const { badge } = badgeInFile(new Uint8Array(await answer.arrayBuffer()));
      expect(badge()?.startsWith(name === "badge.jwt" ? "eyJ" : "{")).toBe(true);
      const refused = await fetch(url);
      expect([refused.status, refused.headers.get("content-type")]).toEqual([403, "application/json"]);
      expect(await refused.json()).toEqual({ detail: expect.any(String) });
    }
  });

  test.each([
    ["badge.json", "text/html", "application/json"],
    ["badge.jwt", "text/html,*/*;q=0.8", "application/json"],
    ["badge.png", "text/html,*/*;q=0.8", "text/html; charset=utf-8"],
    ["badge.svg", "image/*", "application/json"],
  ])("%s for nobody is refused to %s in %s", async (name, accept, type) => {
    const url = `${academy.service.httpUrl}/download/credential/${uuid}/${name}`;
    const answer = await fetch(url, { headers: { accept, "accept-language": "de" } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([403, type]);
  });

  test("in a picture, it is the same, and a wallet that counts braces finds it", async () => {
    const json = await badgeOf(uuid);
    const { content: png } = await academy.credentials.getVerifiableCredential({ uuid, format: Format.PNG });
    const text = Buffer.from(png).toString("latin1");
    const from = text.indexOf("{", text.indexOf("openbadgecredential"));
    let depth = 0;
    let to = from;
    do {
      if (text[to] === "{") depth++;
      if (text[to] === "}") depth--;
      to++;
    } while (depth > 0 && to < text.length);
    expect(text.slice(from, to)).toBe(json);
    const picture = await loadImage(Buffer.from(png));
    expect([picture.width, picture.height]).toEqual([512, 512]);

    const { content: svg } = await academy.credentials.getVerifiableCredential({ uuid, format: Format.SVG });
    expect(badgeInFile(svg).badge()).toBe(json);
    const drawn = await loadImage(Buffer.from(svg));
    expect([drawn.width > 0, drawn.height > 0]).toEqual([true, true]);
  });

  test("an unknown format is refused", async () => {
    await expect(
      academy.credentials.getVerifiableCredential({ uuid, format: 9 as Format }),
    ).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
  });
});

async function statusOfFile(uuid: string): Promise<number> {
  const url = `${academy.service.httpUrl}/download/credential/${uuid}/badge.json`;
  return (await fetch(url, { headers: { authorization: `Bearer ${staff}` } })).status;
}

describe("there is no badge", () => {
  test("while the credential is generating, or if it has failed", async () => {
    await academy.enrol("gil");
    const { uuid } = await academy.issue("gil");
    await expect(badgeOf(uuid)).rejects.toMatchObject({
      code: Code.FailedPrecondition,
      rawMessage: /generating/,
    });
    expect(await statusOfFile(uuid)).toBe(400);
    await academy.fail(uuid);
    await expect(badgeOf(uuid)).rejects.toMatchObject({
      code: Code.FailedPrecondition,
      rawMessage: /failed/,
    });
  });

  test("after the credential was invalidated", async () => {
    const uuid = await issued("ian");
    await academy.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
    await expect(badgeOf(uuid)).rejects.toMatchObject({
      code: Code.FailedPrecondition,
      rawMessage: /invalidated/,
    });
    expect(await statusOfFile(uuid)).toBe(410);
  });

  test("after its learner was erased; copies made before still verify", async () => {
    const uuid = await issued("eli");
    const copy = JSON.parse(await badgeOf(uuid));
    const platform = academy.service.client(
      LearnerRecordService,
      await tokenOf({ username: "lms", service: "write" }),
    );
    await platform.eraseLearner({ username: "eli" });
    await expect(badgeOf(uuid)).rejects.toMatchObject({
      code: Code.FailedPrecondition,
      rawMessage: /erased/,
    });
    expect(await statusOfFile(uuid)).toBe(410);
    expect(await verified(copy)).toBe(true);
    expect(await isRevoked(copy)).toBe(false);
  });

  test("for an imported credential", async () => {
    const uuid = await issued("tom");
    await academy.service.app.database
      .knex("credentials")
      .where({ uuid })
      .update({ imported_at: new Date() });
    await expect(badgeOf(uuid)).rejects.toMatchObject({
      code: Code.FailedPrecondition,
      rawMessage: /issued elsewhere/,
    });
  });
});

const skill = (other: object) => ({ name: "Stargazing", url: "https://case.test/1", ...other });

describe("the option open_badge", () => {
  const update = async (open_badge: unknown) => {
    const { configurationId: id } = academy;
    const credentialConfiguration = {
      id,
      learningContextKey: COURSE,
      credentialTypeId: 1,
      customOptions: { open_badge } as never,
    };
    return academy.configurations.updateCredentialConfiguration({ credentialConfiguration });
  };

  test("changes the badges of credentials issued later", async () => {
    const before = await issued("uma");
    await update({
      achievement_type: "MicroCredential",
      description: "Stars.",
      criteria: "Seen {all} of them: é",
    });
    const after = await issued("udo");
    expect(JSON.parse(await badgeOf(before)).credentialSubject.achievement.description).toBe(
      "Certificate: Course One",
    );
    const badge = JSON.parse(await badgeOf(after));
    expect(badge.credentialSubject.achievement).toMatchObject({
      achievementType: "MicroCredential",
      description: "Stars.",
      criteria: { narrative: "Seen {all} of them: é" },
    });
    expect(await verified(badge)).toBe(true);
  });

  test("adds the salted hash of the address, tags and a picture, by each way of issuing", async () => {
    await update({ email: true, tags: ["stars", "night sky"], image: "https://academy.test/star.png" });
    const usernames = ["vera", "vito", "viola"];
    for (const username of usernames) {
      await academy.enrol(username);
      const email = `${username.toUpperCase()}@Uni.test`;
      await academy.report({ case: "learner", value: { username, fullName: `Learner ${username}`, email } });
    }
    const { configurationId, credentials } = academy;
    const alone = await academy.issue("vera");
    const { plan } = await credentials.startIssuanceRun({ configurationId, usernames: ["vito", "viola"] });
    expect(plan?.issueCount).toBe(2);
    const uuidOf = async (username: string) =>
      (await credentials.listCredentials({ username })).credentials.at(-1)?.uuid ?? "";
    const uuids = [alone.uuid, await uuidOf("vito"), await uuidOf("viola")];
    for (const uuid of uuids) await academy.generate(uuid);
    const reissued = await credentials.reissueCredential({ uuid: uuids[2] ?? "", reason: "Misspelt." });
    await academy.generate(reissued.uuid);
    const salts = new Set<string>();
    for (const [index, uuid] of [uuids[0] ?? "", uuids[1] ?? "", reissued.uuid].entries()) {
      const text = await badgeOf(uuid);
      const badge = JSON.parse(text);
      const { identifier, achievement } = badge.credentialSubject;
      const { salt } = identifier[1];
      salts.add(salt);
      const hashed = createHash("sha256").update(`${usernames[index]}@uni.test${salt}`).digest("hex");
      expect(identifier[0]).toMatchObject({ identityType: "name", hashed: false });
      expect(identifier[1]).toEqual({
        type: "IdentityObject",
        hashed: true,
        identityHash: `sha256$${hashed}`,
        identityType: "emailAddress",
        salt: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
      expect(achievement).toMatchObject({
        tag: ["stars", "night sky"],
        image: { id: "https://academy.test/star.png", type: "Image" },
      });
      expect(text.toLowerCase()).not.toContain("@uni.test");
      expect(await verified(badge)).toBe(true);
    }
    expect(salts.size).toBe(3);
    const platform = academy.service.client(
      LearnerRecordService,
      await tokenOf({ username: "lms", service: "write" }),
    );
    await platform.eraseLearner({ username: "vera" });
    const { knex } = academy.service.app.database;
    expect(await knex("credentials").where({ uuid: uuids[0] }).first("address_hash")).toEqual({
      address_hash: null,
    });
  });

  test("adds skills, creator, credits and field of study to badge, GetCredential and page", async () => {
    const before = await issued("wim");
    const plain = await badgeOf(before);
    const alignment = [
      { name: "observe <stars>", url: "http://data.europa.eu/esco/skill/00ad", framework: "ESCO" },
      skill({ description: "By night", framework: "Night & Sky", code: "NS.1", type: "CFItem" }),
    ];
    const creator = { name: "Union of Observatories", url: "https://observatories.test/" };
    await update({ alignment, creator, credits: 2.5, field_of_study: "Astronomy" });
    const after = await issued("wanda");

    const badge = JSON.parse(await badgeOf(after));
    expect(badge.credentialSubject).toMatchObject({
      creditsEarned: 2.5,
      achievement: {
        alignment: [
          {
            type: ["Alignment"],
            targetName: "observe <stars>",
            targetUrl: "http://data.europa.eu/esco/skill/00ad",
            targetFramework: "ESCO",
          },
          {
            type: ["Alignment"],
            targetName: "Stargazing",
            targetUrl: "https://case.test/1",
            targetDescription: "By night",
            targetFramework: "Night & Sky",
            targetCode: "NS.1",
            targetType: "CFItem",
          },
        ],
        creator: { id: creator.url, type: ["Profile"], ...creator },
        creditsAvailable: 2.5,
        fieldOfStudy: "Astronomy",
      },
    });
    expect(await verified(badge)).toBe(true);

    const shown = await academy.credentials.getCredential({ uuid: after });
    expect(shown.achievement).toMatchObject({
      alignments: [{ ...alignment[0], description: "", code: "", type: "" }, { ...alignment[1] }],
      creatorName: creator.name,
      creatorUrl: creator.url,
      credits: 2.5,
      fieldOfStudy: "Astronomy",
    });
    const page = await (await fetch(`${academy.service.httpUrl}/verify/${shown.verifyUuid}/`)).text();
    expect(page).toContain(
      '<a href="http://data.europa.eu/esco/skill/00ad" rel="noopener nofollow"><bdi>observe &lt;stars&gt;</bdi></a>',
    );
    expect(page).toContain("Night &amp; Sky");
    expect(page).toContain(">2.5<");

    // Badges that were issued before are unchanged.
    expect(await badgeOf(before)).toBe(plain);
    const earlier = await academy.credentials.getCredential({ uuid: before });
    expect(earlier.achievement).toBeUndefined();
    const { verifyUuid } = earlier;
    expect(await (await fetch(`${academy.service.httpUrl}/verify/${verifyUuid}/`)).text()).not.toContain(
      "Skills",
    );
  });

  test("can switch off badges", async () => {
    await update(false);
    await expect(badgeOf(await issued("una"))).rejects.toMatchObject({ rawMessage: /no Open Badge/ });
  });

  test.each([
    [true, /open_badge/],
    [{ achievement_type: "Trophy" }, /achievement_type/],
    [{ criteria: "" }, /criteria/],
    [{ description: "x".repeat(2001) }, /description/],
    [{ colour: "red" }, /colour/],
    [{ image: "http://academy.test/star.png" }, /image must be a URL with https/],
    [{ image: "https://academy.test/a star.png" }, /image must be .* percent-encode other characters/],
    [{ image: "https://academy.test/šternbild.png" }, /image must be .* percent-encode other characters/],
    [{ image: `https://academy.test/${"x".repeat(500)}` }, /image/],
    [{ tags: ["a", "a"] }, /tags must not repeat a tag/],
    [{ email: "yes" }, /email/],
    [{ credits: "3 ECTS" }, /credits/],
    [{ credits: 0 }, /credits/],
    [{ credits: 1.0005 }, /credits must have at most 3 decimals/],
    [{ creator: { name: "Union" } }, /creator/],
    [{ alignment: [skill({ url: "http://case.test/1" })] }, /alignment\.0\.url must be .* https/],
    [{ alignment: [skill({ url: "http://data.europa.eu.evil.test/1" })] }, /alignment\.0\.url/],
    [{ alignment: [skill({ url: "javascript:alert(1)" })] }, /alignment\.0\.url/],
    [{ alignment: [skill({ type: "ESCO" })] }, /alignment\.0\.type must be ceasn:Competency/],
    [{ alignment: [skill({}), skill({ code: "1" })] }, /alignment must not repeat a skill/],
    [{ alignment: Array.from({ length: 21 }, (_, n) => skill({ name: `${n}` })) }, /alignment/],
    [
      {
        alignment: Array.from({ length: 20 }, (_, n) =>
          skill({ name: `${n}`, description: "ш".repeat(500) }),
        ),
      },
      /alignment must have at most 16384 bytes/,
    ],
  ])("is refused when it is %j", async (value, problem) => {
    await expect(update(value)).rejects.toMatchObject({ code: Code.InvalidArgument, rawMessage: problem });
  });

  test("is listed with the options of generation functions", async () => {
    const { functions } = await academy.configurations.listFunctions({});
    const schemas = functions.map(({ optionSchema }) => (optionSchema as Json).properties.open_badge);
    expect(schemas.filter((schema) => schema !== undefined)).toHaveLength(1);
    expect(JSON.stringify(schemas)).toContain("achievement_type");
  });

  test("knows the achievement types of 1EdTech's schema, each of which gives a badge", async ({ skip }) => {
    if (!existsSync(SCHEMA)) skip("1EdTech's schema is not on this machine");
    const { $defs } = JSON.parse(readFileSync(SCHEMA, "utf8"));
    const published: string[] = $defs.Achievement.properties.achievementType.oneOf[0].enum;
    const { functions } = await academy.configurations.listFunctions({});
    const [schema] = functions.flatMap(({ optionSchema }) => {
      const { open_badge } = (optionSchema as Json).properties;
      return open_badge ? [open_badge] : [];
    });
    const { properties } = schema.anyOf.find(({ type }: Json) => type === "object");
    expect(properties.achievement_type.enum.toSorted()).toEqual(published.toSorted());
    await update({ achievement_type: "BachelorDegree" });
    const badge = JSON.parse(await badgeOf(await issued("bea-sc")));
    expect(badge.credentialSubject.achievement.achievementType).toBe("BachelorDegree");
    expect(await verified(badge)).toBe(true);
  });
});

test("without signing keys there are no badges, and nothing is served to verifiers", async () => {
  const bare = await openAcademy();
  try {
    const { uuid } = await bare.issued("ana");
    await expect(bare.credentials.getVerifiableCredential({ uuid })).rejects.toMatchObject({
      code: Code.FailedPrecondition,
      rawMessage: /SIGNING_KEY_FILES/,
    });
    for (const path of ["/status/0", "/.well-known/did.json"]) {
      expect((await fetch(bare.service.httpUrl + path)).status).toBe(404);
    }
  } finally {
    await bare.service.stop();
  }
});

test("during a database outage, verifiers get the last responses", async () => {
  const { url, drop } = await createTestDatabase();
  const proxy = await openProxy(url);
  const away = await openAcademy({ signs: true, settings: { DATABASE_URL: proxy.url } });
  const { httpUrl } = away.service;
  try {
    await away.enrol("ana");
    await away.issue("ana");
    const paths = ["/.well-known/did.json", "/status/0"];
    const texts = () =>
      Promise.all(
        paths.map(async (path) => {
          const answer = await fetch(httpUrl + path);
          return { status: answer.status, text: await answer.text() };
        }),
      );
    const before = await texts();
    expect(before.map(({ status }) => status)).toEqual([200, 200]);
    proxy.cut();
    expect(await texts()).toEqual(before);
    expect((await fetch(`${httpUrl}/status/1`)).status).toBe(503);
    await proxy.mend();
    await expect.poll(async () => (await fetch(`${httpUrl}/status/1`)).status).toBe(404);
  } finally {
    await away.service.stop();
    await drop();
  }
});
