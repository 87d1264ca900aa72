import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Code } from "@connectrpc/connect";
import { checkStatus } from "@digitalbazaar/vc-bitstring-status-list";
import { verifyJWT } from "did-jwt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMakeDocumentBadge } from "#domain/credentials/badges/make-badge.js";
import { checkFile } from "#edges/pages/browser/check-file.js";
import { asciiJson } from "#formats/badges/ascii-json.js";
import { signDocument } from "#formats/badges/data-integrity.js";
import { unbakePdf } from "#formats/badges/unbake-pdf.js";
import { verifyBadge } from "#formats/badges/verify-badge.js";
import {
  CredentialService,
  CredentialVerdict,
  VerifiableCredentialFormat as Format,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { resolverOf } from "../../badges/resolver-of.js";
import { verifiedByCore } from "../../badges/verifier-core.js";
import { type Academy, COURSE, openAcademy } from "../../support/academy.js";
import { givenDirectory } from "../../support/directory.js";
import { findingsOn } from "../../support/health.js";
import { enrolled } from "../../support/records.js";
import { startTestService, tokenOf } from "../../support/service.js";
import { writeSigningKeys } from "../../support/signing-keys.js";

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape
type Json = any;

const PUBLIC = "https://organisations.test/learn";
const DID = "did:web:organisations.test:learn";
const UNI = `${DID}:organisations:Uni`;
/** An organisation whose name needs all kinds of escapes. */
const ODD = "Школа:~a.b";
const ODD_DID = `${DID}:organisations:%D0%A8%D0%BA%D0%BE%D0%BB%D0%B0%3A%7Ea.b`;

const ODD_PROFILE = {
  url: "https://odd.test/%D1%88",
  description: "Школа у моря",
  image: "https://odd.test/logo.svg",
};

const directory = givenDirectory("issuers");
let issuersFile: string;
let uniKeys: string[];
let academy: Academy;
beforeAll(async () => {
  uniKeys = (await writeSigningKeys(directory, "uni")).split(",");
  const oddKeys = (await writeSigningKeys(directory, "odd")).split(",");
  issuersFile = join(directory, "issuers.json");
  const issuers = {
    Uni: { name: "University of the Harbour", signing_keys: uniKeys },
    [ODD]: { name: "Школа", signing_keys: oddKeys, ...ODD_PROFILE },
  };
  await writeFile(issuersFile, JSON.stringify(issuers));
  academy = await openAcademy({
    signs: true,
    settings: {
      PUBLIC_URL: PUBLIC,
      PLATFORM_NAME: "Harbour Light",
      ISSUERS_FILE: issuersFile,
      ISSUER_DESCRIPTION: "An academy by the sea",
    },
  });
});
afterAll(() => academy.service.stop());

/** Issues a credential for a course of this organisation, and generates its file. */
async function issued(username: string, organisation = "Uni"): Promise<string> {
  await academy.enrol(username);
  const { uuid } =
    organisation === "Uni" ? await academy.issue(username) : await issuedElsewhere(username, organisation);
  await academy.generate(uuid);
  return uuid;
}

async function issuedElsewhere(username: string, organisation: string) {
  const courseKey = COURSE.replace("Uni", organisation);
  await academy.report(
    {
      case: "course",
      value: { courseKey, displayName: "Two", gradingPolicy: [{ assignmentType: "Exam", weight: 1 }] },
    },
    enrolled(username, courseKey),
    {
      case: "subsectionGrade",
      value: { username, courseKey, usageKey: "x", assignmentType: "Exam", earned: 9, possible: 10 },
    },
  );
  const { id: configurationId } = await academy.configurations.createCredentialConfiguration({
    credentialConfiguration: { learningContextKey: courseKey, credentialTypeId: 1 },
  });
  return academy.credentials.issueCredential({ configurationId, username });
}

async function badgeOf(uuid: string, format = Format.JSON): Promise<string> {
  const { content } = await academy.credentials.getVerifiableCredential({ uuid, format });
  return Buffer.from(content).toString();
}

const local = (url: string) =>
  url.startsWith(`${PUBLIC}/`) ? academy.service.httpUrl + url.slice(PUBLIC.length) : undefined;

async function fetchJson(url: string): Promise<Json> {
  const answer = await fetch(local(url) ?? "");
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  return answer.json();
}

const problemsOf = async (badge: string) => (await verifyBadge(badge, fetchJson, new Date()))?.problems;

const verdictOf = async (badge: string) =>
  (await academy.credentials.verifyCredential({ subject: { case: "file", value: Buffer.from(badge) } }))
    .verdict;

describe("an organisation with keys of its own", () => {
  test("issues the badges of its learning contexts under its DID and name, in the PDF, too", async () => {
    const uuid = await issued("ana");
    const badge = await badgeOf(uuid);
    const { issuer, credentialStatus, proof } = JSON.parse(badge);
    // Settings about the service don't apply to an organisation.
    expect(issuer).toEqual({ id: UNI, type: ["Profile"], name: "University of the Harbour", url: PUBLIC });
    expect(proof.verificationMethod).toMatch(new RegExp(`^${UNI}#z6Mk`));
    expect(credentialStatus.statusListCredential).toBe(`${PUBLIC}/organisations/Uni/status/0`);
    const [path = ""] = await academy.filesOf(uuid);
    expect(unbakePdf(await readFile(path))).toBe(badge);
  });

  test("is found by foreign verifiers behind the DID, and they notice a withdrawal", async () => {
    const uuid = await issued("ben");
    const badge = JSON.parse(await badgeOf(uuid));
    const { checks, errors } = await verifiedByCore(badge, local);
    expect(errors).toEqual([]);
    expect(checks).toMatchObject({ valid_signature: true, revocation_status: true });
    const didDocument = await fetchJson(`${PUBLIC}/organisations/Uni/did.json`);
    expect(didDocument.id).toBe(UNI);
    const jwt = await verifyJWT(await badgeOf(uuid, Format.JWT), { resolver: resolverOf(didDocument) });
    expect([jwt.verified, jwt.issuer]).toEqual([true, UNI]);

    await academy.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
    expect((await verifiedByCore(badge, local)).checks).toMatchObject({ revocation_status: false });
    const status = await checkStatus({
      credential: badge,
      documentLoader: async (url: string) => ({ documentUrl: url, document: await fetchJson(url) }),
      suite: {} as never,
      verifyBitstringStatusListCredential: false, // already verified by verifier-core
    });
    expect(status.results?.[0]?.status).toBe(true);
  });

  test("has a DID that leads to its keys, whatever its name", async () => {
    const uuid = await issued("cy", ODD);
    const badge = await badgeOf(uuid);
    expect(JSON.parse(badge).issuer).toEqual({
      ...{ id: ODD_DID, type: ["Profile"], name: "Школа", ...ODD_PROFILE },
      image: { id: ODD_PROFILE.image, type: "Image" },
    });
    expect(await problemsOf(badge)).toEqual([]);
    const { checks, errors } = await verifiedByCore(JSON.parse(badge), local);
    expect(errors).toEqual([]);
    expect(checks).toMatchObject({ valid_signature: true, revocation_status: true });
  });

  test("shares no key with the service itself, which is the issuer for all others", async () => {
    const badge = await badgeOf(await issued("dee", "College"));
    expect(JSON.parse(badge).issuer).toMatchObject({
      id: DID,
      name: "Harbour Light",
      description: "An academy by the sea",
    });
    expect(await problemsOf(badge)).toEqual([]);
    const methods = await Promise.all(
      ["/.well-known/did.json", "/organisations/Uni/did.json"].map(
        async (path) => (await fetchJson(PUBLIC + path)).assertionMethod,
      ),
    );
    const fragments = methods.flat().map((method: string) => method.split("#")[1]);
    expect(methods.map((each) => each.length)).toEqual([2, 2]);
    expect(new Set(fragments).size).toBe(4);
  });

  test("has the same bits in its lists as the service itself", async () => {
    const [own, theirs] = await Promise.all(
      ["", "/organisations/Uni"].map((base) => fetchJson(`${PUBLIC}${base}/status/0`)),
    );
    expect(theirs.credentialSubject.encodedList).toBe(own.credentialSubject.encodedList);
    expect([own.issuer, theirs.issuer]).toEqual([DID, UNI]);
  });

  test("is returned by GetIssuer", async () => {
    const { did, keys, organisations } = await academy.credentials.getIssuer({});
    expect([did, keys.length]).toEqual([DID, 2]);
    expect(organisations.map(({ keys, $typeName: _, ...reported }) => [reported, keys.length])).toEqual([
      [{ organisation: "Uni", did: UNI, name: "University of the Harbour" }, 2],
      [{ organisation: ODD, did: ODD_DID, name: "Школа" }, 2],
    ]);
  });

  test("is known to VerifyCredential, and to the page that checks files in the browser", async () => {
    const badge = await badgeOf(await issued("eve"));
    const changed = badge.replace("Learner eve", "Learner eva");
    expect(await verdictOf(badge)).toBe(CredentialVerdict.GENUINE);
    expect(await verdictOf(changed)).toBe(CredentialVerdict.ALTERED);
    const outcomeOf = async (text: string) => {
      const { did, keys, organisations } = await academy.credentials.getIssuer({});
      const service = {
        issuer: async () => ({ did, keys, organisations }),
        statusList: (number: string) => fetchJson(`${PUBLIC}/status/${number}`),
        byChecksum: () => Promise.reject(new Error("it is no PDF")),
      };
      return (await checkFile(new Uint8Array(Buffer.from(text)), service)).outcome;
    };
    expect(await outcomeOf(badge)).toBe("genuine");
    expect(await outcomeOf(changed)).toBe("altered");
    const forged = await signedBy("Uni", badge, DID);
    expect(await outcomeOf(forged)).toBe("altered");
  });

  test("can't vouch with its keys for credentials issued by the service itself", async () => {
    const badge = await badgeOf(await issued("fay", "Academy"));
    const forged = await signedBy("Uni", badge, DID);
    expect(await verdictOf(forged)).toBe(CredentialVerdict.ALTERED);
    expect(await problemsOf(forged)).toEqual(["The issuer does not publish the key that signed the badge."]);
  });

  test.each([
    "/organisations/Nobody/did.json",
    "/organisations/Nobody/status/0",
    "/organisations/Uni/status/1",
    "/organisations/Uni",
    "/organisations/%FF/did.json",
    "/organisations/%00/did.json",
    `/organisations/${"x".repeat(300)}/did.json`,
    "/organisations/uni/did.json",
  ])("has nothing at %s", async (path) => {
    expect((await fetch(academy.service.httpUrl + path)).status).toBe(404);
  });

  test("gives no finding of doctor while its keys are here", async () => {
    await issued("gil");
    expect(await findingsOn(academy.service.app)).toEqual([]);
    const without = await startTestService({
      beside: academy.service,
      settings: { PUBLIC_URL: PUBLIC, ...keysOf(academy) },
    });
    try {
      expect(await findingsOn(without.app, { withHashes: false })).toMatchObject([
        {
          kind: "missing-signing-key",
          detail: expect.stringContaining("every Ed25519 key of Uni here is revoked"),
        },
        {
          kind: "missing-signing-key",
          detail: expect.stringContaining(`every Ed25519 key of ${ODD} here is revoked`),
        },
      ]);
    } finally {
      await without.stop();
    }
  });
});

/** Signs a badge again in the name of another issuer. */
async function signedBy(organisation: string, badge: string, did: string): Promise<string> {
  const { proof: _, ...said } = JSON.parse(badge);
  const key = academy.service.app.signingKeys?.of(organisation)?.ed25519;
  if (!key) throw new Error("no key");
  const document = { ...said, issuer: { ...said.issuer, id: did } };
  const by = { key, verificationMethod: `${did}#${key.fragment}`, created: said.validFrom };
  return asciiJson(await signDocument(document, by));
}

function keysOf({ service: { app } }: Academy) {
  return { SIGNING_KEY_FILES: app.config.signingKeyFiles.join(",") };
}

describe("if the settings change", () => {
  test("earlier credentials keep their issuer, and verify", async () => {
    const place = await openAcademy({ signs: true, settings: { PUBLIC_URL: PUBLIC } });
    try {
      await place.enrol("ana", "ben");
      const { configurationId, credentials } = place;
      const before = await place.issue("ana");
      await place.generate(before.uuid);
      const keys = (await writeSigningKeys(directory, "later")).split(",");
      const file = join(directory, "later.json");
      await writeFile(file, JSON.stringify({ Uni: { name: "University", signing_keys: keys } }));
      const settings = { PUBLIC_URL: PUBLIC, ISSUERS_FILE: file, ...keysOf(place) };
      const later = await startTestService({ beside: place.service, settings });
      const now = later.client(CredentialService, await tokenOf({ username: "registrar", isStaff: true }));
      try {
        const issuerOf = async (uuid: string) => {
          const { content } = await now.getVerifiableCredential({ uuid, format: Format.JSON });
          return JSON.parse(Buffer.from(content).toString()).issuer.id;
        };
        const after = await now.issueCredential({ configurationId, username: "ben" });
        const makeDocumentBadge = createMakeDocumentBadge({
          ...later.app,
          publicUrl: later.app.publicUrl,
        });
        await place.generate(after.uuid, { makeDocumentBadge });
        expect([await issuerOf(before.uuid), await issuerOf(after.uuid)]).toEqual([DID, UNI]);
        expect(await findingsOn(later.app)).toEqual([]);
        // A process without the organisation's keys doesn't sign as another issuer instead.
        await expect(credentials.getVerifiableCredential({ uuid: after.uuid })).rejects.toMatchObject({
          code: Code.FailedPrecondition,
          rawMessage: "Uni issues the badge, but ISSUERS_FILE names no keys of Uni: add them.",
        });
      } finally {
        await later.stop();
      }
    } finally {
      await place.service.stop();
    }
  });

  test.each<[string, () => Promise<object>, RegExp]>([
    [
      "a key that is published as the service's own",
      async () => ({
        Uni: { name: "University", signing_keys: keysOf(academy).SIGNING_KEY_FILES.split(",") },
      }),
      /name the key \S+ twice: each issuer needs its own keys/,
    ],
    [
      "a key of another organisation",
      async () => ({ College: { name: "College", signing_keys: uniKeys } }),
      /was published as a key of Uni, so it can't sign for College: put a new key into the signing_keys of College/,
    ],
    [
      "no Ed25519 key",
      async () => ({ Uni: { name: "University", signing_keys: [uniKeys[1]] } }),
      /none of these is an Ed25519 key, but the signing_keys of Uni/,
    ],
    ["an organisation that is none", async () => ({ "a b": { name: "A", signing_keys: ["x"] } }), /a b/],
    [
      "a directory",
      async () => ({ "..": { name: "A", signing_keys: ["x"] } }),
      /must be the org part of context keys/,
    ],
    ["no name", async () => ({ Uni: { signing_keys: ["x"] } }), /Uni\.name/],
    [
      "a logo that is no address",
      async () => ({ Uni: { name: "U", signing_keys: ["x"], image: "data:image/png;base64,AAAA" } }),
      /Uni\.image: must be a URL with https:/,
    ],
    ["something else", async () => ({ Uni: { name: "U", signing_keys: ["x"], colour: "red" } }), /colour/],
    // As in credential-types.test.ts, a different version of zod in the same worker removes the first two words.
    ["a list", async () => [], /refused\.json: the file: (?:Invalid input: )?expected record/],
  ])("%s is refused", async (_what, issuers, problem) => {
    const file = join(directory, "refused.json");
    await writeFile(file, JSON.stringify(await issuers()));
    const settings = { PUBLIC_URL: PUBLIC, ISSUERS_FILE: file, ...keysOf(academy) };
    await expect(startTestService({ beside: academy.service, settings })).rejects.toThrow(problem);
  });
});
