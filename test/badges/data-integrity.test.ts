import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { fromBase58, toBase58 } from "#formats/badges/base58.js";
import { isSignedBy, signDocument } from "#formats/badges/data-integrity.js";
import { didKey, keyUrl } from "#formats/badges/did-document.js";
import { openBadge } from "#formats/badges/open-badge.js";
import { canonicalQuads } from "#formats/badges/quads.js";
import { isVerified } from "./bazaar.js";
import { ed25519, ed25519KeyOf, p256 } from "./keys.js";
import { changedLeaves } from "./leaves.js";
import { facts, richFacts } from "./sample.js";

/** A test vector from the implementation guide of Open Badges 3.0 (1EdTech). */
const vector = {
  seed: "6241a409e6707bb640a0140a8a32bc3d193c33a661747284d6adfa4ed4180be4",
  multibase: "z6MkjZRZv3aez3r18pB1RBFJR1kwUVJ5jHt92JmQwXbd5hwi",
  created: "2010-01-01T19:23:24Z",
  credential: {
    "@context": [
      "https://www.w3.org/ns/credentials/v2",
      "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json",
    ],
    id: "http://example.com/credentials/3527",
    type: ["VerifiableCredential", "OpenBadgeCredential"],
    issuer: {
      id: "https://example.edu/issuers/565049",
      type: ["Profile"],
      url: "https://www.imsglobal.org",
      name: "Example Corp",
    },
    validFrom: "2010-01-01T00:00:00Z",
    name: "Teamwork Badge",
    credentialSubject: {
      id: "did:example:ebfeb1f712ebc6f1c276e12ec21",
      type: ["AchievementSubject"],
      achievement: {
        id: "https://example.com/achievements/21st-century-skills/teamwork",
        type: ["Achievement"],
        criteria: {
          narrative:
            "Team members are nominated for this badge by their peers and recognized upon review by Example Corp management.",
        },
        description:
          "This badge recognizes the development of the capacity to collaborate within a group environment.",
        name: "Teamwork",
      },
    },
  },
  documentHash: "87f65a76d40146205e3b3e06cb0fbd153f97f9ce70372390f52566bb7f9e0773",
  proofValue: "z5x9aCBYovW3CQCbKdNyhEm7ffYSw1YpEdPywQJoNbzDD2gkzQDKJ1sYKJaWvqZtkMtSbz35HcbgXVEDYHxCzgkCr",
};

test("signs 1EdTech's published credential with the published proof, byte for byte", async () => {
  const key = ed25519KeyOf(Buffer.from(vector.seed, "hex"));
  expect(key.fragment).toBe(vector.multibase);
  expect(hash("sha256", canonicalQuads(vector.credential))).toBe(vector.documentHash);
  const signed = await signDocument(vector.credential, {
    key,
    verificationMethod: `${vector.credential.issuer.id}#${key.fragment}`,
    created: vector.created,
  });
  expect(signed.proof.proofValue).toBe(vector.proofValue);
  expect(isSignedBy(signed, key)).toBe(true);
});

/** W3C published this test vector for the suite eddsa-rdfc-2022 in its recommendation vc-di-eddsa. */
test("signs W3C's test vector with the published key, signature and encoding", async () => {
  const secret = fromBase58("z3u2en7t5LR2WtQH5PfFqMqwVHBeXouLzo6haApm8XHqvjxq") ?? Buffer.alloc(0);
  const key = ed25519KeyOf(secret.subarray(2));
  expect(key.fragment).toBe("z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2");
  const hashes = Buffer.from(
    "4c4d3890a157f8d611b13c265c2c22f39aa0a567c7c7dd9ba3e45cd579784eeb" +
      "517744132ae165a5349155bef0bb0cf2258fff99dfe1dbd914b938d775a36017",
    "hex",
  );
  expect(toBase58(await key.sign(hashes))).toBe(
    "z21EVs3eXERqTn4acNHT9viboqgzUaQ3kTmhPT3eA8qrVPE7CrQq78WkzctnMX5W4CrzcKnHw8V6dvy5pgWYCU5e9",
  );
});

function signedSample(sample = facts) {
  return signDocument(openBadge(sample), {
    key: ed25519,
    verificationMethod: keyUrl(facts.issuer.did, ed25519),
    created: "2026-01-15T10:30:00Z",
  });
}

test.each([
  ["a plain badge", facts],
  ["one with skills, creator, credits and field of study", richFacts],
])(
  "an independent verifier and this one accept %s, and refuse it if any value is changed",
  async (_what, sample) => {
    const signed = await signedSample(sample);
    expect(isSignedBy(signed, ed25519)).toBe(true);
    expect(await isVerified(signed)).toBe(true);
    const changed = changedLeaves(signed);
    expect(changed.length).toBeGreaterThan(30);
    for (const [path, badge] of changed) {
      expect(isSignedBy(badge, ed25519), path).toBe(false);
      expect(await isVerified(badge), path).toBe(false);
    }
  },
);

test("the same document, key and time give the same bytes", async () => {
  expect(JSON.stringify(await signedSample())).toBe(JSON.stringify(await signedSample()));
});

describe("is not accepted as signed:", () => {
  test.each<[string, (signed: Awaited<ReturnType<typeof signedSample>>) => object]>([
    ["a credential without a proof", ({ proof: _, ...rest }) => rest],
    ["one with two proofs", ({ proof, ...rest }) => ({ ...rest, proof: [proof, proof] })],
    ["one with something added", (signed) => ({ ...signed, nickname: "Ana" })],
    [
      "one with something added to the proof",
      (signed) => ({ ...signed, proof: { ...signed.proof, expires: "2030-01-01T00:00:00Z" } }),
    ],
    ["one with something left out", ({ evidence: _, ...rest }) => rest],
    [
      "one of another suite",
      (signed) => ({ ...signed, proof: { ...signed.proof, cryptosuite: "eddsa-jcs-2022" } }),
    ],
    [
      "one whose signature is cut short",
      (signed) => ({
        ...signed,
        proof: { ...signed.proof, proofValue: signed.proof.proofValue.slice(0, -2) },
      }),
    ],
    [
      "one whose signature is not base58",
      (signed) => ({ ...signed, proof: { ...signed.proof, proofValue: `${signed.proof.proofValue}0` } }),
    ],
  ])("%s", async (_what, change) => {
    expect(isSignedBy(change(await signedSample()) as Record<string, unknown>, ed25519)).toBe(false);
  });

  test("a document signed by another key", async () => {
    const signed = await signedSample();
    expect(isSignedBy(signed, ed25519KeyOf(Buffer.alloc(32, 7)))).toBe(false);
    expect(isSignedBy(signed, p256)).toBe(false);
  });
});

test("an issuer identified by did:key needs no DID document", async () => {
  const did = didKey(ed25519);
  const badge = openBadge({ ...facts, issuer: { ...facts.issuer, did } });
  const signed = await signDocument(badge, {
    key: ed25519,
    verificationMethod: keyUrl(did, ed25519),
    created: badge.validFrom,
  });
  expect(signed.proof.verificationMethod).toBe(`${did}#${ed25519.fragment}`);
  expect(isSignedBy(signed, ed25519)).toBe(true);
});
