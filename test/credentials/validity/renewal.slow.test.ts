import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { type Academy, COURSE, openAcademy } from "../../support/academy.js";
import { enrolled } from "../../support/records.js";
import { startTestService, tokenOf } from "../../support/service.js";

let academy: Academy;

beforeEach(async () => {
  academy = await openAcademy();
});
afterEach(() => academy.service.stop());

/** Makes a credential expire after this interval. */
const expireIn = ({ uuid }: { uuid: string }, by: string) =>
  academy.service.app.database.knex.raw(
    "update credentials set valid_until = now() + cast(? as interval) where uuid = ?",
    [by, uuid],
  );

async function eventsOf(uuid: string): Promise<string[]> {
  const { rows } = await academy.service.app.database.knex.raw(
    `select type from (
       select position, type from credential_events where credential_uuid = :uuid
       union all select 1000000 + id, type from unsealed_credential_events where credential_uuid = :uuid
     ) as event order by position`,
    { uuid },
  );
  return rows.map(({ type }: { type: string }) => type);
}

const metadataOf = async ({ verifyUuid }: { verifyUuid: string }) =>
  (await (
    await fetch(`${academy.service.httpUrl}/api/learning_credentials/v1/metadata/${verifyUuid}/`)
  ).json()) as { status: string; invalidation_reason: string };

const startRun = () => academy.credentials.startIssuanceRun({ configurationId: academy.configurationId });

describe("an expired credential", () => {
  test("is renewed by issuing it again, and stays unchanged beside its successor", async () => {
    await academy.configure({ validity: "P1Y" });
    await academy.enrol("ana");
    const old = await academy.made("ana");
    expect((await academy.issue("ana")).uuid).toBe(old.uuid); // still valid
    await expireIn(old, "-1 hour");

    const renewal = await academy.made("ana");
    expect(renewal).toMatchObject({
      replacesUuid: old.uuid,
      status: CredentialStatus.AVAILABLE,
      isExpired: false,
    });
    expect(renewal.expireTime?.seconds).toBeGreaterThan(BigInt(Math.floor(Date.now() / 1000)));
    const renewed = await academy.credentials.getCredential({ uuid: old.uuid });
    expect(renewed).toMatchObject({
      status: CredentialStatus.AVAILABLE,
      isExpired: true,
      replacedByUuid: renewal.uuid,
      fileSha256: old.fileSha256,
    });
    expect(await metadataOf(old)).toMatchObject({ status: "invalidated" });
    expect(await metadataOf(renewal)).toMatchObject({ status: "available", invalidation_reason: "" });
    expect(await eventsOf(old.uuid)).toEqual(["issued", "available", "renewed"]);
    const page = await (await fetch(`${academy.service.httpUrl}/verify/${old.verifyUuid}/`)).text();
    expect(page).toContain(`href="../${renewal.verifyUuid}/"`);
    expect((await academy.credentials.getDownloadUrl({ uuid: old.uuid })).url).not.toBe("");
    expect((await academy.issue("ana")).uuid).toBe(renewal.uuid);
  });

  test("is not treated as the learner's current one, and only the successor is reported", async () => {
    await academy.configure({ validity: "P1Y" });
    await academy.enrol("ana");
    const { issuer, audience } = academy.service.app.config.auth;
    const token = await tokenOf({ username: "ana", issuer, audience });
    const existing = async () => {
      const answer = await fetch(
        `${academy.service.httpUrl}/api/learning_credentials/v1/eligibility/${COURSE}/`,
        {
          headers: { authorization: `Bearer ${token}` },
        },
      );
      const { credentials } = (await answer.json()) as {
        credentials: { existing_credential: { uuid: string } | null }[];
      };
      return credentials.map(({ existing_credential }) => existing_credential?.uuid);
    };
    const old = await academy.made("ana");
    expect(await existing()).toEqual([old.uuid]);
    await expireIn(old, "0 seconds");
    expect(await existing()).toEqual([undefined]);
    const renewal = await academy.issue("ana");
    expect(await existing()).toEqual([renewal.uuid]);
  });

  test("can't be reissued, nor can a renewed one", async () => {
    await academy.configure({ validity: "P1Y" });
    await academy.enrol("ana");
    const old = await academy.made("ana");
    await expireIn(old, "-1 hour");
    const reissue = () => academy.credentials.reissueCredential({ uuid: old.uuid, reason: "A misprint." });
    await expect(reissue()).rejects.toThrow(/has expired: renew it with IssueCredential/);
    await academy.made("ana");
    await expect(reissue()).rejects.toThrow(/was renewed: reissue the one that replaces it/);
    const bulk = await academy.credentials.reissueCredentials({
      filter: { username: "ana" },
      reason: "A misprint.",
    });
    expect(bulk.count).toBe(1);
    expect(bulk.refused).toMatchObject([{ uuid: old.uuid }]);
  });

  test("has one successor, however many callers renew it in two processes", {
    timeout: 120_000,
  }, async () => {
    await academy.configure({ validity: "P1Y" });
    await academy.enrol("ana");
    const old = await academy.made("ana");
    await expireIn(old, "-1 hour");
    const beside = await startTestService({ beside: academy.service });
    const { issuer, audience } = beside.app.config.auth;
    const other = beside.client(
      CredentialService,
      await tokenOf({ username: "registrar", isStaff: true, issuer, audience }),
    );
    const configurationId = academy.configurationId;
    const answers = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) =>
        (index % 2 ? other : academy.credentials).issueCredential({ configurationId, username: "ana" }),
      ),
    );
    await beside.stop();
    const uuids = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value.uuid] : []));
    expect(uuids.length).toBeGreaterThan(0);
    expect(new Set(uuids).size).toBe(1);
    const { credentials } = await academy.credentials.listCredentials({ username: "ana" });
    expect(credentials.map(({ replacesUuid }) => replacesUuid)).toEqual(["", old.uuid]);
    expect(await eventsOf(old.uuid)).toEqual(["issued", "available", "renewed"]);
  });
});

