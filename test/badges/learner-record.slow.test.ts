import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { asciiJson } from "#formats/badges/ascii-json.js";
import { type Document, isSignedBy, signDocument } from "#formats/badges/data-integrity.js";
import { didDocument, keyUrl } from "#formats/badges/did-document.js";
import { learnerRecord, type RecordFacts } from "#formats/badges/learner-record.js";
import { type BadgeFacts, openBadge } from "#formats/badges/open-badge.js";
import { canonicalQuads, UnknownShapeError } from "#formats/badges/quads.js";
import { statusBits, statusListCredential } from "#formats/badges/status-list.js";
import { verifyRecord } from "#formats/badges/verify-badge.js";
import { anyFacts } from "./any-facts.js";
import { isVerified } from "./bazaar.js";
import { canonized } from "./canonized.js";
import { published } from "./contexts.js";
import { ed25519, ed25519KeyOf, p256 } from "./keys.js";
import { changedLeaves } from "./leaves.js";
import { facts, richFacts } from "./sample.js";
import { hasSchema, verifiedByCore } from "./verifier-core.js";

const { did } = facts.issuer;
const by = (created: string) => ({ key: ed25519, verificationMethod: keyUrl(did, ed25519), created });
const now = new Date("2026-02-01T00:00:00Z");

const signedBadge = async (sample: BadgeFacts) => {
  const badge = openBadge({ ...sample, issuer: { ...sample.issuer, did } });
  return signDocument(badge, by(badge.validFrom));
};

const recordOf = (badges: readonly object[], other: Partial<RecordFacts> = {}) =>
  learnerRecord({
    id: "urn:uuid:7d1d1a54-3e0d-4c1e-9d55-0d5c5b9f4a11",
    issuer: facts.issuer,
    validFrom: new Date("2026-01-20T00:00:00Z"),
    validUntil: new Date("2026-04-20T00:00:00Z"),
    names: ["Ana Kovač"],
    isPartial: false,
    badges,
    ...other,
  });

const signedRecord = (badges: readonly object[], other: Partial<RecordFacts> = {}) =>
  signDocument(recordOf(badges, other), by("2026-01-20T00:00:00Z"));

/** Another credential of the same person. */
const another = (index: number, sample = facts): BadgeFacts => ({
  ...sample,
  verifyUuid: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
  holder: { ...sample.holder, id: `urn:uuid:00000000-0000-4000-9000-${String(index).padStart(12, "0")}` },
  status: { ...sample.status, index },
});

/** 1EdTech published this record in its implementation guide. The record and its badge are signed with the same key. */
test("signs 1EdTech's published learner record with the published proof, byte for byte", async () => {
  const file = new URL("./learner-record-vector.json", import.meta.url);
  const vector = JSON.parse(readFileSync(file, "utf8")) as Document;
  const key = ed25519KeyOf(
    Buffer.from("6241a409e6707bb640a0140a8a32bc3d193c33a661747284d6adfa4ed4180be4", "hex"),
  );
  expect(hash("sha256", canonicalQuads(vector))).toBe(
    "768d7015ae69e0210e1c2a45194d9c1d15d7a6022e52b946574a2a27f6fa85fe",
  );
  const { proof } = await signDocument(vector, {
    key,
    verificationMethod: `https://example.edu/issuers/565049#${key.fragment}`,
    created: "2010-01-01T19:23:24Z",
  });
  expect(proof.proofValue).toBe(
    "zF52sU1nfPAjcwCqtgxPNSor6SJnAzRBwZW5VNQXPt8xXCHkd39sgqj32DnMjhFCzbyHsLkhQ8HpBqQTkMgXy329",
  );
});

describe("has the same quads as with jsonld.js", () => {
  const compare = async (samples: readonly BadgeFacts[], other: Partial<RecordFacts> = {}) => {
    const record = recordOf(await Promise.all(samples.map(signedBadge)), other);
    expect(canonicalQuads(record)).toBe(await canonized(record, published));
  };

  test("a record of any badges, of which some are of the same achievement", async () => {
    const anyBadges = fc.array(anyFacts, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(anyBadges, fc.boolean(), async (samples, isPartial) => {
        const distinct = samples.map((each, index) => another(index, each));
        await compare(distinct, {
          isPartial,
          names: [...new Set(distinct.map(({ holder }) => holder.name))],
        });
      }),
      { numRuns: 12 * Number(process.env.FUZZ_RUNS ?? 1) },
    );
  });

  test("a record of sixty badges", async () => {
    const [samples = []] = fc.sample(fc.array(anyFacts, { minLength: 60, maxLength: 60 }), {
      numRuns: 1,
      seed: 7,
    });
    await compare(samples.map((each, index) => another(index, each)));
  });

  test("a record of two badges of the same achievement, whose criteria and skills are indistinguishable", async () => {
    await compare([another(1, richFacts), another(2, richFacts), another(3)]);
  });
});

test("a badge within a badge, or a graph within a graph, is refused", async () => {
  const badge = await signedBadge(facts);
  const nested = { ...badge.proof, proof: badge.proof };
  for (const part of [
    { ...badge, proof: nested },
    { ...badge, proof: "z" },
    { ...badge, "@context": [] },
    { ...badge, credentialSubject: { type: ["ClrSubject"] } },
    "eyJ.eyJ.AAAA",
  ])
    expect(() => canonicalQuads(recordOf([part as object]))).toThrow(UnknownShapeError);
});

