import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { pino } from "pino";
import { afterAll, describe, expect, it } from "vitest";
import { personalColumns } from "#domain/credentials/erasure/personal-columns.js";
import { learnerTables } from "#domain/learners/record-tables.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import type { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { assetParts } from "../../assets/asset-parts.js";
import { createChance } from "../../soak/chance.js";
import { givenAcademy } from "../../support/academy.js";
import { stopHealthy } from "../../support/health.js";
import { refusal } from "../../support/refusal.js";
import { tokenOf } from "../../support/service.js";
import {
  AVAILABLE,
  allDone,
  columnsWith,
  factsOf,
  metadata,
  NAME,
  PSEUDONYM,
  traces,
  until,
} from "./traces.js";

/** Determines when actions race with an erasure. If a test fails, the seed is printed. */
const SEED = Number(process.env.ERASURE_SEED || Date.now() % 1_000_000_000);

let logged = "";
const log = pino({ level: "trace" }, { write: (line) => (logged += line) });
afterAll(() => {
  expect(logged).not.toBe("");
  expect(logged).not.toContain(NAME);
});

describe("with a worker", { timeout: 180_000 }, () => {
  const academy = givenAcademy({ worker: true, log }, stopHealthy);

  it("leaves no name, address or username anywhere, and verification still works", async () => {
    const { credentials, configurationId, service } = academy;
    const username = "zdenka.q";
    const issue = (to: string) => credentials.issueCredential({ configurationId, username: to });
    const become = (uuid: string, status: CredentialStatus) =>
      until(async () => expect((await credentials.getCredential({ uuid })).status).toBe(status));

    await academy.report(...factsOf(username));
    await academy.enrol("other");
    const invalidated = await issue(username);
    await become(invalidated.uuid, AVAILABLE);
    await credentials.invalidateCredential({
      uuid: invalidated.uuid,
      reason: `The exam of ${NAME.toUpperCase()} (ZDENKA.Q) was annulled.`,
    });
    const available = await issue(username);
    await become(available.uuid, AVAILABLE);
    await allDone(academy);
    // The learner also leaves traces as a member of staff.
    const asStaff = await tokenOf({ username, isStaff: true });
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>');
    await service.client(ConfigurationService, asStaff).uploadAsset(assetParts("seal", drawing));
    const byStaff = service.client(CredentialService, asStaff);
    const { uuid: ofOther } = await byStaff.issueCredential({ configurationId, username: "other" });
    await become(ofOther, AVAILABLE);
    await byStaff.invalidateCredential({ uuid: ofOther, reason: "Issued in error." });
    await academy.enrol("another");
    await byStaff.startIssuanceRun({ configurationId });
    await allDone(academy);
    expect((await traces(academy, NAME, username)).length).toBeGreaterThan(0);
    // `factsOf` must cover every kind of record about a learner. Otherwise, a kind could survive unnoticed.
    for (const { name } of learnerTables) {
      expect(await service.app.database.knex(name).where({ username }), name).not.toEqual([]);
    }
    const before = await service.app.database.knex("credentials").count();
    const reported = await columnsWith(academy, NAME, username, `${username}@uni.test`);
    expect(reported.length).toBeGreaterThan(10);
    expect(reported.filter((column) => personalColumns[column] === undefined)).toEqual([]);
    const { url } = await credentials.getDownloadUrl({ uuid: available.uuid });

    const expected = { records: 5, credentials: 2, files: 2, actorEntries: 7 };
    expect(await academy.records.eraseLearner({ username, dryRun: true })).toMatchObject(expected);
    expect(await credentials.getCredential({ uuid: available.uuid })).toMatchObject({ username });
    expect(await academy.records.eraseLearner({ username })).toMatchObject(expected);
    await allDone(academy);

    const address = `${username}@uni.test`;
    expect(await traces(academy, NAME, NAME.toUpperCase(), address, username, "ZDENKA")).toEqual([]);
    expect(await service.app.database.knex("credentials").count()).toEqual(before);
    expect(await service.app.database.knex("issuance_runs").select("plan_hash")).toEqual([{ plan_hash: "" }]);
    expect((await fetch(url.replace("https://credentials.test", service.httpUrl))).status).toBe(404);
    const created = new Date(Number(available.createTime?.seconds) * 1000).toISOString().replace(".000", "");
    expect(await metadata(academy, available)).toEqual([
      200,
      {
        user_full_name: "",
        created,
        learning_context_name: "Course One",
        status: "available",
        invalidation_reason: "",
      },
    ]);
    expect(await metadata(academy, invalidated)).toMatchObject([
      200,
      { user_full_name: "", status: "invalidated", invalidation_reason: "The exam of … (…) was annulled." },
    ]);

    const stored = await credentials.getCredential({ uuid: available.uuid });
    expect(stored).toEqual({
      ...available,
      ...stored,
      userFullName: "",
      fileSha256: "",
      fileSize: 0,
      status: AVAILABLE,
    });
    expect(stored.username).toMatch(PSEUDONYM);
    const { credentials: listed } = await credentials.listCredentials({ username: stored.username });
    expect(listed.map(({ uuid }) => uuid)).toEqual([invalidated.uuid, available.uuid]);
    expect((await credentials.listCredentials({ username })).credentials).toEqual([]);

    expect(await refusal(credentials.getDownloadUrl({ uuid: stored.uuid }))).toBe(
      "FailedPrecondition: The learner's data was erased, including the credential's file.",
    );
    expect(await refusal(credentials.reissueCredential({ uuid: stored.uuid, reason: "A misprint." }))).toBe(
      "FailedPrecondition: The learner was erased: the credential can't be reissued.",
    );
    expect(await refusal(issue(username))).toBe('NotFound: There is no learner named "zdenka.q".');
    await credentials.invalidateCredential({ uuid: stored.uuid, reason: "It was bought." });
    expect(await metadata(academy, available)).toMatchObject([
      200,
      { invalidation_reason: "It was bought." },
    ]);
    await allDone(academy);
    expect(await academy.filesOf(stored.uuid, "_invalidated")).toEqual([]);
  });

  it(`is complete whatever runs at the same time, 6 times (ERASURE_SEED=${SEED})`, async () => {
    const { credentials, configurationId } = academy;
    const chance = createChance(SEED);
    for (let round = 0; round < 6; round++) {
      const username = `racer-${round}`;
      const fullName = `Racing Zebra ${round}`;
      const kinds = factsOf(username, fullName);
      const observeTime = timestampFromDate(new Date("2026-01-01T00:00:00Z"));
      const report = () =>
        academy.records.upsertRecords({ records: kinds.map((kind) => ({ kind, observeTime })) });
      const issue = () => credentials.issueCredential({ configurationId, username });
      await report();
      const issued = await issue();
      if (round % 2 === 0) {
        const status = async () => (await credentials.getCredential({ uuid: issued.uuid })).status;
        await expect.poll(status, { timeout: 60_000 }).toBe(AVAILABLE);
      }
      const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
      const soon = <T>(work: () => Promise<T>) => pause(chance.below(30)).then(work);
      const [erased] = await Promise.allSettled([
        soon(() => academy.records.eraseLearner({ username })),
        ...Array.from({ length: 4 }, () => soon(report)),
        ...Array.from({ length: 2 }, () => soon(issue)),
        soon(() => credentials.reissueCredential({ uuid: issued.uuid, reason: "A misprint." })),
        soon(() => credentials.startIssuanceRun({ configurationId })),
        soon(() => credentials.invalidateCredential({ uuid: issued.uuid, reason: "A misprint." })),
      ]);
      expect(erased).toMatchObject({ status: "fulfilled" });
      await allDone(academy);
      expect(await traces(academy, fullName, username)).toEqual([]);
      await report();
      expect(await traces(academy, fullName, username)).toEqual([]);
    }
  });
});
