import { randomUUID } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { beforeAll, describe, expect, it } from "vitest";
import { downloadLink } from "#domain/credentials/download/download-link.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import type { CredentialFilterSchema } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { givenAcademy } from "../../support/academy.js";
import { refusal } from "../../support/refusal.js";
import { tokenOf } from "../../support/service.js";

const REASON = "Printed with the wrong seal.";

type Filter = MessageInitShape<typeof CredentialFilterSchema>;

const academy = givenAcademy();

const knex = () => academy.service.app.database.knex;
const get = (uuid: string) => academy.credentials.getCredential({ uuid });
const invalidate = async (filter: Filter, dryRun = false) =>
  (await academy.credentials.invalidateCredentials({ filter, reason: REASON, dryRun })).count;
const reissue = (filter: Filter, dryRun = false) =>
  academy.credentials.reissueCredentials({ filter, reason: REASON, dryRun });

/** Offers another credential in a new course. Returns the course's key and the configuration's id. */
async function offer(name: string, customOptions = {}): Promise<{ key: string; configurationId: number }> {
  const key = `course-v1:Uni+${name}+2026`;
  await academy.report({ case: "course", value: { courseKey: key, displayName: `Course ${name}` } });
  const { credentialTypeId } = await academy.configurations.getCredentialConfiguration({
    id: academy.configurationId,
  });
  const { id } = await academy.configurations.createCredentialConfiguration({
    credentialConfiguration: { learningContextKey: key, credentialTypeId, customOptions },
  });
  return { key, configurationId: id };
}

/**
 * Issues to a learner with a record, and makes the credential available like a worker. The credential names a file,
 * which doesn't exist.
 */
async function available(
  username: string,
  configurationId = academy.configurationId,
  set: object = {},
): Promise<string> {
  await academy.report({ case: "learner", value: { username, fullName: `Learner ${username}` } });
  const { uuid } = await academy.issue(username, { configurationId, skipEligibilityCheck: true });
  const file = {
    file_key: `learning_credentials/${uuid}/x.pdf`,
    file_sha256: Buffer.alloc(32),
    file_size: 1,
  };
  await knex()("credentials")
    .where({ uuid })
    .update({ status: "available", ...file, ...set });
  await knex().raw("delete from jobs where payload->>'credentialId' is not null");
  return uuid;
}

async function allAvailable(usernames: string[], configurationId?: number): Promise<string[]> {
  const uuids: string[] = [];
  for (const username of usernames) uuids.push(await available(username, configurationId));
  return uuids;
}

async function metadata(uuid: string): Promise<unknown> {
  const { verifyUuid } = await get(uuid);
  const response = await fetch(
    `${academy.service.httpUrl}/api/learning_credentials/v1/metadata/${verifyUuid}/`,
  );
  return response.json();
}

/** Returns the events of a credential, in order: `<type> <actor>`. */
async function events(uuid: string): Promise<string[]> {
  const { rows } = await knex().raw(
    `select type || ' ' || actor.name as event
     from (
       select type, actor_id, credential_uuid, position, null as id from credential_events
       union all
       select type, actor_id, credential_uuid, null, id from unsealed_credential_events
     ) event
     join credential_event_actors actor on actor.id = actor_id
     where credential_uuid = ?
     order by position, event.id`,
    [uuid],
  );
  return rows.map(({ event }: { event: string }) => event);
}

/** Returns the tasks that are queued for a credential, by its `uuid`. */
async function jobsOf(uuid: string): Promise<string[]> {
  const { rows } = await knex().raw(
    `select task, max_attempts, priority from jobs
     where payload->>'credentialUuid' = :uuid
       or payload->>'credentialId' = (select id::text from credentials where uuid = :uuid)
     order by task`,
    { uuid },
  );
  return rows.map((row: object) => Object.values(row).join(" "));
}

/** Returns everything that a dry run must leave unchanged. */
async function everything(): Promise<unknown> {
  const { rows } = await knex().raw(
    `select (select json_agg(credentials order by id) from credentials) as credentials,
       (select count(*) from jobs) as jobs,
       (select count(*) from credential_events) + (select count(*) from unsealed_credential_events) as events`,
  );
  return rows;
}

/** Changes a credential like an erasure. */
async function erase(uuid: string): Promise<void> {
  await knex()("credentials").where({ uuid }).update({
    erased_at: new Date(),
    user_full_name: "",
    file_key: null,
    file_sha256: null,
    file_size: null,
  });
}

