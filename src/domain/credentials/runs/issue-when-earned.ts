import { type Repetition, repeat } from "#foundation/concurrency/repeat.js";
import { Problem } from "#foundation/errors.js";
import { waitForLocks } from "#infrastructure/db/database.js";
import { isRolledBack } from "#infrastructure/db/outage.js";
import { automaticConfigurationsFor } from "../../configurations/automatic-issuing.js";
import { scheduleRecheck, takeChangedContext } from "../../learners/changed-contexts.js";
import { inLearnerTransaction, inSavepoint } from "../../learners/learner-transaction.js";
import { issueEarned, issueStack } from "../issuance/issue-earned.js";
import { lockRunsOf } from "./run-store.js";
import type { SchedulingDeps } from "./start-scheduled-runs.js";

const PAUSE_MS = 2_000;

/** Minimum pause, as a multiple of the time that the last check took. */
const PAUSE_FACTOR = 10;

/** Seconds until issuing is retried under a configuration where it failed. */
const RETRY_S = 600;

/**
 * Seconds until a course is checked again although no change was noticed. A change is missed if a learner record and an
 * enrolment are stored at the same time and a check runs between the two commits.
 */
const RECHECK_S = 86_400;

/** Issues credentials as soon as they are earned, until issuing is stopped. */
export function startIssuingWhenEarned(deps: SchedulingDeps): Pick<Repetition, "stop"> {
  const stopping = new AbortController();
  let earliest = 0;
  const issuing = repeat({
    name: "issuing earned credentials",
    pauseMs: PAUSE_MS,
    log: deps.log,
    async work() {
      const startedAt = Date.now();
      if (startedAt < earliest) return;
      await issueWhenEarned(deps, stopping.signal).catch((error) => {
        if (!stopping.signal.aborted) throw error;
      });
      earliest = Date.now() + PAUSE_FACTOR * (Date.now() - startedAt);
    },
  });
  return {
    stop() {
      stopping.abort();
      return issuing.stop();
    },
  };
}

/**
 * Checks the courses and paths in which results, enrolments, learners or requirements have changed, and issues the
 * credentials that learners have earned. Any number of processes may run this. Each course is checked in its own
 * transaction, which also removes the course from the list of changed courses.
 *
 * Each course is checked again a day later. If issuing under a configuration fails, its course is checked again sooner,
 * and does not delay the others.
 */
export async function issueWhenEarned(deps: SchedulingDeps, signal: AbortSignal): Promise<void> {
  while (await issueInOne(deps, signal));
}

/** Returns false if no course is marked as changed. */
function issueInOne(deps: SchedulingDeps, signal: AbortSignal): Promise<boolean> {
  return inLearnerTransaction(deps.database, signal, async (transaction) => {
    await waitForLocks(transaction);
    const contextKey = await takeChangedContext(transaction);
    if (contextKey === undefined) return false;
    const configurationIds = await automaticConfigurationsFor(transaction, contextKey);
    for (const configurationId of configurationIds) {
      try {
        await inSavepoint(transaction, async (savepoint) => {
          await lockRunsOf(savepoint, configurationId);
          const usernames = await issueEarned(savepoint, deps, configurationId);
          await issueStack(savepoint, deps, { configurationId, usernames });
        });
      } catch (error) {
        if (signal.aborted || isRolledBack(error)) throw error;
        const facts = { err: error, configurationId, contextKey };
        if (error instanceof Problem) deps.log.warn(facts, "automatic issuing failed; retrying");
        else deps.log.error(facts, "automatic issuing failed unexpectedly; retrying");
        await scheduleRecheck(transaction, contextKey, RETRY_S);
      }
    }
    if (configurationIds.length > 0) await scheduleRecheck(transaction, contextKey, RECHECK_S);
    return true;
  });
}
