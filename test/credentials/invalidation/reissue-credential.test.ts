import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Credential,
  CredentialEmailState,
  CredentialStatus,
} from "#gen/learning_credentials/v1/credential_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { type Academy, COURSE, exam, openAcademy } from "../../support/academy.js";
import { stopHealthy } from "../../support/health.js";
import { refusal } from "../../support/refusal.js";
import { tokenOf } from "../../support/service.js";

const { GENERATING, AVAILABLE, ERROR, INVALIDATED } = CredentialStatus;
const REASON = "Misspelt.";

let academy: Academy;

const get = (uuid: string) => academy.credentials.getCredential({ uuid });
const reissue = (uuid: string, reason = REASON) => academy.credentials.reissueCredential({ uuid, reason });

async function issued(username: string): Promise<Credential> {
  await academy.enrol(username);
  return academy.issue(username);
}

async function metadata({ verifyUuid }: Credential): Promise<Record<string, unknown>> {
  const path = `/api/learning_credentials/v1/metadata/${verifyUuid}/`;
  const response = await fetch(academy.service.httpUrl + path);
  return { code: response.status, ...((await response.json()) as object) };
}

/** Returns `<status> <uuid>` of each credential, in the order of issuing. */
async function all(username: string): Promise<string[]> {
  const { credentials } = await academy.credentials.listCredentials({ username });
  return credentials.map(({ status, uuid }) => `${CredentialStatus[status]} ${uuid}`);
}

// On a busy machine, the first document takes some time.
describe("with a worker", { timeout: 180_000 }, () => {
  beforeAll(async () => {
    academy = await openAcademy({ worker: true });
  });
  afterAll(() => stopHealthy(academy.service));

  /** Waits until the credential is available, and no email about it is waiting. */
  const settled = (uuid: string) =>
    expect
      .poll(
        async () => {
          const { status, email } = await get(uuid);
          return { status, isEmailWaiting: email?.state === CredentialEmailState.WAITING };
        },
        { timeout: 60_000 },
      )
      .toEqual({ status: AVAILABLE, isEmailWaiting: false });

  it("a reissued credential has the facts of the current records, and both verification UUIDs work", async () => {
    const { uuid } = await issued("ana");
    await settled(uuid);
    const old = await get(uuid);
    await academy.report(
      { case: "learner", value: { username: "ana", fullName: "Ana Kovač" } },
      exam("ana", 0),
    );

    const successor = await reissue(uuid);
    expect(successor).toMatchObject({
      username: "ana",
      userFullName: "Ana Kovač",
      configurationId: academy.configurationId,
      status: GENERATING,
      replacesUuid: uuid,
      replacedByUuid: "",
    });
    expect(successor.uuid).not.toBe(uuid);
    expect(successor.verifyUuid).not.toBe(old.verifyUuid);
    expect(await get(uuid)).toEqual({
      ...old,
      status: INVALIDATED,
      invalidationReason: REASON,
      hasOpenBadge: false,
      invalidateTime: expect.anything(),
      replacedByUuid: successor.uuid,
    });

    await settled(successor.uuid);
    expect(await metadata(old)).toEqual({
      code: 200,
      user_full_name: "Learner ana",
      created: expect.any(String),
      learning_context_name: "Course One",
      status: "invalidated",
      invalidation_reason: REASON,
    });
    expect(await metadata(successor)).toMatchObject({
      code: 200,
      user_full_name: "Ana Kovač",
      status: "available",
      invalidation_reason: "",
    });
    await expect.poll(() => academy.filesOf(uuid)).toEqual([]);
    expect(await academy.filesOf(uuid, "_invalidated")).toHaveLength(1);
    expect(await academy.filesOf(successor.uuid)).toHaveLength(1);

    const staff = await tokenOf({ username: "registrar", isStaff: true });
    const { credentials } = await academy.service
      .client(EligibilityService, staff)
      .getEligibility({ learningContextKey: COURSE, username: "ana" });
    expect(credentials).toMatchObject([
      { isEligible: false, existingCredential: { uuid: successor.uuid, verifyUuid: successor.verifyUuid } },
    ]);
  });

  it("reissued repeatedly, each credential points to the next, and all can be verified", async () => {
    const chain = [await issued("ben")];
    for (let round = 0; round < 3; round++) {
      const { uuid } = chain.at(-1) as Credential;
      await settled(uuid);
      chain.push(await reissue(uuid, `Round ${round}.`));
    }
    await settled(chain.at(-1)?.uuid ?? "");
    for (const [index, { uuid }] of chain.entries()) {
      expect(await get(uuid)).toMatchObject({
        replacesUuid: chain[index - 1]?.uuid ?? "",
        replacedByUuid: chain[index + 1]?.uuid ?? "",
      });
    }
    const answers = await Promise.all(chain.map(metadata));
    expect(answers.map(({ status }) => status)).toEqual([...Array(3).fill("invalidated"), "available"]);
  });
});