describe("revoking the links of a credential", () => {
  const follow = async (uuid: string, linkVersion: number) => {
    const { secrets } = academy.service.app;
    const link = downloadLink(academy.service.httpUrl, secrets.urlSigningSecrets[0], { uuid, linkVersion });
    const response = await fetch(link, { redirect: "manual" });
    return [response.status, response.status === 302 ? "" : await response.text()];
  };

  it("makes earlier email links respond like unknown ones; links in later emails work", async () => {
    const uuid = await available("linked");
    expect(await follow(uuid, 1)).toEqual([302, ""]);
    const unknown = await follow(randomUUID(), 1);
    expect(await academy.credentials.revokeDownloadLinks({ uuid: uuid.toUpperCase() })).toMatchObject({
      uuid,
      status: CredentialStatus.AVAILABLE,
    });
    expect(await follow(uuid, 1)).toEqual(unknown);
    expect(await follow(uuid, 2)).toEqual([302, ""]);
    await academy.credentials.revokeDownloadLinks({ uuid });
    expect(await follow(uuid, 2)).toEqual(unknown);
    expect(await events(uuid)).toEqual([
      "issued registrar",
      "links_revoked registrar",
      "links_revoked registrar",
    ]);
    expect((await academy.credentials.getDownloadUrl({ uuid })).url).not.toBe("");
  });

  it.each(["", "x", randomUUID()])("finds no credential %j", async (uuid) => {
    expect(await refusal(academy.credentials.revokeDownloadLinks({ uuid }))).toBe(
      "NotFound: Credential not found.",
    );
  });
});

