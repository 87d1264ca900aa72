import type { z } from "zod";
import type { PlainRecord } from "../../learners/plain-record.js";
import { type Part, roundedPoints, totalPolicy } from "../driver/course-total.js";
import type { Lookups, RecordPage, Scope } from "../driver/driver.js";
import { leftOut } from "../driver/left-out.js";
import { type AssignmentGroup, type GroupsReader, includesStripped } from "./assignment-groups.js";
import type { CanvasAnswer, CanvasApi } from "./canvas-api.js";
import { endpoints, usersPath } from "./canvas-endpoints.js";
import { groupedSubmissions, users } from "./canvas-shapes.js";
import { type GroupSum, groupSums } from "./group-sums.js";

export async function policyPage(
  scope: Scope,
  groupsOf: GroupsReader,
  letterGrades: readonly string[],
): Promise<RecordPage> {
  const { all, withheld } = await groupsOf(scope);
  return {
    ...totalPolicy(scope, all.flatMap(partsOfGroup), letterGrades),
    ...(withheld !== undefined && { withheld }),
  };
}

function partsOfGroup({ id, type }: AssignmentGroup): Part[] {
  return type === undefined ? [] : [{ usageKey: `assignment-group-${id}`, assignmentType: type }];
}

/** Computes learners' points in each assignment group from their submissions. */
export async function partsPage(
  api: CanvasApi,
  path: string,
  scope: Scope,
  lookups: Pick<Lookups, "usernamesOf">,
  groupsOf: GroupsReader,
): Promise<RecordPage> {
  const { all } = await groupsOf(scope);
  const { value, sentAt, next } = await api.get(endpoints.submissions, path, groupedSubmissions);
  if (value.length > 0 && value.every((one) => one.computed_final_score === undefined))
    throw includesStripped(endpoints.submissions.name);
  const names = await lookups.usernamesOf(value.map(({ user_id }) => user_id));
  const found = value.flatMap((learner) => {
    const username = names.get(learner.user_id);
    return username === undefined
      ? []
      : [{ username, id: learner.user_id, groupResults: groupSums(all, learner) }];
  });
  const concluded = await concludedOf(
    api,
    scope,
    found.flatMap(({ id, groupResults }) => (groupResults?.onlyConcluded ? [id] : [])),
  );
  const withSums = found.map(({ username, id, groupResults }) => ({
    username,
    sums: groupResults?.onlyConcluded && !concluded.has(id) ? undefined : groupResults?.all,
  }));
  const unknown = withSums.filter(({ sums }) => sums === undefined).length;
  return {
    requestedAt: sentAt,
    next,
    records: withSums.flatMap(({ username, sums }) => groupRecords(username, scope, all, sums)),
    ...(unknown > 0 && {
      withheld:
        "the assignment groups of some learners do not add up to the total of Canvas, so their results are unknown",
    }),
    ...leftOut({ "learner whose assignment groups do not add up to the total of Canvas": unknown }),
  };
}

/**
 * Returns the learners whose enrolments are concluded. Only for these learners may sums leave out ungraded work. For
 * other learners, such a sum could by chance equal a total that Canvas hasn't updated yet.
 */
async function concludedOf(
  api: CanvasApi,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const listed: z.output<typeof users>[number][] = [];
  let path = ids.length === 0 ? null : usersPath(scope, ...ids);
  while (path !== null && listed.length < ids.length) {
    const answer: CanvasAnswer<z.output<typeof users>> = await api.get(endpoints.users, path, users);
    listed.push(...answer.value);
    path = answer.value.length === 0 ? null : answer.next;
  }
  const isConcluded = ({ enrollments }: (typeof listed)[number]) => {
    if (!enrollments) throw includesStripped(endpoints.users.name);
    const states = enrollments
      .filter(({ type }) => type === "StudentEnrollment")
      .map(({ enrollment_state }) => enrollment_state);
    return states.length > 0 && !states.includes("active");
  };
  return new Set(listed.filter(isConcluded).map(({ id }) => id));
}

/**
 * Returns records of the learner's groups. A group with an unknown sum is recorded as not attained, which replaces
 * earlier points.
 */
function groupRecords(
  username: string,
  { contextKey: courseKey }: Scope,
  groups: readonly AssignmentGroup[],
  sums: readonly GroupSum[] | undefined,
): PlainRecord[] {
  return groups.flatMap((group) =>
    partsOfGroup(group).map((part): PlainRecord => {
      const { earned, possible } = sums?.find((sum) => sum.group === group) ?? { earned: 0, possible: 0 };
      const points = possible > 0 ? Math.min(possible, Math.max(0, roundedPoints(earned))) : 0;
      return {
        kind: "subsectionGrade",
        username,
        courseKey,
        ...part,
        earned: points,
        possible: roundedPoints(possible),
      };
    }),
  );
}
