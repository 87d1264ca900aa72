import fc from "fast-check";
import { facts } from "./sample.js";

/**
 * Any text that a database can store. Characters that are escaped or sorted specially occur more often than by chance.
 */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom('"', "\\", "\n", "\u007f", "\u2028", "😀", "\uffff", "é", "_:c14n0", "{}"),
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join("").replaceAll("\0", ""));

const webUrl = fc.webUrl({ validSchemes: ["https"], withQueryParameters: true });

/** Skills as the option accepts them. All fields except the type may also contain any other text. */
export const anyAlignments = (length: { minLength?: number; maxLength: number }) =>
  fc.uniqueArray(
    fc.record(
      {
        name: text,
        url: fc.oneof(webUrl, text, fc.constant(`http://data.europa.eu/esco/skill/${"0".repeat(460)}`)),
        description: text,
        framework: text,
        code: text,
        type: fc.constantFrom("CFItem", "ceasn:Competency", "ext:esco"),
      },
      { requiredKeys: ["name", "url"] },
    ),
    { ...length, selector: ({ name, url }) => JSON.stringify([name, url]) },
  );

/** Credits as the option accepts them, with at most three decimals. */
const anyCredits = fc.oneof(
  fc.integer({ min: 1, max: 100_000 }),
  fc.integer({ min: 1, max: 100_000_000 }).map((thousandths) => thousandths / 1000),
);

export const anyFacts = fc
  .record({
    holder: text,
    name: text,
    credentialType: text,
    description: text,
    criteria: text,
    criteriaUrl: fc.option(webUrl),
    held: fc.uniqueArray(fc.record({ name: text, verifyUrl: webUrl }), {
      maxLength: 3,
      selector: ({ verifyUrl }) => verifyUrl,
    }),
    issuer: text,
    issuerDescription: fc.option(text),
    issuerEmail: fc.option(fc.constant("help@example.org")),
    // The issuer and the achievement may have the same picture.
    issuerImage: fc.option(fc.constantFrom("https://example.org/a.png", "https://example.org/b.png")),
    salt: fc.option(text),
    tags: fc.uniqueArray(text, { maxLength: 4 }),
    image: fc.option(fc.oneof(fc.constant("https://example.org/a.png"), webUrl)),
    alignments: anyAlignments({ maxLength: 3 }),
    creator: fc.option(fc.record({ name: text, url: webUrl })),
    credits: fc.option(anyCredits),
    fieldOfStudy: fc.option(text),
    uuid: fc.uuid(),
    index: fc.nat(131_071),
    moment: fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true }),
    awarded: fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true }),
    validUntil: fc.option(fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true })),
  })
  .map((any) => ({
    ...facts,
    verifyUuid: any.uuid,
    issuer: {
      ...facts.issuer,
      name: any.issuer,
      description: any.issuerDescription,
      image: any.issuerImage,
      email: any.issuerEmail,
    },
    issuedAt: any.moment,
    awardedAt: any.awarded,
    validUntil: any.validUntil,
    holder: {
      ...facts.holder,
      name: any.holder,
      email: any.salt === null ? null : { salt: any.salt, sha256: "0f".repeat(32) },
    },
    achievement: {
      ...facts.achievement,
      name: any.name,
      description: any.description,
      criteria: any.criteria,
      criteriaUrl: any.criteriaUrl,
      tags: any.tags,
      image: any.image,
      alignments: any.alignments,
      creator: any.creator,
      credits: any.credits,
      fieldOfStudy: any.fieldOfStudy,
    },
    held: any.held,
    credentialType: any.credentialType,
    status: { ...facts.status, index: any.index },
  }));
