import type { JsonObject } from "@bufbuild/protobuf";
import { type Logger, pino } from "pino";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { failLostCredentials } from "#domain/credentials/generation/generate-credential.js";
import { issueWhenEarned } from "#domain/credentials/runs/issue-when-earned.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { offerCredential } from "../../configurations/offer-credential.js";
import { COURSE, givenAcademy } from "../../support/academy.js";
import { enrolled } from "../../support/records.js";
import { codeAndMessage } from "../../support/refusal.js";
import { tokenOf } from "../../support/service.js";
import { NO_GLYPH } from "../runs/runs.js";

const academy = givenAcademy();

const { signal } = new AbortController();
const issueEarned = (log: Logger = academy.service.app.log) =>
  issueWhenEarned({ ...academy.service.app, settings: academy.service.app.config, log }, signal);

let types = 0;
const offer = (requirements: object, more: object = {}, key = COURSE) =>
  offerCredential(academy.configurations, key, `Level ${++types}`, "retrieve_requirements", {
    requirements,
    issue_when_earned: true,
    ...more,
  } as JsonObject);

/** Offers a credential for the exam, and further credentials that each require the previous one. */
async function offerStack(levels: number): Promise<number[]> {
  const ids = [(await offer({ passed: true })).id];
  while (ids.length < levels) ids.push((await offer({ holds: { configuration_id: ids.at(-1) } })).id);
  return ids;
}

const pass = (username: string, courseKey = COURSE) =>
  academy.report({ case: "courseGrade", value: { username, courseKey, passed: true } });

/** Returns the ids of the configurations under which the learner has a credential. */
async function held(username: string) {
  const { credentials } = await academy.credentials.listCredentials({ username });
  return credentials.map(({ configurationId }) => configurationId).sort((a, b) => a - b);
}

/** Imports records of a course and of a learner who has passed it. */
async function passIn(courseKey: string, username: string): Promise<void> {
  await academy.report(
    { case: "course", value: { courseKey, displayName: `Course ${courseKey}` } },
    { case: "learner", value: { username, fullName: `Learner ${username}` } },
    enrolled(username, courseKey),
  );
  await pass(username, courseKey);
}

