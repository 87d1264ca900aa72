import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openBadge } from "#formats/badges/open-badge.js";
import { canonicalQuads, UnknownShapeError } from "#formats/badges/quads.js";
import { statusBits, statusListCredential } from "#formats/badges/status-list.js";
import { anyAlignments, anyFacts } from "./any-facts.js";
import { canonized } from "./canonized.js";
import { published, republished } from "./contexts.js";
import { facts } from "./sample.js";

if (republished.length === 0)
  console.warn("Not compared with the context as republished: ../shared has it, and is not here.");
const versions: [string, ReadonlyMap<string, object>][] = [
  ["as the specification has it", published],
  ...republished.map((each, index): [string, typeof each] => [
    `as it was published again (${index + 1})`,
    each,
  ]),
];

/** A badge with all terms of the vocabulary, although the service doesn't use some of them at present. */
const more = {
  "@context": openBadge(facts)["@context"],
  id: "urn:uuid:f58a4a10-67c4-42c7-9081-22078fceac85",
  type: ["VerifiableCredential", "OpenBadgeCredential"],
  description: "A badge with all that one can have",
  image: { id: "https://example.org/a.png", type: "Image", caption: "A star" },
  issuer: "did:web:example.org",
  validFrom: "2026-01-01T00:00:00Z",
  validUntil: "2027-01-01T00:00:00Z",
  credentialSubject: {
    id: "did:key:z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2",
    type: ["AchievementSubject"],
    identifier: [
      { type: "IdentityObject", hashed: false, identityHash: "Ana", identityType: "name" },
      {
        type: "IdentityObject",
        hashed: true,
        identityHash: "sha256$00",
        identityType: "emailAddress",
        salt: "s",
      },
    ],
    result: [
      { type: ["Result"], resultDescription: "urn:uuid:1", value: "81.5" },
      { type: ["Result"], resultDescription: "urn:uuid:2", value: "0.95" },
      { type: ["Result"], resultDescription: "urn:uuid:3", status: "Completed" },
    ],
    achievement: {
      id: "urn:uuid:00000000-0000-4000-8000-000000000002",
      type: ["Achievement"],
      name: "A",
      description: "B",
      criteria: { id: "https://example.org/criteria", narrative: "C" },
      tag: ["one", "two"],
      resultDescription: [
        { id: "urn:uuid:1", type: ["ResultDescription"], name: "Total", resultType: "Percent" },
        { id: "urn:uuid:2", type: ["ResultDescription"], name: "Completion", resultType: "RawScore" },
        {
          id: "urn:uuid:3",
          type: ["ResultDescription"],
          name: "Points",
          resultType: "ScaledScore",
          valueMin: "0",
          valueMax: "20",
          requiredValue: "10",
          allowedValue: [],
        },
      ],
    },
  },
};