describe("a filter", () => {
  const second = (s: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, s));
  const RUN = randomUUID();
  let other: { key: string; configurationId: number };
  let settled: string[];

  beforeAll(async () => {
    other = await offer("Filter");
    const home = await offer("FilterHome");
    settled = [
      await available("f1", home.configurationId, { created_at: second(1), run_id: RUN }),
      await available("f2", home.configurationId, { created_at: second(2), run_id: RUN }),
      await available("f1", other.configurationId, { created_at: second(3) }),
      await available("f3", other.configurationId, { created_at: second(4) }),
    ];
    const failed = await available("f4", other.configurationId, { created_at: second(2), run_id: RUN });
    await knex()("credentials").where({ uuid: failed }).update({
      status: "error",
      error_reason: "x",
      file_key: null,
      file_sha256: null,
      file_size: null,
    });
    const gone = await available("f5", other.configurationId, { created_at: second(2), run_id: RUN });
    await academy.invalidate(gone);
  });

  const only2026 = () => ({
    createStartTime: timestampFromDate(second(0)),
    createEndTime: timestampFromDate(second(9)),
  });
  const cases: [string, () => Filter, number[]][] = [
    ["learner", () => ({ username: "f1" }), [0, 2]],
    ["context", () => ({ learningContextKey: other.key }), [2, 3]],
    ["configuration", () => ({ configurationId: other.configurationId }), [2, 3]],
    ["run", () => ({ issuanceRunId: RUN }), [0, 1]],
    ["run, in upper case", () => ({ issuanceRunId: RUN.toUpperCase() }), [0, 1]],
    ["their uuids", () => ({ uuids: settled.slice(1, 3) }), [1, 2]],
    ["no such run", () => ({ issuanceRunId: randomUUID() }), []],
    ["both ends of time", only2026, [0, 1, 2, 3]],
    [
      "time from, which counts",
      () => ({ ...only2026(), createStartTime: timestampFromDate(second(2)) }),
      [1, 2, 3],
    ],
    ["time before, which does not count", () => ({ createEndTime: timestampFromDate(second(3)) }), [0, 1]],
    ["learner and context", () => ({ username: "f1", learningContextKey: other.key }), [2]],
    ["learner and run", () => ({ username: "f2", issuanceRunId: RUN }), [1]],
    ["what fits none", () => ({ username: "f3", issuanceRunId: RUN }), []],
    ["a stranger", () => ({ username: "zoë" }), []],
  ];

  it.each(cases)(
    "by %s selects what is available and fits, and a dry run changes nothing",
    async (_, filter, selected) => {
      const before = await everything();
      expect(await invalidate(filter(), true)).toBe(selected.length);
      expect(await reissue(filter(), true)).toMatchObject({ count: selected.length, refused: [] });
      expect(await everything()).toEqual(before);

      expect(await invalidate(filter())).toBe(selected.length);
      const withdrawn = await knex()("credentials").where({ invalidation_reason: REASON }).pluck("uuid");
      expect(withdrawn.sort()).toEqual(selected.map((index) => settled[index]).sort());
      await knex()("credentials").whereIn("uuid", withdrawn).update({
        status: "available",
        invalidation_reason: "",
        invalidated_at: null,
        invalidated_by: null,
      });
    },
  );

  it.each<[string, Filter | undefined, string]>([
    ["none", undefined, "filter is empty: set at least one of username, "],
    ["an empty one", {}, "filter is empty: set at least one of username, "],
    [
      "a control character",
      { username: "a\u0000" },
      "filter.username contains the control character U+0000.",
    ],
    [
      "a malformed key",
      { learningContextKey: "x" },
      'filter.learning_context_key: Invalid learning context key: "x"',
    ],
    ["a negative id", { configurationId: -1 }, "filter.configuration_id is -1; it must be at least 1."],
    [
      "what is no UUID",
      { issuanceRunId: "7" },
      'filter.issuance_run_id is "7"; it must be the id of a run, a UUID.',
    ],
    ["an odd uuid", { uuids: [randomUUID(), "7"] }, 'filter.uuids[1] is "7"; it must be the uuid of'],
    [
      "too many",
      { uuids: Array.from({ length: 5001 }, () => randomUUID()) },
      "filter.uuids has 5001 uuids; at most 5000 are accepted",
    ],
    [
      "a year beyond all",
      { createStartTime: { seconds: 253_402_300_800n } },
      "filter.create_start_time is 253402300800 s and 0 ns after 1970",
    ],
    [
      "negative nanoseconds",
      { createEndTime: { seconds: 1n, nanos: -1 } },
      "filter.create_end_time is 1 s and -1 ns after 1970",
    ],
    [
      "an empty time",
      { createStartTime: timestampFromDate(second(2)), createEndTime: timestampFromDate(second(2)) },
      "filter.create_start_time is 2026-01-01T00:00:02.000Z; it must be earlier than create_end_time, 2026-01-01T00:00:02.000Z.",
    ],
  ])("that is %s is refused", async (_, filter, message) => {
    const request = { reason: REASON, ...(filter && { filter }) };
    for (const call of ["invalidateCredentials", "reissueCredentials"] as const) {
      const refused = await refusal(academy.credentials[call](request));
      expect(refused.slice(0, "InvalidArgument: ".length + message.length)).toBe(
        `InvalidArgument: ${message}`,
      );
    }
  });

  it("requires a reason, too", async () => {
    for (const call of ["invalidateCredentials", "reissueCredentials"] as const) {
      const filter = { username: "f1" };
      expect(await refusal(academy.credentials[call]({ filter }))).toBe("InvalidArgument: reason is empty.");
    }
  });

  it("with a misspelt field is refused rather than selecting everything", async () => {
    const token = await tokenOf({ username: "registrar", isStaff: true });
    const response = await fetch(
      `${academy.service.httpUrl}/learning_credentials.v1.CredentialService/InvalidateCredentials`,
      {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({
          filter: { configuration_id: other.configurationId, user: "f1" },
          reason: REASON,
        }),
      },
    );
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('\\"user\\" is unknown'),
    ]);
  });
});

