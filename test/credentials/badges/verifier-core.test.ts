import { readFile } from "node:fs/promises";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { beforeAll, describe, expect, test } from "vitest";
import { changedLeaves } from "../../badges/leaves.js";
import { hasSchema, verifiedByCore } from "../../badges/verifier-core.js";
import { readPdf } from "../../rendering/read-pdf.js";
import { givenAcademy } from "../../support/academy.js";
import { tokenOf } from "../../support/service.js";

const PUBLIC = "https://verified.test";
const IN_FORCE = { valid_signature: true, expiration: true, revocation_status: true };

const academy = givenAcademy({ signs: true, settings: { PUBLIC_URL: PUBLIC } });
let staff: string;
beforeAll(async () => {
  await academy.configure({
    validity: "P2Y",
    open_badge: {
      results: true,
      email: true,
      achievement_type: "MicroCredential",
      tags: ["stars"],
      image: "https://academy.test/star.png",
      alignment: [
        {
          name: "observe celestial objects",
          url: "http://data.europa.eu/esco/skill/00ad1b3d",
          framework: "ESCO",
        },
        { name: 'Finds "north"', url: "https://case.test/uri/8f6a", code: "NS.1", type: "CFItem" },
      ],
      creator: { name: "Union of Observatories", url: "https://observatories.test" },
      credits: 2.5,
      field_of_study: "Astronomy",
    },
  });
  staff = await tokenOf({ username: "registrar", isStaff: true });
});

/** Issues a credential, and fetches its badge from the running service as a wallet would. */
async function issued(username: string) {
  await academy.enrol(username);
  const email = `${username}@academy.test`;
  await academy.report({ case: "learner", value: { username, fullName: `Learner ${username}`, email } });
  const { uuid } = await academy.made(username);
  const answer = await fetch(`${academy.service.httpUrl}/download/credential/${uuid}/badge.json`, {
    headers: { authorization: `Bearer ${staff}` },
  });
  expect(answer.status).toBe(200);
  return { uuid, badge: (await answer.json()) as object };
}

const verdictOn = (badge: object) =>
  verifiedByCore(badge, (url) =>
    url.startsWith(`${PUBLIC}/`) ? academy.service.httpUrl + url.slice(PUBLIC.length) : undefined,
  );

describe("verifier-core, which Learner Credential Wallet and VerifierPlus run", () => {
  test("accepts a badge from a running service", async () => {
    const { badge } = await issued("ana");
    const { checks, errors } = await verdictOn(badge);
    expect(errors).toEqual([]);
    expect(checks).toMatchObject(IN_FORCE);
  });

  test("confirms that it fits 1EdTech's schema", async ({ skip }) => {
    if (!hasSchema) skip("1EdTech's schema, which it asks the network for, is not on this machine");
    const { badge } = await issued("abe");
    expect((await verdictOn(badge)).fitsSchema).toBe(true);
  });

  test("accepts the badge that another program extracts from the PDF, with the same holder", async () => {
    const { uuid, badge } = await issued("bo");
    const [path = ""] = await academy.filesOf(uuid);
    const file = new Uint8Array(await readFile(path));
    const document = await getDocument({ data: file.slice(), verbosity: 0 }).promise;
    const attachments = await document.getAttachments();
    await document.destroy();
    const attached = JSON.parse(Buffer.from(attachments["credential.json"].content).toString());
    expect(attached).toEqual(badge);
    expect((await verdictOn(attached)).checks).toMatchObject(IN_FORCE);
    const [{ identityHash: holder }] = attached.credentialSubject.identifier;
    expect((await readPdf(file)).text).toContain(holder);
  });

  test("refuses it after any single value is changed", async () => {
    const { badge } = await issued("ben");
    const accepted: string[] = [];
    const changes = changedLeaves(badge);
    for (const [path, changed] of changes) {
      const { checks } = await verdictOn(changed);
      if (checks.valid_signature) accepted.push(path);
    }
    expect(changes.length).toBeGreaterThan(55);
    expect(accepted).toEqual([]);
  }, 60_000);

  test("sees a revocation within two seconds, and the other credentials unchanged", async () => {
    const [before, revoked, after] = [await issued("cy"), await issued("dee"), await issued("eli")];
    expect((await verdictOn(revoked.badge)).checks).toMatchObject(IN_FORCE); // by now, the list has been requested once
    await academy.credentials.invalidateCredential({ uuid: revoked.uuid, reason: "Misspelt." });
    await expect
      .poll(async () => (await verdictOn(revoked.badge)).checks.revocation_status, { timeout: 2000 })
      .toBe(false);
    for (const { badge } of [before, after]) expect((await verdictOn(badge)).checks).toMatchObject(IN_FORCE);
  });

  test("sees that a reissued badge is revoked, and its successor is not", async () => {
    const { uuid, badge } = await issued("gus");
    const next = await academy.credentials.reissueCredential({ uuid, reason: "Misspelt." });
    await academy.generate(next.uuid);
    const answer = await fetch(`${academy.service.httpUrl}/download/credential/${next.uuid}/badge.json`, {
      headers: { authorization: `Bearer ${staff}` },
    });
    const successor = (await answer.json()) as object;
    await expect
      .poll(async () => (await verdictOn(badge)).checks.revocation_status, { timeout: 2000 })
      .toBe(false);
    expect((await verdictOn(successor)).checks).toMatchObject(IN_FORCE);
  });

  test("reports that a badge has expired, which is not the same as revoked", async () => {
    const { uuid, badge } = await issued("fay");
    expect(badge).toHaveProperty("validUntil");
    await academy.service.app.database.knex.raw(
      "update credentials set valid_until = now() - interval '1 hour', created_at = date_trunc('second', now()) - interval '1 day' where uuid = ?",
      [uuid],
    );
    const answer = await fetch(`${academy.service.httpUrl}/download/credential/${uuid}/badge.json`, {
      headers: { authorization: `Bearer ${staff}` },
    });
    const { checks } = await verdictOn((await answer.json()) as object);
    expect(checks).toMatchObject({ valid_signature: true, expiration: false, revocation_status: true });
  });
});
