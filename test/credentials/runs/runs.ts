import { expect } from "vitest";
import {
  type IssuanceRun,
  IssuanceRunState,
  SkipReason,
} from "#gen/learning_credentials/v1/issuance_run_pb.js";
import type { Database } from "#infrastructure/db/database.js";
import { openAcademy } from "../../support/academy.js";
import { given } from "../../support/given.js";
import * as records from "../../support/records.js";

/** A character that no font has. */
export const NO_GLYPH = "\u{10FFFD}";

export interface Offer {
  readonly courseKey: string;
  readonly configurationId: number;
  /** Imports records of eligible learners of the course. */
  enrol(...usernames: string[]): Promise<void>;
}

export interface Row {
  readonly id: number;
  readonly uuid: string;
  readonly username: string;
  readonly status: string;
  readonly user_full_name: string;
  readonly run_id: string | null;
}

/** A service with functions that give each issuance run its own course. */
export type Runs = Awaited<ReturnType<typeof openRuns>>;

export const givenRuns = () => given(openRuns, ({ academy }) => academy.service.stop());

async function openRuns() {
  const academy = await openAcademy();
  const database: Database = academy.service.app.database;
  const { configurations, configurationId: first } = academy;
  const { credentialTypeId: typeId } = await configurations.getCredentialConfiguration({ id: first });

  let offers = 0;

  /** Offers a credential in a new course to eligible learners. */
  async function offer(...usernames: string[]): Promise<Offer> {
    const courseKey = `course-v1:Uni+R${++offers}+2026`;
    await academy.report(course(courseKey));
    const { id: configurationId } = await academy.configurations.createCredentialConfiguration({
      credentialConfiguration: { learningContextKey: courseKey, credentialTypeId: typeId },
    });
    const enrol = (...some: string[]) => academy.report(...some.flatMap((name) => eligible(courseKey, name)));
    if (usernames.length > 0) await enrol(...usernames);
    return { courseKey, configurationId, enrol };
  }

  async function start(configurationId: number, planHash = ""): Promise<IssuanceRun> {
    const { run } = await academy.credentials.startIssuanceRun({ configurationId, planHash });
    if (!run) throw new Error("no run was started");
    return run;
  }

  async function plan(configurationId: number) {
    const { plan, run } = await academy.credentials.startIssuanceRun({ configurationId, dryRun: true });
    expect(run).toBeUndefined();
    if (!plan) throw new Error("there is no plan");
    return plan;
  }

  /** Returns the credentials of a configuration, by username. */
  async function issued(configurationId: number): Promise<Record<string, Row>> {
    const rows: Row[] = await database
      .knex("credentials")
      .where({ configuration_id: configurationId })
      .orderBy("username");
    expect(new Set(rows.map(({ username }) => username)).size).toBe(rows.length);
    return Object.fromEntries(rows.map((row) => [row.username, row]));
  }

  /** Returns the events of the configuration's credentials, in order: `issued null -> generating`. */
  async function events(configurationId: number): Promise<string[]> {
    const { rows } = await database.knex.raw(
      `select type, status_before, status_after, name from (
         select null as position, id, type, status_before, status_after, actor_id, configuration_id from unsealed_credential_events
         union all
         select position, null, type, status_before, status_after, actor_id, configuration_id from credential_events
       ) event join credential_event_actors actor on actor.id = actor_id
       where configuration_id = ? order by position, event.id`,
      [configurationId],
    );
    return rows.map(
      (event: { type: string; status_before: string; status_after: string; name: string }) =>
        `${event.type} ${event.status_before} -> ${event.status_after} by ${event.name}`,
    );
  }

  const get = (id: string) => academy.credentials.getIssuanceRun({ id });

  /** Ends the attempts of these credentials. The attempts of usernames that contain "fails" fail. */
  async function makeAll(configurationId: number): Promise<void> {
    for (const { id, username, status } of Object.values(await issued(configurationId))) {
      if (status === "generating") await make(id, username.includes("fails"));
    }
  }

  async function make(id: number, fails = false): Promise<void> {
    const files = { put: () => Promise.reject(new Error("disk full")) };
    await academy.generate(id, fails ? { files, isLastAttempt: true } : {}).catch(() => {});
  }

  const emptyQueue = () => database.knex.raw("delete from jobs");

  return { academy, database, typeId, offer, start, plan, issued, events, get, makeAll, make, emptyQueue };
}

export const course = (courseKey: string, displayName = "A Course") =>
  records.course(courseKey, displayName, [["Exam", 1]]);
export const exam = (courseKey: string, username: string, earned = 9): records.Kind => ({
  case: "subsectionGrade",
  value: { username, courseKey, usageKey: "exam", assignmentType: "Exam", earned, possible: 10 },
});
export const eligible = (courseKey: string, username: string) => [
  records.learner(username),
  records.enrolled(username, courseKey),
  exam(courseKey, username),
];

export const counts = ({ state, issuedCount, generatingCount, availableCount, failedCount }: IssuanceRun) => [
  IssuanceRunState[state],
  issuedCount,
  generatingCount,
  availableCount,
  failedCount,
];

export const skips = ({ skipped }: { skipped: { reason: SkipReason; count: number }[] }) =>
  Object.fromEntries(skipped.map(({ reason, count }) => [SkipReason[reason], count]));