describe("a stack of five levels", () => {
  it("is issued by one result", async () => {
    const ids = await offerStack(5);
    await academy.enrol("tall", "short");
    await issueEarned();
    expect(await held("tall")).toEqual([]);
    await pass("tall");
    await issueEarned();
    expect(await held("tall")).toEqual(ids);
    expect(await held("short")).toEqual([]);
  });

  it.each(["by hand", "by a run"])("is issued with its first level, issued %s", async (how) => {
    const ids = await offerStack(5);
    const [configurationId = 0] = ids;
    const username = `first ${how}`;
    await academy.enrol(username);
    await pass(username);
    if (how === "by hand") await academy.credentials.issueCredential({ configurationId, username });
    else await academy.credentials.startIssuanceRun({ configurationId });
    expect(await held(username)).toEqual(expect.arrayContaining(ids));
  });

  it("is issued whole or not at all while its transactions are killed", async () => {
    const ids = await offerStack(5);
    const usernames = Array.from({ length: 12 }, (_, index) => `killed ${index}`);
    await academy.enrol(...usernames);
    const { knex } = academy.service.app.database;
    let kills = 0;
    for (const username of usernames) {
      await pass(username);
      const issuing = issueEarned().then(
        () => "issued",
        () => "killed",
      );
      const { rows } = await knex.raw(
        `select count(pg_terminate_backend(pid))::integer as count from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
      );
      kills += rows[0].count;
      await issuing;
      const counts = await knex.raw(
        `select count(*)::integer as count from credentials
         where configuration_id = any (?::integer[]) group by username`,
        [ids],
      );
      for (const { count } of counts.rows) expect(count).toBe(5);
    }
    expect(kills).toBeGreaterThan(0);
    await issueEarned();
    for (const username of usernames) expect(await held(username)).toEqual(expect.arrayContaining(ids));
  });

  it("is kept when a part is withdrawn, and says so", async () => {
    const [first = 0, second = 0] = await offerStack(2);
    await academy.enrol("part");
    await pass("part");
    const part = await academy.made("part", { configurationId: first });
    await issueEarned();
    const { credentials } = await academy.credentials.listCredentials({
      username: "part",
      configurationId: second,
    });
    const whole = credentials[0]?.uuid ?? "";
    expect((await academy.credentials.getCredential({ uuid: part.uuid })).requiredBy).toMatchObject([
      { uuid: whole },
    ]);
    await academy.invalidate(part.uuid);
    const { held: parts, status } = await academy.credentials.getCredential({ uuid: whole });
    expect(parts).toMatchObject([{ uuid: part.uuid, isWithdrawn: true }]);
    expect(status).not.toBe(4);
    await issueEarned();
    expect(await held("part")).toEqual(expect.arrayContaining([first, second]));
  });
});

describe("a credential whose part is withdrawn", () => {
  const inReview = async (username: string) => {
    const filter = { username, needsReview: true };
    const { credentials } = await academy.credentials.searchCredentials({ filter });
    const { counts } = await academy.credentials.countCredentials({ filter });
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(credentials.length);
    for (const { uuid, needsReview } of credentials) {
      expect(needsReview).toBe(true);
      expect((await academy.credentials.getCredential({ uuid })).needsReview).toBe(true);
    }
    return credentials.map(({ configurationId }) => configurationId).sort((a, b) => a - b);
  };
  const withdraw = (uuid: string) =>
    academy.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
  async function threeLevels(username: string) {
    await academy.enrol(username);
    await pass(username);
    const ids: number[] = [];
    const parts: string[] = [];
    while (ids.length < 3) {
      const requirements = ids.length === 0 ? { passed: true } : { holds: { configuration_id: ids.at(-1) } };
      ids.push((await offer(requirements, { issue_when_earned: false })).id);
      parts.push((await academy.made(username, { configurationId: ids.at(-1) ?? 0 })).uuid);
    }
    return { ids, parts };
  }

  it("is found among those that need review, until it has been reviewed", async () => {
    const { ids, parts } = await threeLevels("reviewed");
    const [part = "", whole = ""] = parts;
    expect(await inReview("reviewed")).toEqual([]);
    await withdraw(part);
    expect(await inReview("reviewed")).toEqual([ids[1]]);
    expect(await inReview("somebody else")).toEqual([]);
    await academy.credentials.resolveReview({ uuid: whole });
    expect(await inReview("reviewed")).toEqual([]);
    await academy.credentials.resolveReview({ uuid: whole }); // resolves it again
    await withdraw(whole);
    expect(await inReview("reviewed")).toEqual([ids[2]]);
  });

  it("needs no review once it is withdrawn itself", async () => {
    const { ids, parts } = await threeLevels("withdrawn too");
    const [part = "", whole = ""] = parts;
    await withdraw(part);
    await withdraw(whole);
    expect(await inReview("withdrawn too")).toEqual([ids[2]]);
  });

  it("needs none while a successor replaces its part", async () => {
    const { ids, parts } = await threeLevels("reissued");
    const [part = ""] = parts;
    const successor = await academy.credentials.reissueCredential({ uuid: part, reason: "Misspelt." });
    expect(await inReview("reissued")).toEqual([]);
    await academy.generate(successor.uuid);
    await withdraw(successor.uuid);
    expect(await inReview("reissued")).toEqual([ids[1]]);
  });

  it.each(["by its document", "by a lost worker", "by cancelling its run"])(
    "needs review while a part has failed, %s",
    async (how) => {
      const username = `failed ${how}`;
      await academy.enrol(username);
      await pass(username);
      const { id: partId } = await offer({ passed: true });
      const { id: wholeId } = await offer(
        { holds: { configuration_id: partId } },
        { issue_when_earned: false },
      );
      const { run } = await academy.credentials.startIssuanceRun({
        configurationId: partId,
        usernames: [username],
      });
      const { credentials } = await academy.credentials.listCredentials({
        username,
        configurationId: partId,
      });
      const part = { uuid: credentials[0]?.uuid ?? "" };
      const whole = await academy.made(username, { configurationId: wholeId });
      expect(whole.needsReview).toBe(false);
      if (how === "by cancelling its run") await academy.credentials.cancelIssuanceRun({ id: run?.id ?? "" });
      else if (how === "by a lost worker")
        await failLostCredentials(academy.service.app.database, [await academy.idOf(part.uuid)]);
      else
        await academy
          .generate(part.uuid, {
            isLastAttempt: true,
            files: { put: () => Promise.reject(new Error("The store is broken.")) },
          })
          .catch(() => {});
      expect(await inReview(username)).toEqual([wholeId]);
      const { held: parts } = await academy.credentials.getCredential({ uuid: whole.uuid });
      expect(parts).toMatchObject([{ uuid: part.uuid, isWithdrawn: false, hasFailed: true }]);
      await academy.issue(username, { configurationId: partId }); // again
      expect(await inReview(username)).toEqual([]);
    },
  );

  it("needs review after many were withdrawn at once", async () => {
    const { ids, parts } = await threeLevels("at once");
    await academy.credentials.invalidateCredentials({
      filter: { uuids: parts.slice(0, 2) },
      reason: "Issued in error.",
    });
    expect(await inReview("at once")).toEqual([ids[2]]);
  });
});

describe("a credential that is issued when it is earned", () => {
  it("is issued after an enrolment, if the result existed before", async () => {
    const path = "path-v1:Uni+Early+2026+all";
    await academy.report({
      case: "learningPath",
      value: { pathKey: path, displayName: "Early", stepCourseKeys: [COURSE] },
    });
    const { id } = await offer({ passed: true }, {}, path);
    await academy.enrol("early");
    await pass("early");
    await issueEarned();
    expect(await held("early")).not.toContain(id);
    await academy.report(enrolled("early", path));
    await issueEarned();
    expect(await held("early")).toContain(id);
  });

  describe("is issued after everything else was reported, and then", () => {
    const courseKey = "course-v1:Uni+Last+1";
    let id: number;
    beforeAll(async () => {
      await academy.report({ case: "course", value: { courseKey, displayName: "Last" } });
      ({ id } = await offer({ passed: true }, {}, courseKey));
    });
    const learner = (username: string, fullName = `Learner ${username}`) =>
      academy.report({ case: "learner", value: { username, fullName } });
    const knex = () => academy.service.app.database.knex;
    const hintCount = async () =>
      (await knex()("result_hints").where({ context_key: courseKey }).where("due_at", "<=", knex().fn.now()))
        .length;
    async function passWithoutRecord(username: string) {
      await academy.report(enrolled(username, courseKey));
      await pass(username, courseKey);
    }
    const staff = async () =>
      academy.service.client(LearnerRecordService, await tokenOf({ username: "rita", isStaff: true }));

    it.each<[string, (username: string) => Promise<unknown>, (username: string) => Promise<unknown>]>([
      ["the learner", async () => {}, learner],
      ["the learner again, after a withdrawal", withdrawn, learner],
      ["the learner's name", (username) => learner(username, " "), learner],
      [
        "a corrected name",
        (username) => learner(username, NO_GLYPH),
        async (username) =>
          (await staff()).correctLearnerName({ username, fullName: "Corrected", reason: "Misspelt." }),
      ],
      [
        "a learner whom staff create",
        async () => {},
        async (username) => (await staff()).createLearner({ username, fullName: "Created" }),
      ],
    ])("%s", async (username, before, last) => {
      await before(username);
      await passWithoutRecord(username);
      await issueEarned();
      expect(await held(username)).toEqual([]);
      await last(username);
      await issueEarned();
      expect(await held(username)).toEqual([id]);
    });

    async function withdrawn(username: string) {
      await learner(username);
      await academy.withdraw({ case: "learner", value: { username, fullName: "" } });
    }

    it("checks no course again for a learner who has not changed, or is not enrolled", async () => {
      await passWithoutRecord("same");
      await learner("same");
      await issueEarned();
      expect(await held("same")).toEqual([id]);
      await learner("same");
      await learner("elsewhere");
      expect(await hintCount()).toBe(0);
      await learner("same", "Another name");
      expect(await hintCount()).toBe(1);
      await issueEarned();
    });

    it("nothing, but the service missed the change: a day later, and once more each day", async () => {
      const laterBy = (interval: string) =>
        knex().raw("update result_hints set due_at = due_at - ?::interval", [interval]);
      for (const username of ["missed", "missed-again"]) {
        await passWithoutRecord(username);
        await issueEarned();
        await learner(username);
        await knex()("result_hints").where("due_at", "<=", knex().fn.now()).delete();
        await laterBy("23 hours");
        await issueEarned();
        expect(await held(username)).toEqual([]);
        await laterBy("1 hour");
        await issueEarned();
        expect(await held(username)).toEqual([id]);
      }
    });
  });

  it("is not issued again after it was withdrawn", async () => {
    const { id } = await offer({ passed: true });
    await academy.enrol("once");
    await pass("once");
    const { uuid } = await academy.made("once", { configurationId: id });
    await academy.invalidate(uuid);
    await pass("once");
    await academy.enrol("once");
    await issueEarned();
    const { credentials } = await academy.credentials.listCredentials({
      username: "once",
      configurationId: id,
    });
    expect(credentials.map((each) => each.uuid)).toEqual([uuid]);
  });

  it("is issued without a tree, too, and only to eligible learners", async () => {
    await academy.configure({ issue_when_earned: true });
    await academy.enrol("plain");
    await academy.report(enrolled("lazy", COURSE));
    await issueEarned();
    expect(await held("plain")).toContain(academy.configurationId);
    expect(await held("lazy")).toEqual([]);
    await academy.configure({});
    await academy.enrol("later");
    await issueEarned();
    expect(await held("later")).not.toContain(academy.configurationId);
  });

  it("can't be set to something else", async () => {
    const [code, message] = await codeAndMessage(offer({ passed: true }, { issue_when_earned: "always" }));
    expect(code).toBe("InvalidArgument");
    expect(message).toContain("issue_when_earned");
  });
});

describe("a credential that fails to be issued for an unexpected reason", () => {
  const logged: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void logged.push(line) });
  const knex = () => academy.service.app.database.knex;

  /** Makes the database refuse credentials of a configuration until the returned function is called. */
  async function refuse(id: number): Promise<() => Promise<void>> {
    await knex().raw(
      `alter table credentials add constraint refused_${id} check (configuration_id <> ${id}) not valid`,
    );
    const accept = () => knex().raw(`alter table credentials drop constraint if exists refused_${id}`);
    onTestFinished(accept);
    return accept;
  }

  it("does not delay the others, and is retried later", async () => {
    const courses = ["course-v1:Uni+Faulty+1", "course-v1:Uni+Next+1"] as const;
    for (const courseKey of courses) await passIn(courseKey, "patient");
    const faulty = await offer({ passed: true }, {}, courses[0]);
    const next = await offer({ passed: true }, {}, courses[1]);
    const accept = await refuse(faulty.id);

    await issueEarned(log);
    expect(await held("patient")).toEqual([next.id]);
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { level: 50, configurationId: faulty.id, contextKey: courses[0] },
    ]);
    await accept();
    await issueEarned(log);
    expect(await held("patient")).toEqual([next.id]);
    await knex().raw("update result_hints set due_at = due_at - interval '10 minutes'");
    await issueEarned(log);
    expect(await held("patient")).toEqual([faulty.id, next.id]);
    expect(logged).toHaveLength(1);
  });

  it("is issued together with the credential that it requires once both can be issued", async () => {
    const courseKey = "course-v1:Uni+Stack+1";
    await passIn(courseKey, "stacked");
    const { id } = await offer({ passed: true }, {}, courseKey);
    const top = await offer({ holds: { configuration_id: id } }, {}, "course-v1:Uni+Top+1");
    await passIn("course-v1:Uni+Top+1", "stacked");
    const accept = await refuse(top.id);

    await issueEarned(log);
    expect(await held("stacked")).toEqual([]);
    await accept();
    await knex().raw("update result_hints set due_at = due_at - interval '10 minutes'");
    await issueEarned(log);
    expect(await held("stacked")).toEqual([id, top.id]);
  });
});
