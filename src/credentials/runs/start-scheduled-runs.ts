import type { Logger } from "pino";
import { type Repetition, repeat } from "../../concurrency/repeat.js";
import { nextRunTime } from "../../configurations/schedules/next-run-time.js";
import { setNextRun, takeDueSchedule } from "../../configurations/schedules/schedule-store.js";
import { isRolledBack } from "../../db/outage.js";
import { Problem } from "../../errors.js";
import { SCHEDULE } from "../../identity/actors.js";
import { inLearnerTransaction, inSavepoint } from "../../learners/learner-transaction.js";
import type { IssuingParts } from "../issuance/issue-credential.js";
import { startRun } from "./start-issuance-run.js";

const PAUSE_MS = 60_000;

/** How long after a failure a run is tried to be started again. */
const RETRY_MS = 60 * 60 * 1000;

/** What starting scheduled runs needs. */
export interface SchedulingParts extends IssuingParts {
  readonly log: Logger;
}

/** Looks once a minute for runs that are to be started, until it is stopped: what it is starting then, others start. */
export function startScheduling(parts: SchedulingParts): Pick<Repetition, "stop"> {
  const stopping = new AbortController();
  const scheduling = repeat({
    name: "starting scheduled runs",
    pauseMs: PAUSE_MS,
    log: parts.log,
    async work() {
      await startScheduledRuns(parts, stopping.signal).catch((error) => {
        if (!stopping.signal.aborted) throw error;
      });
    },
  });
  return {
    stop() {
      stopping.abort();
      return scheduling.stop();
    },
  };
}

/**
 * Starts the runs whose time has come, one after the other, beside any number of processes that do the same. A run is
 * started in the transaction that moves its schedule on: once for each time, whatever dies when. Where times were missed,
 * one run makes up for them. One that can't be started is tried again later, and does not hold up the others.
 */
export async function startScheduledRuns(parts: SchedulingParts, signal: AbortSignal): Promise<void> {
  while (await startDueRun(parts, signal));
}

/** @returns false when none is due, but for those that others are starting */
function startDueRun(parts: SchedulingParts, signal: AbortSignal): Promise<boolean> {
  const { database, settings, log } = parts;
  return inLearnerTransaction(database, signal, async (transaction) => {
    const due = await takeDueSchedule(transaction);
    if (!due) return false;
    const { configurationId, schedule, now } = due;
    const { endAt } = schedule;
    const isOver = (moment: Date) => endAt !== null && endAt <= moment;
    if (isOver(now)) {
      await setNextRun(transaction, configurationId, { ...schedule, nextRunAt: null });
      return true;
    }
    try {
      const nextRunAt = nextRunTime(schedule, new Date(now.getTime() + 1), settings.timeZone);
      const starting = { configurationId, startedBy: SCHEDULE };
      await inSavepoint(transaction, (attempt) => startRun(attempt, parts, starting));
      await setNextRun(transaction, configurationId, { nextRunAt, lastError: "" });
    } catch (error) {
      if (signal.aborted || isRolledBack(error)) throw error;
      log.error({ err: error, configurationId }, "a scheduled run could not be started; it is tried again");
      const retryAt = new Date(now.getTime() + RETRY_MS);
      await setNextRun(transaction, configurationId, {
        nextRunAt: isOver(retryAt) ? null : retryAt,
        lastError:
          error instanceof Problem ? error.message : "The run could not be started; the log says why.",
      });
    }
    return true;
  });
}
