import { beforeEach, describe, expect, it } from "vitest";
import { findActive } from "#domain/credentials/credential-store.js";
import { insertCredentials, rowsQuery } from "#domain/credentials/issuance/insert-credentials.js";
import type { LearnerTransaction } from "#domain/learners/learner-transaction.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { enrolled, learner } from "../../support/records.js";
import { codeAndMessage as refusal } from "../../support/refusal.js";
import { counts, course, givenRuns, NO_GLYPH, type Row, skips } from "./runs.js";

const runs = givenRuns();
beforeEach(() => runs.emptyQueue());

describe("a run", () => {
  it("leaves out the only one of 10,000 who is not eligible", async () => {
    const { configurationId, courseKey } = await runs.offer();
    const reported = "now(), false from generate_series(1, 10000) as number";
    await runs.database.knex.raw(
      `insert into learners (username, email, full_name, is_active, locale, observed_at, is_deleted)
         select 'one of many ' || number, '', 'Učenik ' || number, true, '', ${reported};
       insert into enrollments (learning_context_key, username, is_active, observed_at, is_deleted)
         select '${courseKey}', 'one of many ' || number, true, ${reported};
       insert into subsection_grades
         (course_key, username, usage_key, assignment_type, earned, possible, observed_at, is_deleted)
         select '${courseKey}', 'one of many ' || number, 'exam', 'exam',
           case number when 4711 then 7.999999 else 8 end, 10, ${reported};`,
    );
    const { planHash, issueCount, usernames } = await runs.plan(configurationId);
    expect([issueCount, usernames.length]).toEqual([9999, 1000]);
    const run = await runs.start(configurationId, planHash);
    expect([counts(run), run.skipped]).toEqual([["RUNNING", 9999, 9999, 0, 0], []]);
    const { rows } = await runs.database.knex.raw(
      `select username from enrollments where learning_context_key = ?
       except select username from credentials where run_id = ?::uuid`,
      [courseKey, run.id],
    );
    expect(rows).toEqual([{ username: "one of many 4711" }]);
    expect((await runs.academy.jobs()).length).toBe(9999);
  });

  it("reports a credential issued to the person who started it", async () => {
    const { configurationId } = await runs.offer("registrar", "another");
    await runs.start(configurationId);
    const { rows } = await runs.database.knex.raw(
      `select username, remarks from (
         select credential_uuid as uuid, remarks from unsealed_credential_events
         union all select credential_uuid, remarks from credential_events
       ) event join credentials using (uuid) where configuration_id = ? order by username`,
      [configurationId],
    );
    expect(rows).toEqual([
      { username: "another", remarks: [] },
      { username: "registrar", remarks: ["self_issued"] },
    ]);
  });

  it("issues what IssueCredential would, each with its event and its job", async () => {
    const { configurationId } = await runs.offer("alone", "together a", "together b");
    const alone = await runs.academy.credentials.issueCredential({ configurationId, username: "alone" });
    const run = await runs.start(configurationId);
    expect(run).toMatchObject({ configurationId, startedBy: "registrar", issuedCount: 2 });
    const rows = await runs.issued(configurationId);
    for (const username of ["together a", "together b"]) {
      const { id, uuid, verify_uuid, created_at, notice_due_at, commitment_seed, ...row } = rows[
        username
      ] as Row & Record<string, unknown>;
      const like = rows.alone as Row & Record<string, unknown>;
      expect(row).toEqual({
        ...Object.fromEntries(Object.keys(row).map((name) => [name, like[name]])),
        username,
        user_full_name: `Learner ${username}`,
        run_id: run.id,
        search_words: `'${username.at(-1)}' 'learner' 'together'`,
      });
      expect([created_at, notice_due_at]).toEqual([expect.any(Date), expect.any(Date)]);
      expect(commitment_seed).toHaveLength(32);
    }
    expect(await runs.academy.jobs()).toEqual(
      ["alone", "together a", "together b"].map((username) => rows[username]?.id),
    );
    expect(await runs.events(configurationId)).toEqual(
      Array(3).fill("issued null -> generating by registrar"),
    );
    await runs.makeAll(configurationId);
    const made = await runs.academy.credentials.getCredential({ uuid: rows["together a"]?.uuid ?? "" });
    expect([alone.status, made.status]).toEqual([CredentialStatus.GENERATING, CredentialStatus.AVAILABLE]);
  });

  it("retries a failed credential under the same identifiers, and leaves existing ones alone", async () => {
    const { configurationId } = await runs.offer("there", "failed");
    const issue = (username: string) =>
      runs.academy.credentials.issueCredential({ configurationId, username });
    await runs.make(await runs.academy.idOf((await issue("there")).uuid));
    const failed = await issue("failed");
    await runs.academy.fail(failed.uuid);
    await runs.academy.report(learner("failed", "Mended Name"));
    const there = (await runs.issued(configurationId)).there;

    const run = await runs.start(configurationId);
    expect([counts(run), skips(run)]).toEqual([["RUNNING", 1, 1, 0, 0], { HAS_CREDENTIAL: 1 }]);
    const rows = await runs.issued(configurationId);
    expect(rows.there).toEqual(there);
    expect(rows.failed).toMatchObject({
      uuid: failed.uuid,
      verify_uuid: failed.verifyUuid,
      status: "generating",
      error_reason: "",
      user_full_name: "Mended Name",
      run_id: run.id,
    });
    expect((await runs.events(configurationId)).at(-1)).toBe("issued error -> generating by registrar");
    expect(await runs.academy.jobs()).toEqual([rows.failed?.id]);
  });

  it("over a learning path issues to those who are eligible in each of its courses", async () => {
    const [one, two] = [await runs.offer("both", "first only"), await runs.offer("both", "no path")];
    await one.enrol("no path");
    const pathKey = `path-v1:Uni+P+1+all`;
    await runs.academy.report(
      {
        case: "learningPath",
        value: { pathKey, displayName: "A Path", stepCourseKeys: [one.courseKey, two.courseKey] },
      },
      enrolled("both", pathKey),
      enrolled("first only", pathKey),
    );
    const { id: configurationId } = await runs.academy.configurations.createCredentialConfiguration({
      credentialConfiguration: { learningContextKey: pathKey, credentialTypeId: runs.typeId },
    });
    await runs.start(configurationId);
    expect(await runs.issued(configurationId)).toEqual({
      both: expect.objectContaining({ learning_context_key: pathKey, learning_context_name: "A Path" }),
    });
  });

  it("with nothing to issue is complete immediately", async () => {
    const { configurationId } = await runs.offer();
    const run = await runs.start(configurationId);
    expect([counts(run), run.endTime]).toEqual([["COMPLETE", 0, 0, 0, 0], expect.anything()]);
    expect(await runs.academy.jobs()).toEqual([]);
  });

  it.each([0, 1, 2, 17, 100])("skips the %i of 100 whose names can't be printed", async (bad) => {
    const usernames = Array.from({ length: 100 }, (_, index) => `printed ${index}`);
    const { configurationId } = await runs.offer(...usernames);
    const unprintable = usernames.filter((_, index) => (index * 37) % 100 < bad);
    await runs.academy.report(
      ...usernames.map((name) => learner(name, unprintable.includes(name) ? `Ana ${NO_GLYPH}` : "Ana Kovač")),
    );
    const run = await runs.start(configurationId);
    expect(run.issuedCount).toBe(100 - bad);
    expect(skips(run)).toEqual(bad === 0 ? {} : { UNPRINTABLE_NAME: bad });
    expect(Object.keys(await runs.issued(configurationId)).sort()).toEqual(
      usernames.filter((name) => !unprintable.includes(name)).sort(),
    );
  });

  it("is refused if the fault concerns all learners", async () => {
    const { configurationId, courseKey } = await runs.offer("refused");
    await runs.academy.report(course(courseKey, `Course ${NO_GLYPH}`));
    expect(await refusal(runs.plan(configurationId))).toEqual([
      "FailedPrecondition",
      expect.stringContaining("which the learning context name contains"),
    ]);
    await runs.academy.withdraw(course(courseKey));
    expect(await refusal(runs.start(configurationId))).toEqual([
      "FailedPrecondition",
      `${courseKey} has no record: send one that contains its name, which is printed.`,
    ]);
    expect((await refusal(runs.start(99_999)))[0]).toBe("NotFound");
  });
});

