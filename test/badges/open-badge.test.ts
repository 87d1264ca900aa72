import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { registerSchema, type SchemaObject, validate } from "@hyperjump/json-schema/draft-2019-09";
import { beforeAll, describe, expect, test } from "vitest";
import { signDocument } from "#formats/badges/data-integrity.js";
import { keyUrl } from "#formats/badges/did-document.js";
import { openBadge } from "#formats/badges/open-badge.js";
import { ed25519 } from "./keys.js";
import { facts, richFacts } from "./sample.js";

/** 1EdTech's schema of an AchievementCredential of Open Badges 3.0, which no package contains. */
const file = new URL("../../../shared/fixtures/digital-credentials/ob3-schema.json", import.meta.url);
const hasSchema = existsSync(file);
if (!hasSchema)
  console.warn(`Badges are not validated by 1EdTech's JSON schema: ${fileURLToPath(file)} is missing.`);

describe.skipIf(!hasSchema)("1EdTech's JSON schema", () => {
  const id = "https://schemas.test/open-badge-3.0";
  beforeAll(() => {
    const schema = JSON.parse(readFileSync(file, "utf8")) as SchemaObject;
    registerSchema({ ...schema, $id: undefined } as unknown as SchemaObject, id);
  });
  const isValid = async (badge: object) => (await validate(id, JSON.parse(JSON.stringify(badge)))).valid;
  const by = {
    key: ed25519,
    verificationMethod: keyUrl(facts.issuer.did, ed25519),
    created: "2026-01-15T10:30:00Z",
  };

  test("accepts issued badges, signed and unsigned", async () => {
    for (const sample of [facts, richFacts]) {
      expect(await isValid(openBadge(sample))).toBe(true);
      expect(await isValid(await signDocument(openBadge(sample), by))).toBe(true);
    }
  });

  test("refuses a badge without a required part", async () => {
    const { credentialSubject, ...badge } = openBadge(facts);
    const { criteria: _, ...achievement } = credentialSubject.achievement;
    expect(await isValid({ ...badge, credentialSubject: { ...credentialSubject, achievement } })).toBe(false);
    expect(await isValid(badge)).toBe(false);
  });
});

test("a badge has the form that wallets and verifiers read", () => {
  const badge = openBadge(facts);
  expect(badge["@context"]).toEqual([
    "https://www.w3.org/ns/credentials/v2",
    "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json",
  ]);
  // Wallets show the first unhashed identifier as the holder.
  expect(badge.credentialSubject.identifier[0]).toMatchObject({
    hashed: false,
    identityHash: "Ana Kovač",
    identityType: "name",
  });
  expect(badge.credentialSubject.id).toBe(facts.holder.id);
  const { id, statusListCredential, statusListIndex, statusPurpose } = badge.credentialStatus;
  expect(id).toBe(`${statusListCredential}#${statusListIndex}`);
  expect([typeof statusListIndex, statusPurpose]).toEqual(["string", "revocation"]);
  // 1EdTech's verifier refuses a badge with `credentialSchema` unless the badge has a separate context for it. The
  // verifier checks every badge against the schema in any case.
  expect(badge).not.toHaveProperty("credentialSchema");
  expect(badge.validFrom).toBe("2026-01-15T10:30:00Z");
});
