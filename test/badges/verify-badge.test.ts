import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asciiJson } from "#formats/badges/ascii-json.js";
import { signDocument } from "#formats/badges/data-integrity.js";
import { didDocument, didDocumentUrl, didKey, didWeb, keyUrl } from "#formats/badges/did-document.js";
import type { BadgeVerdict } from "#formats/badges/judge-badge.js";
import { signJwt } from "#formats/badges/jwt.js";
import { type BadgeFacts, openBadge } from "#formats/badges/open-badge.js";
import { statusBits, statusListCredential } from "#formats/badges/status-list.js";
import { verifyBadge } from "#formats/badges/verify-badge.js";
import { ed25519, ed25519KeyOf, p256 } from "./keys.js";
import { facts } from "./sample.js";

const { did } = facts.issuer;
const now = new Date("2026-02-01T00:00:00Z");

async function badgeOf(changed: Partial<BadgeFacts> = {}, key = ed25519): Promise<string> {
  const badge = openBadge({ ...facts, ...changed });
  const verificationMethod = keyUrl(badge.issuer.id, key);
  return asciiJson(await signDocument(badge, { key, verificationMethod, created: badge.validFrom }));
}

async function listOf(
  revoked: number[],
  changed: { issuer?: string; validUntil?: Date; key?: typeof ed25519 } = {},
) {
  const { issuer = did, validUntil = new Date("2026-02-02T00:00:00Z"), key = ed25519 } = changed;
  const list = statusListCredential({
    url: facts.status.listUrl,
    issuer,
    bits: statusBits(revoked),
    validFrom: new Date("2026-01-31T00:00:00Z"),
    validUntil,
    maxAge: 10,
  });
  return signDocument(list, { key, verificationMethod: keyUrl(issuer, key), created: list.validFrom });
}

/** Returns everything that a verifier may fetch, by URL. */
async function web(changed: Record<string, unknown> = {}) {
  const answers: Record<string, unknown> = {
    "https://credentials.example.org/.well-known/did.json": didDocument(did, [ed25519, p256]),
    [facts.status.listUrl]: await listOf([]),
    ...changed,
  };
  return async (url: string) => {
    if (answers[url] === undefined) throw new Error(`${url} can't be reached`);
    return JSON.parse(JSON.stringify(answers[url]));
  };
}

test("a badge is valid if its issuer has signed and not revoked it, in both formats", async () => {
  const jwt = await signJwt(openBadge(facts), { key: p256, kid: keyUrl(did, p256) });
  for (const badge of [await badgeOf(), jwt, `${jwt}\n`]) {
    expect(await verifyBadge(badge, await web(), now)).toEqual({
      says: {
        issuer: did,
        issuerName: "Harbour Light Academy",
        holder: "Ana Kovač",
        name: "Certificate of Completion: Reading the Night Sky",
        issued: "2026-01-15T10:30:00Z",
      },
      keyUrl: expect.stringContaining(`${did}#`),
      failures: [],
      id: `urn:uuid:${facts.verifyUuid}`,
      statusListUrl: facts.status.listUrl,
      problems: [],
      unchecked: [],
    });
  }
});

test("a badge of a did:key issuer is valid without any document", async () => {
  const issuer = { ...facts.issuer, did: didKey(ed25519) };
  const list = await listOf([], { issuer: issuer.did });
  const fetchJson = async (url: string) =>
    url === facts.status.listUrl ? list : Promise.reject(new Error(url));
  expect(await verifyBadge(await badgeOf({ issuer }), fetchJson, now)).toMatchObject({
    problems: [],
    unchecked: [],
  });
});

