import { isDeepStrictEqual } from "node:util";
import { wrongField } from "#foundation/errors.js";
import { type Knex, queryValue } from "#infrastructure/db/query.js";
import { refuseIssuing, type ScheduleEditor } from "./editor.js";
import { nextRunTime } from "./next-run-time.js";
import { type CredentialSchedule, type StatedSchedule, statementOf } from "./schedule.js";
import {
  deleteSchedule,
  findOpenToClaims,
  lockPending,
  lockSchedule,
  saveSchedule,
  setEditor,
} from "./schedule-store.js";

/**
 * Sets a configuration's schedule, or removes it if `stated` is undefined. An unchanged schedule keeps its state.
 * @throws Problem `invalid` if the schedule is enabled but would never start a run; `permission-denied` if the editor
 * may not issue
 */
export async function setSchedule(
  transaction: Knex.Transaction,
  configurationId: number,
  stated: StatedSchedule | undefined,
  serviceTimeZone: string,
  editor: ScheduleEditor,
): Promise<void> {
  const before = await lockSchedule(transaction, configurationId);
  if (isDeepStrictEqual(before && statementOf(before), stated)) return;
  refuseIssuing(editor, "A schedule issues credentials, so setting it", "schedule");
  if (stated === undefined) return deleteSchedule(transaction, configurationId);
  const now = await queryValue<Date>(transaction, "select now() as now");
  const schedule = { ...begin(stated, before, now, serviceTimeZone), setBy: editor.actor };
  await saveSchedule(transaction, configurationId, schedule);
}

/**
 * Must be called when the terms under which these configurations issue credentials change. The editor becomes
 * responsible for the credentials that their schedules issue.
 * @throws Problem `permission-denied` if a configuration has a future run or is open to claims, but the editor may not
 * issue
 */
export async function changeTerms(
  transaction: Knex.Transaction,
  configurationIds: readonly number[],
  editor: ScheduleEditor,
): Promise<void> {
  if (configurationIds.length === 0) return;
  const scheduled = await lockPending(transaction, configurationIds);
  const [claimable] = await findOpenToClaims(transaction, configurationIds);
  if (claimable !== undefined) {
    const why = `Learners can claim under configuration ${claimable}, so changing who is eligible`;
    refuseIssuing(editor, why, "custom_options");
  }
  if (scheduled.length === 0) return;
  const where = `configuration ${scheduled[0]}${scheduled.length > 1 ? ` and ${scheduled.length - 1} more` : ""}`;
  refuseIssuing(
    editor,
    `The schedule of ${where} would issue by these options, so changing them`,
    "custom_options",
  );
  await setEditor(transaction, scheduled, editor.actor);
}

function begin(
  stated: StatedSchedule,
  before: CredentialSchedule | undefined,
  now: Date,
  serviceTimeZone: string,
): Omit<CredentialSchedule, "setBy"> {
  const countedFrom = stated.startAt ?? (before?.isEnabled ? before.countedFrom : now);
  const schedule = { ...stated, countedFrom, nextRunAt: null, lastError: "" };
  if (!stated.isEnabled) return schedule;
  // Keeps a run that is due but has not been started.
  const from = before?.nextRunAt && before.nextRunAt < now ? before.nextRunAt : now;
  const regularAt = nextRunTime(schedule, from, serviceTimeZone);
  const retry = pendingRetry(stated, before);
  if (retry && (regularAt === null || retry.nextRunAt < regularAt)) return { ...schedule, ...retry };
  if (regularAt !== null) return { ...schedule, nextRunAt: regularAt };
  throw wrongField(
    "schedule",
    "would never start a run: it has no start time in the future. Correct its start_time or end_time, or set enabled to " +
      "false.",
  );
}

/** Returns the pending retry of a run that could not be started, unless the schedule now starts later or has ended. */
function pendingRetry({ startAt, endAt }: StatedSchedule, before: CredentialSchedule | undefined) {
  if (!before?.lastError || before.nextRunAt === null) return undefined;
  const { nextRunAt, lastError } = before;
  const isWithin = (startAt === null || startAt <= nextRunAt) && (endAt === null || nextRunAt < endAt);
  return isWithin ? { nextRunAt, lastError } : undefined;
}