describe.each(versions)("with the published context %s", (_version, contexts) => {
  test("a badge with any contents has the same quads as with jsonld.js", async () => {
    await fc.assert(
      fc.asyncProperty(anyFacts, async (any) => {
        const badge = openBadge(any);
        expect(canonicalQuads(badge)).toBe(await canonized(badge, contexts));
      }),
      { numRuns: 60 * Number(process.env.FUZZ_RUNS ?? 1) },
    );
  });

  test("badges of 20 skills each have the same quads", async () => {
    await fc.assert(
      fc.asyncProperty(anyAlignments({ minLength: 20, maxLength: 20 }), async (alignments) => {
        const badge = openBadge({ ...facts, achievement: { ...facts.achievement, alignments } });
        expect(canonicalQuads(badge)).toBe(await canonized(badge, contexts));
      }),
      { numRuns: 15 * Number(process.env.FUZZ_RUNS ?? 1) },
    );
  });

  test("badges with lists of letter grades (equal, similar and empty) have the same quads", async () => {
    const scale = fc.shuffledSubarray(["A", "B", "B+", "C"]);
    await fc.assert(
      fc.asyncProperty(fc.array(scale, { minLength: 1, maxLength: 4 }), async (scales) => {
        const badge = scaleOf(...scales);
        expect(canonicalQuads(badge)).toBe(await canonized(badge, contexts));
      }),
      { numRuns: 60 * Number(process.env.FUZZ_RUNS ?? 1) },
    );
    const letters = "A+ A A- B+ B B- C+ C C- D+ D D- F".split(" ");
    const long = scaleOf(...Array.from({ length: 40 }, () => letters));
    expect(canonicalQuads(long)).toBe(await canonized(long, contexts));
  });

  test("a badge with the whole vocabulary and a status list has the same quads", async () => {
    const list = statusListCredential({
      url: facts.status.listUrl,
      issuer: facts.issuer.did,
      bits: statusBits([1, 2, 131_071]),
      validFrom: new Date("2026-01-15T10:30:00Z"),
      validUntil: new Date("2026-01-16T10:30:00Z"),
      maxAge: 10,
    });
    const alike = { ...openBadge(facts), evidence: [{ type: "Evidence" }, { type: "Evidence" }] };
    const innerAlike = { ...openBadge(facts), evidence: [inner, inner] };
    for (const document of [more, list, alike, innerAlike]) {
      expect(canonicalQuads(document)).toBe(await canonized(document, contexts));
    }
  });
});

const inner = { type: "VerifiableCredential", evidence: { type: "Evidence" } };
const twins = { type: "VerifiableCredential", evidence: [inner, inner] };

/** A badge whose results have lists of allowed values. */
function scaleOf(...scales: string[][]) {
  return openBadge({
    ...facts,
    results: scales.map((scale, index) => ({
      id: `urn:uuid:${index}`,
      name: "letter grade",
      attained: { type: "LetterGrade", letter: "B", scale },
    })),
  });
}

function creditsOf(creditsEarned: number) {
  const { credentialSubject } = openBadge(facts);
  return { credentialSubject: { ...credentialSubject, creditsEarned } };
}

test.each([
  ["a term that no context has", { nickname: "Ana" }],
  ["a term in a place that is not its own", { salt: "s" }],
  ["a type that no context has", { type: ["VerifiableCredential", "Diploma"] }],
  ["an id that is relative", { id: "credentials/1" }],
  ["an id with a space", { id: "https://example.org/a b" }],
  ["the id of a blank node", { id: "_:b0" }],
  ["half of a character", { name: "\ud83d" }],
  ["a list where a text is due", { name: [["Ana"]] }],
  ["nothing where a text is due", { name: null }],
  ["a fraction where a text is due", { name: 1.5 }],
  ["a number that JSON-LD writes in another way", creditsOf(1e21)],
  ["a number that jsonld.js writes in another way", creditsOf(1e-7)],
  ["no number where one is due", creditsOf(Number.NaN)],
  [
    "another context",
    { "@context": ["https://www.w3.org/ns/credentials/v2", "https://example.org/context"] },
  ],
  ["contexts that only look like the known ones", { "@context": [openBadge(facts)["@context"].join()] }],
  ["a context of its own within", { issuer: { "@context": {}, id: "did:web:example.org" } }],
  ["objects whose parts nothing tells apart, either", { evidence: [twins, twins] }],
  ["a list of more than 200 values", scaleOf(Array.from({ length: 201 }, String))],
  ["a term that JavaScript's objects have", { constructor: "Ana" }],
])("%s is unknown, so it is never signed", (_what, change) => {
  expect(() => canonicalQuads({ ...openBadge(facts), ...change })).toThrow(UnknownShapeError);
});

test("objects that are nested endlessly are refused", () => {
  let evidence: object = { type: "Evidence" };
  for (let depth = 0; depth < 5000; depth++) evidence = { type: "VerifiableCredential", evidence };
  expect(() => canonicalQuads({ ...openBadge(facts), evidence })).toThrow(/more than 10 deep/);
});
