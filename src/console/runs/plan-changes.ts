import type { IssuancePlan, SampleLearner } from "#gen/learning_credentials/v1/issuance_run_pb.js";

/** The differences between two plans. Learners are named as far as both plans list them. */
export interface PlanChanges {
  readonly before: number;
  readonly now: number;
  readonly joined: readonly SampleLearner[];
  readonly left: readonly SampleLearner[];
}

/**
 * Compares the learners in two plans. A plan may list only its first learners, so only those that both lists cover are
 * compared.
 */
export function changesBetween(before: IssuancePlan, now: IssuancePlan): PlanChanges {
  const [old, present] = [new Set(before.usernames), new Set(now.usernames)];
  return {
    before: before.issueCount,
    now: now.issueCount,
    joined: now.learners.filter(({ username }) => !old.has(username) && isListedBy(before, username)),
    left: before.learners.filter(({ username }) => !present.has(username) && isListedBy(now, username)),
  };
}

/**
 * Returns whether the plan's list reaches this username. The list has only the first thousand usernames, in byte order.
 */
function isListedBy({ usernames, issueCount }: IssuancePlan, username: string): boolean {
  const last = usernames.at(-1);
  return usernames.length === issueCount || (last !== undefined && compareBytes(username, last) <= 0);
}

const encoder = new TextEncoder();

function compareBytes(one: string, other: string): number {
  const [first, second] = [encoder.encode(one), encoder.encode(other)];
  const index = first.findIndex((byte, at) => byte !== second[at]);
  return index < 0 ? first.length - second.length : (first[index] ?? 0) - (second[index] ?? -1);
}
