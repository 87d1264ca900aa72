import { describe, expect, test } from "vitest";
import { VerifiableCredentialFormat as Format } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { hasSchema, verifiedByCore } from "../../badges/verifier-core.js";
import { offerCredential } from "../../configurations/offer-credential.js";
import { COURSE, givenAcademy } from "../../support/academy.js";

const PUBLIC = "https://stacks.test";
const academy = givenAcademy({
  signs: true,
  settings: { PUBLIC_URL: PUBLIC, PLATFORM_NAME: "Harbour Light" },
});

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape
type Json = any;

const localUrl = (url: string) =>
  url.startsWith(`${PUBLIC}/`) ? academy.service.httpUrl + url.slice(PUBLIC.length) : undefined;

async function badgeOf(uuid: string): Promise<Json> {
  const { content } = await academy.credentials.getVerifiableCredential({ uuid, format: Format.JSON });
  return JSON.parse(Buffer.from(content).toString());
}

let types = 0;
/** Issues a credential of a new type. */
async function made(username: string, requirements: object, more: object = {}) {
  const options = { requirements, ...more };
  const name = `Level ${++types}`;
  const offer = await offerCredential(academy.configurations, COURSE, name, "retrieve_requirements", options);
  const { uuid, verifyUuid } = await academy.made(username, { configurationId: offer.id });
  return { uuid, verifyUuid, name, configurationId: offer.id, typeId: offer.credentialTypeId };
}

/** Returns all addresses of the service in a document. */
function addressesIn(value: Json): string[] {
  if (typeof value === "string") return value.startsWith(`${PUBLIC}/`) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(addressesIn) : [];
}

describe("the badge of a credential that required others", () => {
  test("lists the requirements, and names the required credentials, each with an address that responds", async () => {
    await academy.enrol("stacked");
    await academy.report({
      case: "courseGrade",
      value: { username: "stacked", courseKey: COURSE, passed: true, letter: "A" },
    });
    const first = await made("stacked", { all: [{ passed: true }, { letter: "A" }] });
    const second = await made("stacked", { grade: { Exam: 0.5 } });
    const whole = await made("stacked", {
      at_least: 2,
      of: [
        { holds: { credential_type_id: first.typeId } },
        { holds: { configuration_id: second.configurationId } },
        { completion: 0.9, runs: ["course-v1:Uni+A+1", "course-v1:Uni+B+1"] },
      ],
    });
    const badge = await badgeOf(whole.uuid);
    const { achievement } = badge.credentialSubject;
    const own = `${PUBLIC}/verify/${whole.verifyUuid}/`;
    expect(achievement.criteria).toEqual({
      id: `${own}#criteria`,
      narrative:
        `At least 2 of: the credential ${first.name}; the credential ${second.name}; ` +
        "at least 90% of the course completed (Uni · A · 1 or Uni · B · 1)",
    });
    const parts = [first, second].map(({ verifyUuid }) => `${PUBLIC}/verify/${verifyUuid}/`);
    expect(achievement.related).toEqual(
      parts.map((url) => ({ id: `${url}#achievement`, type: ["Related"] })),
    );
    expect(badge.evidence).toEqual([
      { id: own, type: ["Evidence"] },
      ...parts.map((id, at) => ({
        id,
        type: ["Evidence"],
        name: `${[first, second][at]?.name}: Course One`,
      })),
    ]);
    const addresses = addressesIn(badge);
    expect(addresses.length).toBeGreaterThan(6);
    for (const address of addresses) {
      const [page = "", fragment] = address.split("#");
      const answer = await fetch(localUrl(page) ?? page);
      expect([address, answer.status]).toEqual([address, 200]);
      const isPage = answer.headers.get("content-type")?.startsWith("text/html");
      const text = await answer.text();
      if (isPage && fragment) expect(text).toContain(`id="${fragment}"`);
    }
    const criteria = await (
      await fetch(localUrl(own) ?? own, { headers: { "Accept-Language": "de" } })
    ).text();
    expect(criteria).toContain(`Mindestens 2 davon: der Nachweis ${first.name}`);
    const { checks, errors, fitsSchema } = await verifiedByCore(badge, localUrl);
    expect(errors).toEqual([]);
    expect(checks).toMatchObject({ valid_signature: true });
    if (hasSchema) expect(fitsSchema).toBe(true);
  });

  test("keeps the names at issue, and the criteria that its issuer wrote", async () => {
    await academy.enrol("renamed");
    await academy.report({
      case: "courseGrade",
      value: { username: "renamed", courseKey: COURSE, passed: true },
    });
    const part = await made("renamed", { passed: true });
    const whole = await made("renamed", { holds: { credential_type_id: part.typeId } });
    const written = await made(
      "renamed",
      { holds: { credential_type_id: part.typeId } },
      { open_badge: { criteria: "Pass everything." } },
    );
    const before = await badgeOf(whole.uuid);
    await academy.configurations.updateCredentialType({
      credentialType: { id: part.typeId, name: "Renamed" },
      updateMask: { paths: ["name"] },
    });
    expect(await badgeOf(whole.uuid)).toEqual(before);
    expect(before.credentialSubject.achievement.criteria.narrative).toBe(`The credential ${part.name}`);
    expect((await badgeOf(written.uuid)).credentialSubject.achievement.criteria.narrative).toBe(
      "Pass everything.",
    );
    expect((await badgeOf(part.uuid)).credentialSubject.achievement.related).toBeUndefined();
    const nested = await made("renamed", {
      any: [
        { all: [{ grade: { exam: 0.5 } }, { passed: true }] },
        { all: [{ all: [{ letter: "B" }] }] },
        { passed: true },
      ],
    });
    expect((await badgeOf(nested.uuid)).credentialSubject.achievement.criteria.narrative).toBe(
      "Any of: [all of: at least 50% in Exam; a pass in the course]; letter grade B or better; a pass in the course",
    );
    const only = await made("renamed", { all: [{ any: [{ holds: { credential_type_id: part.typeId } }] }] });
    expect((await badgeOf(only.uuid)).credentialSubject.achievement.criteria.narrative).toBe(
      "The credential Renamed",
    );
  });
});