describe("step by step", () => {
  beforeAll(async () => {
    academy = await openAcademy();
  });
  afterAll(() => academy.service.stop());

  const make = async (uuid: string) => academy.generate(uuid);

  async function available(username: string): Promise<Credential> {
    const { uuid } = await issued(username);
    await make(uuid);
    return get(uuid);
  }

  async function jobsOf(...uuids: string[]): Promise<string[]> {
    const ids = await Promise.all(uuids.map(academy.idOf));
    const { rows } = await academy.service.app.database.knex.raw(
      `select task from jobs
       where task <> 'send_mail'
         and (payload->>'credentialUuid' = any (?) or payload->>'credentialId' = any (?))
       order by task`,
      [uuids, ids.map(String)],
    );
    return rows.map(({ task }: { task: string }) => task);
  }

  it("20 simultaneous calls with different reasons get one successor", async () => {
    const { uuid } = await available("contested");
    await academy.service.app.database.knex.raw("delete from jobs");
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => reissue(uuid, `Reason ${index}.`)),
    );
    const [successor] = answers;
    expect(new Set(answers.map((it) => it.uuid))).toEqual(new Set([successor?.uuid]));
    expect(await all("contested")).toEqual([`INVALIDATED ${uuid}`, `GENERATING ${successor?.uuid}`]);
    expect(await jobsOf(uuid, successor?.uuid ?? "")).toEqual(["generate_credential", "move_file"]);
    expect((await reissue(uuid.toUpperCase())).uuid).toBe(successor?.uuid);
  });

  it("simultaneous reissuing, invalidating and issuing leave at most one valid, and one successor", async () => {
    for (let round = 0; round < 5; round++) {
      const username = `mixed ${round}`;
      const { uuid } = await available(username);
      await Promise.allSettled(
        Array.from({ length: 5 }, () => [
          reissue(uuid),
          academy.credentials.invalidateCredential({ uuid, reason: REASON }),
          academy.issue(username),
        ]).flat(),
      );
      const [first, ...rest] = await all(username);
      expect(first).toBe(`INVALIDATED ${uuid}`);
      expect(rest.length).toBeLessThanOrEqual(1);
      const { replacedByUuid } = await get(uuid);
      if (replacedByUuid !== "") expect(rest).toEqual([`GENERATING ${replacedByUuid}`]);
    }
  });

  it("a failed successor is returned, and issuing it again keeps the link to the credential that it replaces", async () => {
    const { uuid } = await available("failing");
    const successor = await reissue(uuid);
    await academy.fail(successor.uuid);
    expect(await reissue(uuid)).toMatchObject({ uuid: successor.uuid, status: ERROR });
    expect(await academy.issue("failing")).toMatchObject({
      uuid: successor.uuid,
      status: GENERATING,
      replacesUuid: uuid,
    });
    await make(successor.uuid);
    expect(await get(successor.uuid)).toMatchObject({ status: AVAILABLE, replacesUuid: uuid });
  });

  it("is refused if the credential is not available, with the remedy", async () => {
    const generating = await issued("generating");
    expect(await refusal(reissue(generating.uuid))).toBe(
      "FailedPrecondition: The credential is generating: only an available one can be reissued.",
    );
    const failed = await issued("failed");
    await academy.fail(failed.uuid);
    expect(await refusal(reissue(failed.uuid))).toBe(
      "FailedPrecondition: The credential could not be generated: issue it again with IssueCredential.",
    );
    const invalidated = await available("invalidated");
    await academy.credentials.invalidateCredential({ uuid: invalidated.uuid, reason: REASON });
    expect(await refusal(reissue(invalidated.uuid))).toBe(
      "FailedPrecondition: The credential was invalidated without a successor: issue a new one with IssueCredential.",
    );
    expect(await refusal(reissue(invalidated.verifyUuid))).toBe("NotFound: Credential not found.");
    expect(await refusal(reissue(invalidated.uuid, ""))).toBe("InvalidArgument: reason is empty.");
  });

  it("is refused without a record or a printable name, and the old one stays valid", async () => {
    const { uuid } = await available("gone");
    await academy.report({ case: "learner", value: { username: "gone", fullName: " " } });
    expect(await refusal(reissue(uuid))).toBe(
      "FailedPrecondition: Learner gone has no full name: send a record that contains it.",
    );
    await academy.withdraw({ case: "learner", value: { username: "gone" } });
    expect(await refusal(reissue(uuid))).toBe('NotFound: There is no learner named "gone".');
    expect(await all("gone")).toEqual([`AVAILABLE ${uuid}`]);
    expect(await jobsOf(uuid)).not.toContain("move_file");
  });
});
