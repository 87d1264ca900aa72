import type { Logger } from "pino";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import { counted } from "#foundation/text/counted.js";
import { describeOutage } from "#infrastructure/db/outage.js";
import { inLearnerTransaction } from "../learners/learner-transaction.js";
import { findTeachers } from "../learners/lti-people.js";
import type { Lti } from "./lti.js";
import { usernamesAt } from "./people.js";
import { readMembers } from "./read-members.js";
import type { Registration } from "./registration.js";
import { findDeployment, findRegistration, lockDecision } from "./registration-store.js";
import {
  type DueRoster,
  noteRosterProblem,
  noteRosterRead,
  postponeRosters,
  takeDueRoster,
} from "./roster-store.js";
import { storeMembers } from "./store-members.js";
import { withdrawAbsentMembers } from "./withdraw-absent.js";

interface RosterReport {
  readonly contextKey: string;
  /** Number of learners in the list, active or not. */
  readonly learners: number;
  /** Number of new or changed records. */
  readonly written: number;
  readonly withdrawn: number;
  /** Why the list was not read to its end, or what an administrator must decide; empty if there is no problem. */
  readonly problem: string;
}

export interface ReadingOptions {
  /** Only lists of this platform. */
  readonly registrationId?: number;
  /** Whether a list may withdraw more learners than the limit. */
  readonly acceptsWithdrawals?: boolean;
}

/**
 * Reads the lists of members that are due. If a list can't be read, the others are still read. If a platform can't be
 * reached, its other lists are postponed, unless `options.registrationId` names this platform.
 */
export async function* readDueRosters(
  lti: Lti,
  options: ReadingOptions,
  signal: AbortSignal,
): AsyncGenerator<RosterReport> {
  for (;;) {
    signal.throwIfAborted();
    const due = await takeDueRoster(lti.database.knex, options.registrationId);
    const registration = due && (await findRegistration(lti.database.knex, due.registrationId));
    if (!registration) return;
    const { isAway, ...report } = await readRoster(lti, registration, due, options, signal);
    if (isAway && options.registrationId === undefined)
      await postponeRosters(lti.database.knex, registration.id);
    yield report;
  }
}

export async function readRostersInBackground(lti: Lti, log: Logger, signal: AbortSignal): Promise<void> {
  for await (const { contextKey, problem } of readDueRosters(lti, {}, signal))
    if (problem !== "") log.warn({ contextKey, problem }, "LTI member list is incomplete");
}

/** Reads a list of members. Each page is stored immediately, and stays stored if a later page fails. */
async function readRoster(
  lti: Lti,
  registration: Registration,
  roster: DueRoster,
  { acceptsWithdrawals = false }: ReadingOptions,
  signal: AbortSignal,
): Promise<RosterReport & { readonly isAway?: boolean }> {
  const { database, callService } = lti;
  const { contextKey } = roster;
  const of = { registrationId: registration.id, contextKey, contextTitle: roster.title };
  const listed = new Set<string>();
  const sum = { written: 0, withdrawn: 0, left: 0 };
  let begunAt: Date | undefined;
  const report = (problem: string): RosterReport => ({
    contextKey,
    learners: listed.size,
    written: sum.written,
    withdrawn: sum.withdrawn,
    problem,
  });
  try {
    for await (const page of readMembers(callService, registration, roster.membershipsUrl, signal)) {
      begunAt ??= page.requestedAt;
      const stored = await inLearnerTransaction(database, signal, async (transaction) => {
        await lockDecision(transaction, registration);
        const deployment = await findDeployment(transaction, registration.id, roster.deploymentId);
        if (deployment?.state !== "accepted")
          throw failedPrecondition("The deployment was refused in the meantime.");
        const subjects = page.learners.map(({ subject }) => subject);
        const usernameOf = await usernamesAt(transaction, registration.id, subjects);
        const all = page.learners.map((learner) => ({
          ...learner,
          username: usernameOf(learner.subject),
          locale: undefined,
          isLaunched: false,
        }));
        // Moodle lists non-editing teachers as learners. This service recognises them by their launches as teachers.
        const names = all.map(({ username }) => username);
        const teachers = await findTeachers(transaction, roster, names);
        const members = all.filter(({ username }) => !teachers.has(username));
        for (const { username } of members) listed.add(username);
        return storeMembers(transaction, { ...of, observedAt: page.requestedAt }, members);
      });
      sum.written += stored.written;
      sum.left += page.malformed + stored.rejected;
    }
    let problem =
      sum.left > 0
        ? `${sum.left} members or their records can't be used: an ID is missing, or a name or an address is invalid.`
        : "";
    if (registration.rosters === "whole" && sum.left === 0 && listed.size > 0 && begunAt) {
      const withdrawal = await withdrawAbsentMembers(
        database,
        { ...of, observedAt: begunAt },
        listed,
        acceptsWithdrawals,
        signal,
      );
      sum.withdrawn = withdrawal.withdrawn;
      if (withdrawal.held > 0)
        problem = `${counted(withdrawal.held, "learner is", "learners are")} no longer listed: too many to withdraw without confirmation. \`lti sync ${registration.id} --accept-withdrawals\` withdraws them.`;
    }
    await noteRosterRead(database.knex, roster, listed.size, problem);
    return report(problem);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Problem) || describeOutage(error) !== undefined) throw error;
    await noteRosterProblem(database.knex, roster, error.message);
    return { ...report(error.message), isAway: error.kind === "unavailable" };
  }
}