describe("a plan hash", () => {
  const calls = ["invalidateCredentials", "reissueCredentials"] as const;

  it.each(calls)("binds %s: only what the dry run has shown is changed", async (call) => {
    const { configurationId } = await offer(`Hash-${call}`);
    const [first, second] = await allAvailable([`${call}1`, `${call}2`], configurationId);
    const request = { filter: { configurationId }, reason: REASON };
    const shown = await academy.credentials[call]({ ...request, dryRun: true });
    expect(shown).toMatchObject({ count: 2, planHash: expect.stringMatching(/^2\.0\.[0-9a-f]{64}$/) });
    const { planHash } = shown;

    const third = await available(`${call}3`, configurationId);
    expect(await refusal(academy.credentials[call]({ ...request, planHash }))).toBe(
      "Aborted: The selection has changed: it was 2 credentials, and is now 3 credentials. " +
        "Check it again (dry_run), and send its plan_hash.",
    );
    await academy.invalidate(first as string);
    expect(await refusal(academy.credentials[call]({ ...request, planHash }))).toContain(
      "but with different contents",
    );
    expect((await get(second as string)).status).toBe(CredentialStatus.AVAILABLE);

    const again = await academy.credentials[call]({ ...request, dryRun: true });
    expect(await academy.credentials[call]({ ...request, planHash: again.planHash })).toMatchObject({
      count: 2,
      planHash: again.planHash,
    });
    for (const uuid of [second, third] as string[]) {
      expect((await get(uuid)).status).toBe(CredentialStatus.INVALIDATED);
    }
  });

  it("of a reissue changes with the facts of the successors", async () => {
    const { configurationId } = await offer("HashOfNames");
    const uuid = await available("renamed", configurationId);
    const request = { filter: { uuids: [uuid.toUpperCase()] }, reason: REASON };
    const { planHash } = await academy.credentials.reissueCredentials({ ...request, dryRun: true });
    await academy.report({ case: "learner", value: { username: "renamed", fullName: "Renée" } });
    expect(await refusal(academy.credentials.reissueCredentials({ ...request, planHash }))).toContain(
      "it was 1 credential, and is now 1 credential, but with different contents",
    );
    expect((await get(uuid)).status).toBe(CredentialStatus.AVAILABLE);
  });
});

describe("invalidating many", () => {
  it("shows in verification immediately, appends events, and moves every file", async () => {
    const { configurationId } = await offer("Withdrawn");
    const uuids = await allAvailable(["w1", "w2", "w3"], configurationId);
    const elsewhere = await available("w1");
    for (const uuid of uuids) {
      const { file_key } = await knex()("credentials").where({ uuid }).first("file_key");
      await academy.service.app.files.put(file_key, Buffer.from("%PDF"), {
        contentType: "application/pdf",
        downloadName: "x.pdf",
      });
    }
    expect(await invalidate({ configurationId })).toBe(3);
    for (const uuid of uuids) {
      expect(await metadata(uuid)).toMatchObject({ status: "invalidated", invalidation_reason: REASON });
      expect(await events(uuid)).toEqual(["issued registrar", "invalidated registrar"]);
      expect((await jobsOf(uuid)).sort()).toEqual(["move_file 25 -10", "send_mail 20 10"]);
      await academy.moveFile(uuid);
      expect(await academy.filesOf(uuid)).toEqual([]);
      expect(await academy.filesOf(uuid, "_invalidated")).toHaveLength(1);
      expect((await get(uuid)).replacedByUuid).toBe("");
    }
    expect(await metadata(elsewhere)).toMatchObject({ status: "available" });
    expect(await invalidate({ configurationId })).toBe(0);
  });

  it("never fails because of concurrent calls, and counts only its own credentials", async () => {
    const { configurationId } = await offer("Contested");
    const uuids = await allAvailable(
      Array.from({ length: 20 }, (_, index) => `c${index}`),
      configurationId,
    );
    const single = (uuid: string, index: number) =>
      index % 2 === 0
        ? academy.credentials.invalidateCredential({ uuid, reason: `Alone ${index}.` })
        : academy.credentials.reissueCredential({ uuid, reason: `Alone ${index}.` });
    const [counts, alone] = await Promise.all([
      Promise.all(Array.from({ length: 4 }, () => invalidate({ configurationId }))),
      Promise.allSettled(uuids.map(single)),
    ]);
    const reasons = (await Promise.all(uuids.map(get))).map(({ invalidationReason }) => invalidationReason);
    const ours = reasons.filter((reason) => reason === REASON).length;
    expect(counts.reduce((sum, count) => sum + count)).toBe(ours);
    expect(alone.filter(({ status }) => status === "fulfilled")).toHaveLength(20 - ours);
    for (const uuid of uuids) {
      expect((await events(uuid)).filter((event) => event.startsWith("invalidated"))).toHaveLength(1);
      expect((await jobsOf(uuid)).filter((job) => job.startsWith("move_file"))).toHaveLength(1);
    }
  });

  it("includes an erased learner's credential, which has no file to move", async () => {
    const { configurationId } = await offer("ErasedWithdrawn");
    const uuid = await available("gone", configurationId);
    await erase(uuid);
    expect(await invalidate({ configurationId })).toBe(1);
    expect(await jobsOf(uuid)).toEqual([]);
    expect(await events(uuid)).toEqual(["issued registrar", "invalidated registrar"]);
  });
});