describe("is not known to be valid:", () => {
  const stranger = ed25519KeyOf(Buffer.alloc(32, 7));
  const url = facts.status.listUrl;
  test.each<
    [
      string,
      () => Promise<string>,
      () => Promise<Record<string, unknown>>,
      { problems?: RegExp; unchecked?: RegExp },
    ]
  >([
    [
      "one that was changed",
      async () => (await badgeOf()).replace("Ana", "Eva"),
      async () => ({}),
      { problems: /changed since its issuer signed it/ },
    ],
    [
      "one by a key that its issuer does not name",
      () => badgeOf({}, stranger),
      async () => ({}),
      { problems: /does not publish the key/ },
    ],
    [
      "one whose key is its issuer's for another purpose",
      () => badgeOf(),
      async () => ({
        "https://credentials.example.org/.well-known/did.json": {
          ...didDocument(did, [ed25519]),
          assertionMethod: [],
        },
      }),
      { problems: /does not publish the key/ },
    ],
    [
      "one that says what this service never says, so nobody knows here",
      async () => (await badgeOf()).replace('"awardedDate"', '"expectedStudyTime":"PT20H","awardedDate"'),
      async () => ({}),
      {
        unchecked:
          /signature of the badge can.t be checked here: the property expectedStudyTime of .* is not supported/,
      },
    ],
    [
      "one with a status of another kind",
      () => {
        const badge = openBadge(facts);
        const credentialStatus = { ...badge.credentialStatus, type: "1EdTechRevocationList" };
        return signJwt({ ...badge, credentialStatus }, { key: p256, kid: keyUrl(did, p256) });
      },
      async () => ({}),
      { unchecked: /its kind of status is not supported/ },
    ],
    [
      "one that names one issuer, and a key of another",
      async () => (await badgeOf()).replaceAll(`"${did}"`, '"did:web:harbour.example.org"'),
      async () => ({}),
      { problems: /not signed by a key of the issuer/ },
    ],
    [
      "one whose issuer is another one's document",
      () => badgeOf(),
      async () => ({
        "https://credentials.example.org/.well-known/did.json": didDocument("did:web:example.net", [ed25519]),
      }),
      { problems: /does not publish the key/ },
    ],
    [
      "one whose issuer is out of reach",
      () => badgeOf(),
      async () => ({ "https://credentials.example.org/.well-known/did.json": undefined }),
      { unchecked: /can't be fetched/ },
    ],
    [
      "one that is not valid yet",
      () => badgeOf({ issuedAt: new Date("2026-02-01T00:00:01Z") }),
      async () => ({}),
      { problems: /not valid before 2026-02-01T00:00:01Z/ },
    ],
    [
      "one that was revoked",
      () => badgeOf(),
      async () => ({ [url]: await listOf([facts.status.index]) }),
      { problems: /has revoked the badge/ },
    ],
    [
      "one whose list another one has signed",
      () => badgeOf(),
      async () => ({ [url]: await listOf([], { key: stranger }) }),
      { unchecked: /was revoked: its status list can't be verified/ },
    ],
    [
      "one whose list was changed",
      () => badgeOf(),
      async () => ({ [url]: { ...(await listOf([])), validFrom: "2026-01-30T00:00:00Z" } }),
      { unchecked: /was revoked: its status list can't be verified/ },
    ],
    [
      "one whose list is out of date",
      () => badgeOf(),
      async () => ({ [url]: await listOf([], { validUntil: new Date("2026-01-31T12:00:00Z") }) }),
      { unchecked: /out of date/ },
    ],
    [
      "one whose list is out of reach",
      () => badgeOf(),
      async () => ({ [url]: undefined }),
      { unchecked: /can't be reached/ },
    ],
    [
      "one whose list is another thing",
      () => badgeOf(),
      async () => ({ [url]: [] }),
      { unchecked: /unknown whether/ },
    ],
    [
      "one with a proof of a kind that is not known here",
      async () => (await badgeOf()).replace("eddsa-rdfc-2022", "ecdsa-rdfc-2019"),
      async () => ({}),
      { unchecked: /its kind of proof is not supported/ },
    ],
    [
      "one of an issuer whose kind of DID is not known here",
      async () => (await badgeOf()).replaceAll(did, "did:ion:abc"),
      async () => ({}),
      { unchecked: /neither a did:web nor a did:key/ },
    ],
  ])("%s", async (_what, badge, changed, { problems = /^$/, unchecked = /^$/ }) => {
    const verdict = await verifyBadge(await badge(), await web(await changed()), now);
    expect(verdict?.problems.join("\n")).toMatch(problems);
    expect(verdict?.unchecked.join("\n")).toMatch(unchecked);
  });

  test("the status list named in a badge is not fetched if the badge isn't signed by its issuer", async () => {
    const fetched: string[] = [];
    const fetchJson = await web();
    await verifyBadge(
      (await badgeOf()).replace("Ana", "Eva"),
      (requested) => {
        fetched.push(requested);
        return fetchJson(requested);
      },
      now,
    );
    expect(fetched).toEqual(["https://credentials.example.org/.well-known/did.json"]);
  });
});

test.each([
  "",
  "{}",
  "[]",
  "null",
  "a.b.c",
  '{"type":["OpenBadgeCredential"]}',
  '{"issuer":"did:web:a","type":"Diploma"}',
])("%j is not a badge", async (text) => {
  expect(await verifyBadge(text, await web(), now)).toBeUndefined();
});

/** @returns undefined if the verdict is not on a badge */
function failuresOf(verdict: BadgeVerdict | undefined): readonly string[] | undefined {
  return verdict && [...verdict.problems, ...verdict.unchecked];
}

test("any modification of a badge gives a verdict", async () => {
  const signed = JSON.parse(await badgeOf()) as Record<string, unknown>;
  const fetchJson = await web();
  const change = fc.record({ name: fc.constantFrom(...Object.keys(signed)), value: fc.jsonValue() });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      const changed = { ...signed, ...Object.fromEntries(changes.map(({ name, value }) => [name, value])) };
      const verdict = await verifyBadge(asciiJson(changed), fetchJson, now);
      expect(failuresOf(verdict)).not.toEqual([]);
    }),
    { numRuns: 300 * Number(process.env.FUZZ_RUNS ?? 1) },
  );
});

test.each<[string, (badge: Record<string, never>) => object]>([
  ["name", (badge) => ({ ...badge, name: { toString: "no function" } })],
  ["validUntil", (badge) => ({ ...badge, validUntil: { toString: 1, valueOf: 2 } })],
  ["issuer", (badge) => ({ ...badge, issuer: { id: did, name: { toString: null } } })],
  [
    "holder",
    (badge) => ({ ...badge, credentialSubject: { identifier: [{ identityHash: { toString: {} } }] } }),
  ],
])("an object instead of the text %s gives a verdict", async (_what, change) => {
  const changed = change(JSON.parse(await badgeOf()));
  const verdict = await verifyBadge(asciiJson(changed), await web(), now);
  expect(failuresOf(verdict)).not.toEqual([]);
});

test.each([
  [
    "https://credentials.example.org",
    "did:web:credentials.example.org",
    "https://credentials.example.org/.well-known/did.json",
  ],
  ["https://example.org:8443", "did:web:example.org%3A8443", "https://example.org:8443/.well-known/did.json"],
  [
    "https://example.org/a/credentials",
    "did:web:example.org:a:credentials",
    "https://example.org/a/credentials/did.json",
  ],
])("the issuer at %s is %s, whose keys are at %s", (publicUrl, expected, document) => {
  expect(didWeb(publicUrl)).toBe(expected);
  expect(didDocumentUrl(expected)).toBe(document);
});

test.each(["did:key:z6Mk", "did:web:", "did:web:example.org/path", "did:web:user@example.org"])(
  "%s leads nowhere",
  (other) => {
    expect(didDocumentUrl(other)).toBeUndefined();
  },
);

test("an encoded path in a did:web stays on its host", () => {
  const url = didDocumentUrl("did:web:example.org:..%2F") ?? "";
  expect(new URL(url).href).toBe("https://example.org/..%2F/did.json");
});
