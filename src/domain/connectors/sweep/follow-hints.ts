import {
  type DueHint,
  forgetHints,
  listBusyCourses,
  listDue,
  postponeHint,
  removeHint,
  removeHintsOfCourse,
} from "../../learners/connector-hints.js";
import type { RecordPage, Scope } from "../driver/driver.js";
import { PullError } from "../driver/pull-error.js";
import { createInclusion } from "./inclusion.js";
import { createLedger, type Ledger } from "./ledger.js";
import { readStagePage } from "./read-page.js";
import { storable } from "./storable.js";
import { createStorage } from "./storage.js";
import { PLATFORM_SCOPE, type SweepDeps } from "./sweep.js";
import { findContext, lastSweeps, listConfigured } from "./sweep-store.js";

const BATCH = 50;

/**
 * A whole course is read if it has more than `least` due hints, and also more due hints than this share of the number
 * of its learners.
 */
const WHOLE_COURSE_LIMITS = { least: 20, share: 0.1 };

/**
 * Reads the learners of due hints again. A hint only says which learner to read; its content is not used as a fact. If
 * a course has many hints, for example after regrading, the whole course is read, which takes fewer requests.
 * @param onFailure called for each hint that failed; `isAbandoned` if it will not be retried
 * @returns the number of processed hints
 */
export async function followHints(
  deps: SweepDeps,
  signal: AbortSignal,
  onFailure: (isAbandoned: boolean) => void = () => {},
): Promise<number> {
  const { database, settings, source } = deps;
  const { knex } = database;
  const { last } = await lastSweeps(knex, settings.id);
  if (!last) return 0;
  // The driver can't read single learners.
  if (!source.pull) return forgetHints(knex, settings.id);
  const { holds } = createInclusion(settings, await listConfigured(knex));
  const storage = createStorage(database, signal);
  const judging = { storage, connector: settings.id, isIncluded: holds };
  const ledger = createLedger(judging, last.id, {});
  for (const busyCourse of await listBusyCourses(knex, settings.id, WHOLE_COURSE_LIMITS)) {
    const course = await findContext(knex, settings.id, busyCourse.courseKey);
    // If the course can't be read, its learners are read one by one. A hint that fails is postponed.
    const isRead = !course || !holds(course.contextKey) || (await readCourse(deps, ledger, course, signal));
    if (isRead) await removeHintsOfCourse(knex, settings.id, busyCourse);
  }
  const due = await listDue(knex, settings.id, BATCH);
  for (const hint of due) {
    signal.throwIfAborted();
    await follow(hint).catch(async (error) => {
      if (signal.aborted || !(error instanceof PullError)) throw error;
      deps.log.warn({ connector: settings.id, reason: error.message }, "learner could not be reread");
      onFailure(await postponeHint(knex, settings.id, hint, error.message));
    });
  }
  return due.length;

  async function follow(hint: DueHint): Promise<void> {
    const course = hint.courseKey === "" ? undefined : await findContext(knex, settings.id, hint.courseKey);
    const isRead = hint.courseKey === "" || (course !== undefined && holds(hint.courseKey));
    const page = isRead ? await source.pull?.({ ...hint, course }, ledger) : undefined;
    if (page) await ledger.commit(storable(page), undefined, course ?? PLATFORM_SCOPE);
    await removeHint(knex, hint.id);
  }
}

/** Reads a course outside a sweep, without withdrawing enrolments. Returns whether it could be read. */
async function readCourse(
  { source }: SweepDeps,
  ledger: Ledger,
  course: Scope,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    for (const stage of source.stages.filter(({ each }) => each === "course")) {
      for (let cursor: string | null = null, pages = 0; pages === 0 || cursor !== null; pages++) {
        signal.throwIfAborted();
        const page: RecordPage = await readStagePage(stage, { cursor, pages }, course, ledger);
        await ledger.commit(page, undefined, course);
        cursor = page.next;
      }
    }
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof PullError)) throw error;
    return false;
  }
}