describe("reissuing many", () => {
  const successorOf = async (uuid: string) => get((await get(uuid)).replacedByUuid);

  it("issues successors from the current records, in every configuration", async () => {
    const [first, second] = [await offer("First"), await offer("Second", { accent_color: "#112233" })];
    await academy.report({ case: "learner", value: { username: "r1", fullName: "R" } });
    const uuids = [
      await available("r1", first.configurationId),
      await available("r2", first.configurationId),
      await available("r1", second.configurationId),
    ];
    const run = randomUUID();
    await knex()("credentials").whereIn("uuid", uuids).update({ run_id: run });
    await academy.report(
      { case: "learner", value: { username: "r1", fullName: "Renée Today" } },
      { case: "course", value: { courseKey: second.key, displayName: "Second, Today" } },
    );
    expect(await reissue({ issuanceRunId: run })).toMatchObject({ count: 3, refused: [] });

    for (const uuid of uuids) {
      const [old, successor] = [await get(uuid), await successorOf(uuid)];
      expect(old).toMatchObject({ status: CredentialStatus.INVALIDATED, invalidationReason: REASON });
      expect(successor).toMatchObject({
        status: CredentialStatus.GENERATING,
        username: old.username,
        configurationId: old.configurationId,
        replacesUuid: uuid,
      });
      expect(await metadata(uuid)).toMatchObject({ user_full_name: old.userFullName, status: "invalidated" });
      expect(await events(uuid)).toEqual(["issued registrar", "invalidated registrar", "reissued registrar"]);
      expect(await events(successor.uuid)).toEqual(["issued registrar"]);
      expect(await jobsOf(uuid)).toEqual(["move_file 25 -10"]);
      expect(await jobsOf(successor.uuid)).toEqual(["generate_credential 5 0"]);
    }
    const successors = await Promise.all(uuids.map(successorOf));
    expect(successors.map((it) => [it.userFullName, it.learningContextName])).toEqual([
      ["Renée Today", "Course First"],
      ["Learner r2", "Course First"],
      ["Renée Today", "Second, Today"],
    ]);
    const { options } = await knex()("credentials").where({ uuid: successors[2]?.uuid }).first("options");
    expect(options).toMatchObject({ accent_color: "#112233" });

    const made = successors[0]?.uuid ?? "";
    await academy.generate(made);
    expect(await metadata(made)).toMatchObject({ user_full_name: "Renée Today", status: "available" });
    expect(await reissue({ issuanceRunId: run })).toMatchObject({ count: 0, refused: [] });
  });

  it("gives the same result for each as reissuing it alone", async () => {
    const { configurationId } = await offer("Alike");
    const uuids = await allAvailable(["alike 1", "alike 2"], configurationId);
    const [one, many] = [
      await academy.credentials.reissueCredential({ uuid: uuids[0] as string, reason: REASON }),
      (await reissue({ username: "alike 2", configurationId })) && (await successorOf(uuids[1] as string)),
    ];
    const row = async (uuid: string) => {
      const {
        id,
        uuid: _,
        verify_uuid,
        commitment_seed: __,
        username,
        replaces,
        user_full_name,
        created_at,
        awarded_at,
        notice_due_at: ___, // counted from the time of issuing
        search_words: ____, // contain the name
        ...rest
      } = await knex()("credentials").where({ uuid }).first();
      expect([id, verify_uuid, username, replaces, user_full_name, created_at]).not.toContain(null);
      const predecessor = await knex()("credentials").where({ uuid: replaces }).first();
      // The predecessors of the two credentials may have been issued a second apart.
      expect(awarded_at).toEqual(predecessor.created_at);
      return rest;
    };
    expect(await row(many.uuid)).toEqual(await row(one.uuid));
  });

  it("leaves credentials that can't be reissued unchanged and gives the reasons; skips those of erased learners", async () => {
    const [course, lost] = [await offer("Sifted"), await offer("Lost")];
    const run = randomUUID();
    const made: Record<string, string> = {};
    for (const username of ["fine", "withdrawn", "blank", "klingon", "erased"])
      made[username] = await available(username, course.configurationId);
    made.contextless = await available("fine", lost.configurationId);
    await knex()("credentials").whereIn("uuid", Object.values(made)).update({ run_id: run });
    await academy.withdraw({ case: "learner", value: { username: "withdrawn" } });
    await academy.withdraw({ case: "course", value: { courseKey: lost.key } });
    await academy.report(
      { case: "learner", value: { username: "blank", fullName: "" } },
      { case: "learner", value: { username: "klingon", fullName: "Worf \u{f8d0}" } },
    );
    await erase(made.erased as string);
    const untouched = ["withdrawn", "blank", "klingon", "erased", "contextless"].map(
      (name) => made[name] as string,
    );
    const rows = () => knex()("credentials").whereIn("uuid", untouched).orderBy("id");
    const before = await rows();

    const planned = await reissue({ issuanceRunId: run }, true);
    const answer = await reissue({ issuanceRunId: run });
    expect(planned).toEqual(answer);
    expect(answer.count).toBe(1);
    const reported = answer.refused.map(({ uuid, username, reason }) => [uuid, `${username}: ${reason}`]);
    expect(Object.fromEntries(reported)).toEqual({
      [made.withdrawn as string]: 'withdrawn: There is no learner named "withdrawn".',
      [made.blank as string]: "blank: Learner blank has no full name: send a record that contains it.",
      [made.klingon as string]: expect.stringMatching(/^klingon: .*U\+F8D0/),
      [made.contextless as string]: `fine: ${lost.key} has no record: send one that contains its name, which is printed.`,
    });
    expect(await rows()).toEqual(before);
    expect(await successorOf(made.fine as string)).toMatchObject({ username: "fine" });
  });

  it("with simultaneous callers leaves at most one valid, and one successor", async () => {
    const { configurationId } = await offer("Race");
    const usernames = Array.from({ length: 12 }, (_, index) => `race ${index}`);
    const uuids = await allAvailable(usernames, configurationId);
    const calls = await Promise.allSettled([
      reissue({ configurationId }),
      invalidate({ configurationId, username: "race 3" }),
      reissue({ configurationId }),
      ...uuids.slice(6).map((uuid) => academy.credentials.reissueCredential({ uuid, reason: "Alone." })),
      ...usernames.map((username) =>
        academy.credentials.issueCredential({ configurationId, username, skipEligibilityCheck: true }),
      ),
    ]);
    for (const call of calls.slice(0, 3)) expect(call).toMatchObject({ status: "fulfilled" });
    for (const uuid of uuids) {
      const { username, status, replacedByUuid } = await get(uuid);
      expect(status).toBe(CredentialStatus.INVALIDATED);
      const { credentials } = await academy.credentials.listCredentials({ username, configurationId });
      const inForce = credentials.filter((it) => it.status !== CredentialStatus.INVALIDATED);
      expect(inForce.length).toBeLessThanOrEqual(1);
      if (replacedByUuid !== "") expect(inForce.map((it) => it.uuid)).toEqual([replacedByUuid]);
    }
  });

  it("takes as many statements for many as for one, and so does invalidating", async () => {
    const { configurationId } = await offer("Counted");
    const statements = async (call: () => Promise<unknown>) => {
      let count = 0;
      const note = ({ sql, __knexTxId }: { sql: string; __knexTxId?: string }) => {
        // A connection keeps `__knexTxId` after a transaction, so statements of background work may have it, too.
        if (
          __knexTxId !== undefined &&
          !/seal_credential_events|append_audit|from stored_settings where/.test(sql)
        )
          count++;
      };
      knex().on("query", note);
      await call();
      knex().off("query", note);
      return count;
    };
    const once = async (size: number) => {
      await allAvailable(
        Array.from({ length: size }, (_, index) => `counted ${size} ${index}`),
        configurationId,
      );
      const reissuing = await statements(() => reissue({ configurationId }));
      await knex().raw(
        `update credentials set status = 'available', file_key = 'x', file_sha256 = sha256(''), file_size = 1
         where configuration_id = ? and status = 'generating'`,
        [configurationId],
      );
      return [reissuing, await statements(() => invalidate({ configurationId }))];
    };
    const forOne = await once(1);
    expect(Math.min(...forOne)).toBeGreaterThan(0);
    expect(await once(10)).toEqual(forOne);
  });
});