describe("a record of three badges", () => {
  let record: Awaited<ReturnType<typeof signedRecord>>;
  beforeAll(async () => {
    record = await signedRecord(
      await Promise.all([another(1), another(2, richFacts), another(3)].map(signedBadge)),
    );
  });

  test("is accepted by an independent verifier, the whole and each part", async () => {
    expect(isSignedBy(record, ed25519)).toBe(true);
    expect(await isVerified(record)).toBe(true);
    for (const part of record.credentialSubject.verifiableCredential)
      expect(await isVerified(part)).toBe(true);
  });

  test("is refused by both verifiers if a value is changed, or a part is left out or exchanged", async () => {
    const { verifiableCredential: parts } = record.credentialSubject;
    const withParts = (others: readonly object[]) => ({
      ...record,
      credentialSubject: { ...record.credentialSubject, verifiableCredential: others },
    });
    const changed = [
      ...changedLeaves(record),
      ["a part left out", withParts(parts.slice(1))] as const,
      ["another part", withParts([...parts.slice(1), await signedBadge(another(4))])] as const,
    ];
    expect(changed.length).toBeGreaterThan(120);
    for (const [path, each] of changed) expect(isSignedBy(each, ed25519), path).toBe(false);
    // jsonld.js is slow, so it checks only some of the changes.
    for (const [path, each] of changed.filter((_, index) => index % 12 === 0 || index > changed.length - 3))
      expect(await isVerified(each), path).toBe(false);
  });

  test("is accepted by verifier-core, the whole and each part, whose schema they fit", async () => {
    const web = await webOf();
    const local = (url: string) => {
      const known = published.get(url) ?? web.get(url);
      return known && `data:application/json,${encodeURIComponent(JSON.stringify(known))}`;
    };
    const verified = await verifiedByCore(record, local);
    expect([verified.errors, verified.checks.valid_signature]).toEqual([[], true]);
    for (const part of record.credentialSubject.verifiableCredential) {
      const { errors, checks, fitsSchema } = await verifiedByCore(part, local);
      expect([errors, checks.valid_signature]).toEqual([[], true]);
      if (hasSchema) expect(fitsSchema).toBe(true);
    }
  });
});

/** Returns the documents that an issuer serves, by URL. */
async function webOf(revoked: readonly number[] = []): Promise<Map<string, object>> {
  const list = statusListCredential({
    url: facts.status.listUrl,
    issuer: did,
    bits: statusBits(revoked),
    validFrom: new Date("2026-01-31T00:00:00Z"),
    validUntil: new Date("2099-02-02T00:00:00Z"),
    maxAge: 10,
  });
  return new Map<string, object>([
    ["https://credentials.example.org/.well-known/did.json", didDocument(did, [ed25519, p256])],
    [facts.status.listUrl, await signDocument(list, by(list.validFrom))],
  ]);
}

describe("verifyRecord", () => {
  const badges = (...numbers: number[]) => Promise.all(numbers.map((index) => signedBadge(another(index))));

  async function verdictOn(record: object, revoked: readonly number[] = []) {
    const web = await webOf(revoked);
    const requested: string[] = [];
    const verdict = await verifyRecord(
      asciiJson(record),
      async (url) => {
        requested.push(url);
        const found = web.get(url);
        if (!found) throw new Error(`${url} can't be reached`);
        return JSON.parse(JSON.stringify(found));
      },
      now,
    );
    return { ownVerdict: verdict?.ownVerdict, parts: verdict?.parts ?? [], requested };
  }

  test("finds the whole and each part valid, and fetches each document once", async () => {
    const { ownVerdict, parts, requested } = await verdictOn(await signedRecord(await badges(1, 2, 3)));
    expect(ownVerdict).toMatchObject({
      says: { holder: "Ana Kovač", issuer: did },
      problems: [],
      unchecked: [],
    });
    expect(parts).toHaveLength(3);
    for (const part of parts) expect(part).toMatchObject({ problems: [], unchecked: [] });
    expect(requested).toHaveLength(2);
  });

  test("names the part that was revoked later", async () => {
    const { ownVerdict, parts } = await verdictOn(await signedRecord(await badges(1, 2)), [2]);
    expect(ownVerdict?.problems).toEqual([]);
    expect(parts.map(({ problems }) => problems)).toEqual([[], ["The issuer has revoked the badge."]]);
  });

  test("finds a part about another person that an issuer included", async () => {
    const foreign = await signedBadge({ ...another(2), holder: { ...another(2).holder, name: "Eve" } });
    const { parts } = await verdictOn(await signedRecord([...(await badges(1)), foreign]));
    expect(parts.map(({ problems }) => problems)).toEqual([
      [],
      ["The record does not name the badge's holder."],
    ]);
  });

  test("fetches nothing for the parts of a record that its issuer has not signed", async () => {
    const record = await signedRecord(await badges(1, 2));
    const { ownVerdict, parts, requested } = await verdictOn({ ...record, name: "Another" });
    expect(ownVerdict?.problems).toEqual(["The badge has changed since its issuer signed it."]);
    expect([parts, requested]).toEqual([[], ["https://credentials.example.org/.well-known/did.json"]]);
  });

  test("reports that a record is out of date", async () => {
    const { ownVerdict } = await verdictOn(
      await signedRecord(await badges(1), { validUntil: new Date("2026-01-31T00:00:00Z") }),
    );
    expect(ownVerdict?.problems).toEqual(["The badge was valid until 2026-01-31T00:00:00Z."]);
  });

  test("accepts neither a single badge nor anything else as a record", async () => {
    for (const other of [await signedBadge(facts), {}, [], { type: ["ClrCredential"] }])
      expect(await verifyRecord(asciiJson(other), async () => ({}), now)).toBeUndefined();
  });
});