/** Counts the statements that wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await runs.database.knex.raw(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length;
}

describe("concurrently", () => {
  it("a change while a run is planned applies to the whole plan", async () => {
    const { configurationId, courseKey } = await runs.offer("planned a", "planned b");
    const blocking = await runs.database.knex.transaction();
    await blocking.raw("lock table enrollments in access exclusive mode");
    const running = runs.start(configurationId); // it has read the policy, and is about to read the enrolments
    await expect.poll(waiting, { interval: 10 }).toBe(1);
    const gradingPolicy = [
      { assignmentType: "Exam", weight: 0.5 },
      { assignmentType: "Lab", weight: 0.5 },
    ];
    await runs.academy.report({
      case: "course",
      value: { courseKey, displayName: "A Course", gradingPolicy },
    });
    await blocking.commit();
    expect(counts(await running)).toEqual(["COMPLETE", 0, 0, 0, 0]);
  });

  it("runs and single calls give each learner one credential and one job, and none of them fails", async () => {
    const usernames = Array.from({ length: 60 }, (_, index) => `racing ${index}`);
    const { configurationId } = await runs.offer(...usernames);
    const [started] = await Promise.all([
      Promise.all(Array.from({ length: 4 }, () => runs.start(configurationId))),
      ...usernames
        .filter((_, index) => index % 3 === 0)
        .map((username) => runs.academy.credentials.issueCredential({ configurationId, username })),
    ]);
    const rows = Object.values(await runs.issued(configurationId));
    expect(rows.length).toBe(60);
    expect(new Set(await runs.academy.jobs())).toEqual(new Set(rows.map(({ id }) => id)));
    expect((await runs.academy.jobs()).length).toBe(60);
    for (const run of started) {
      expect(run.issuedCount).toBe(rows.filter(({ run_id }) => run_id === run.id).length);
      expect(run.issuedCount + (skips(run).HAS_CREDENTIAL ?? 0)).toBe(60);
    }
    expect((await runs.events(configurationId)).length).toBe(60);
  });

  it("a learner to whom another caller issues after planning is treated as having a credential", async () => {
    const { configurationId } = await runs.offer("quick", "slow", "withdrawn");
    const other = (await runs.database.knex.transaction()) as LearnerTransaction;
    const like = await runs.academy.credentials.issueCredential({ configurationId, username: "withdrawn" });
    const template = await findActive(runs.database.knex, { configurationId, username: "withdrawn" });
    await runs.academy.invalidate(like.uuid);
    if (!template) throw new Error("it is gone");
    const issuedBy = { kind: "service", name: "somebody else" } as const;
    const own = rowsQuery([{ ...template, username: "quick" }]);
    await insertCredentials(other, { ...template, issuedBy, runId: null }, own);
    const running = runs.start(configurationId);
    await expect.poll(waiting, { interval: 10 }).toBe(1);
    await other.commit();
    const run = await running;
    expect([counts(run), skips(run)]).toEqual([["RUNNING", 1, 1, 0, 0], { HAS_CREDENTIAL: 1, WITHDRAWN: 1 }]);
    const { rows } = await runs.database.knex.raw(
      "select username, issued_by from credentials where configuration_id = ? and status = 'generating' order by username",
      [configurationId],
    );
    expect(rows).toEqual([
      { username: "quick", issued_by: "somebody else" },
      { username: "slow", issued_by: "registrar" },
    ]);
  });
});
