import type { Logger } from "pino";
import { type Repetition, repeat } from "#foundation/concurrency/repeat.js";
import { Problem } from "#foundation/errors.js";
import { describeOutage, isBusy, isRolledBack } from "#infrastructure/db/outage.js";
import { SCHEDULE } from "#infrastructure/identity/actors.js";
import { nextRunTime } from "../../configurations/schedules/next-run-time.js";
import { setNextRun, takeDueSchedule } from "../../configurations/schedules/schedule-store.js";
import { inLearnerTransaction, inSavepoint } from "../../learners/learner-transaction.js";
import type { IssuingDeps } from "../issuance/issuing-deps.js";
import { startRun } from "./start-issuance-run.js";

const PAUSE_MS = 60_000;

/** Delay before a failed start is retried. */
const RETRY_MS = 60 * 60 * 1000;

/** Delay before a start that failed because the database was busy is retried. */
const BUSY_RETRY_MS = 60_000;

export interface SchedulingDeps extends IssuingDeps {
  readonly log: Logger;
}

/**
 * Looks for due runs once a minute until it is stopped. Stopping may interrupt the start of a run; another process then
 * starts it.
 */
export function startScheduling(deps: SchedulingDeps): Pick<Repetition, "stop"> {
  const stopping = new AbortController();
  const scheduling = repeat({
    name: "starting scheduled runs",
    pauseMs: PAUSE_MS,
    log: deps.log,
    async work() {
      await startScheduledRuns(deps, stopping.signal).catch((error) => {
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
 * Starts due runs. Any number of processes may call this. A run is started in the transaction that advances its
 * schedule. Therefore, each scheduled time starts exactly one run, even after a crash. If several scheduled times were
 * missed, only one run is started.
 *
 * A run that can't be started is retried later, and does not delay the others.
 */
export async function startScheduledRuns(deps: SchedulingDeps, signal: AbortSignal): Promise<void> {
  while (await startDueRun(deps, signal));
}

/** Returns false if no run is due, or if other processes are starting all due runs. */
function startDueRun(deps: SchedulingDeps, signal: AbortSignal): Promise<boolean> {
  const { database, settings, log } = deps;
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
      const issuedBy = schedule.setBy ?? SCHEDULE;
      const starting = { configurationId, startedBy: SCHEDULE, issuedBy };
      await inSavepoint(transaction, (attempt) => startRun(attempt, deps, starting));
      await setNextRun(transaction, configurationId, { nextRunAt, lastError: "" });
    } catch (error) {
      if (signal.aborted || isRolledBack(error)) throw error;
      const retryAt = new Date(now.getTime() + (isBusy(error) ? BUSY_RETRY_MS : RETRY_MS));
      const nextRunAt = isOver(retryAt) ? null : retryAt;
      log.error({ err: error, configurationId, nextRunAt }, "scheduled run could not be started");
      await setNextRun(transaction, configurationId, {
        nextRunAt,
        lastError: reasonOf(error),
      });
    }
    return true;
  });
}

function reasonOf(error: unknown): string {
  if (error instanceof Problem) return error.message;
  return describeOutage(error) ?? "The run could not be started: see the service's log.";
}
