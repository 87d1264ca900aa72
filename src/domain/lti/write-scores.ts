import type { Logger } from "pino";
import { Problem } from "#foundation/errors.js";
import { inTransaction } from "#infrastructure/db/database.js";
import { describeOutage } from "#infrastructure/db/outage.js";
import { execute, queryRow } from "#infrastructure/db/query.js";
import { underSessionLock } from "#infrastructure/db/session-lock.js";
import { EVENT_BATCH, readBounds, readEventsOfTypes } from "../credentials/events/event-store.js";
import type { Lti } from "./lti.js";
import { findRegistration } from "./registration-store.js";
import {
  type DueScore,
  hasDueScores,
  makeScoresDue,
  noteScoreProblem,
  noteScoreWritten,
  postponeScores,
  storeColumn,
  takeDueScore,
} from "./score-store.js";
import { findColumn, type ScoreTarget, writeScore } from "./write-score.js";

/** Types of events after which the score of a learner may have to change. */
const EVENTS_THAT_CHANGE_SCORES = ["available", "invalidated", "imported", "renamed"] as const;

/**
 * Writes scores to gradebooks: 1 while a credential is available, 0 after it was withdrawn. Follows the log of events
 * and writes only changes, so that a restart neither loses nor repeats a score.
 */
export async function writeDueScores(lti: Lti, log: Logger, signal: AbortSignal): Promise<void> {
  const { database } = lti;
  while (await followEvents(lti, signal)) signal.throwIfAborted();
  if (!(await hasDueScores(database.knex))) return;
  // The lock prevents two concurrent writers from creating the same column twice.
  await underSessionLock(database.directUrl, "lti grade books", signal, (held) => writeAll(lti, log, held));
}

async function writeAll(lti: Lti, log: Logger, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const score = await takeDueScore(lti.database.knex);
    if (!score) return;
    const failure = await writeOne(lti, score, signal);
    if (failure === undefined) continue;
    const { registrationId, configurationId } = score;
    const { message: problem, kind } = failure;
    await noteScoreProblem(lti.database.knex, score, problem);
    if (kind === "unavailable") await postponeScores(lti.database.knex, registrationId);
    log.warn({ registrationId, configurationId, problem }, "LTI score could not be sent to the platform");
  }
}

/** Makes the scores of credentials with new events due. Returns whether there may be more events. */
async function followEvents({ database }: Lti, signal: AbortSignal): Promise<boolean> {
  return inTransaction(database, signal, async (transaction) => {
    const cursor = await queryRow<{ position: string }>(
      transaction,
      "select position from lti_score_cursor for update skip locked",
    );
    const { last } = await readBounds(transaction);
    if (!cursor || Number(cursor.position) >= last) return false;
    const after = Number(cursor.position);
    // If no platform has columns, events can be skipped. When an administrator switches columns on for a platform, all
    // its scores become due.
    const hasColumns = await execute(transaction, "select from lti_registrations where has_columns limit 1");
    const position = hasColumns > 0 ? Math.min(after + EVENT_BATCH, last) : last;
    if (hasColumns > 0) {
      const events = await readEventsOfTypes(transaction, after, EVENTS_THAT_CHANGE_SCORES, EVENT_BATCH);
      const uuids = [...new Set(events.map(({ credentialUuid }) => credentialUuid))];
      if (uuids.length > 0) await makeScoresDue(transaction, { uuids });
    }
    await execute(transaction, "update lti_score_cursor set position = ?", [position]);
    return position < last;
  });
}

/** Returns why the score was not written, or `undefined` if the gradebook has the right score. */
async function writeOne(lti: Lti, score: DueScore, signal: AbortSignal): Promise<Problem | undefined> {
  const { knex } = lti.database;
  const registration = await findRegistration(knex, score.registrationId);
  const wanted = score.isAvailable ? 1 : 0;
  const hasChanged = wanted !== (score.written ?? 0);
  try {
    if (hasChanged && registration) {
      const target: ScoreTarget = { callService: lti.callService, registration, signal };
      const column = score.lineItemUrl ?? (await findColumn(target, score));
      if (score.lineItemUrl === null) await storeColumn(knex, score, column);
      await writeScore(target, column, score.subject, wanted, new Date());
    }
    await noteScoreWritten(knex, score, hasChanged ? wanted : score.written);
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Problem) || describeOutage(error) !== undefined) throw error;
    if (error.kind === "not-found") await storeColumn(knex, score, undefined);
    return error;
  }
}