describe("an issuance run", () => {
  test("renews within the window, and only credentials of its own configuration", async () => {
    await academy.configure({ validity: "P1Y", renewal_window: "P30D" });
    await academy.enrol("ana", "ben", "cat");
    const [ana, ben] = [await academy.made("ana"), await academy.made("ben")];
    await expireIn(ana, "29 days");
    await expireIn(ben, "32 days");
    const { plan } = await startRun();
    expect(plan).toMatchObject({ issueCount: 2, usernames: ["ana", "cat"], skipped: [{ count: 1 }] });
    const { credentials } = await academy.credentials.listCredentials({ username: "ana" });
    expect(credentials.map(({ replacesUuid }) => replacesUuid)).toEqual(["", ana.uuid]);
    expect(await metadataOf(ana)).toMatchObject({ status: "available" }); // the credential has not expired
    expect(await eventsOf(ana.uuid)).toEqual(["issued", "available", "renewed"]);
    expect((await startRun()).plan).toMatchObject({ issueCount: 0 });
  });

  test("for a list with award dates renews for a full period, even if the renewal fails at first", async () => {
    await academy.configure({ validity: "P1Y", renewal_window: "P0D" });
    await academy.enrol("ana");
    const old = await academy.made("ana");
    await expireIn(old, "-1 hour");
    await academy.credentials.startIssuanceRun({
      configurationId: academy.configurationId,
      usernames: ["ana"],
      facts: [{ username: "ana", awardDate: "2026-06-30" }],
    });
    const { replacedByUuid } = await academy.credentials.getCredential({ uuid: old.uuid });
    await academy.fail(replacedByUuid);
    await expireIn({ uuid: replacedByUuid }, "1 day");

    const renewal = await academy.issue("ana");
    expect(renewal).toMatchObject({ uuid: replacedByUuid, replacesUuid: old.uuid });
    expect(renewal.expireTime?.seconds).toBeGreaterThan(Date.now() / 1000 + 300 * 86_400);

    await academy.generate(renewal.uuid);
    await expireIn(renewal, "1 day");
    const reissue = await academy.credentials.reissueCredential({ uuid: renewal.uuid, reason: "Misspelt." });
    await academy.fail(reissue.uuid);
    expect((await academy.issue("ana")).expireTime).toEqual(reissue.expireTime); // unlike a renewal
  });

  test("without a window renews none", async () => {
    await academy.configure({ validity: "P1Y" });
    await academy.enrol("ana");
    await expireIn(await academy.made("ana"), "-1 day");
    expect((await startRun()).plan).toMatchObject({ issueCount: 0, skipped: [{ count: 1 }] });
  });

  test("renews nobody who is no longer eligible", async () => {
    await academy.configure({ validity: "P1Y", renewal_window: "P0D" });
    await academy.enrol("ana");
    await expireIn(await academy.made("ana"), "-1 day");
    await academy.withdraw(enrolled("ana", COURSE));
    expect((await startRun()).plan).toMatchObject({ issueCount: 0 });
  });
});
