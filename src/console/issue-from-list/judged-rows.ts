import type { MessageInitShape } from "@bufbuild/protobuf";
import type { StartIssuanceRunRequestSchema } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { type ListedLearner as Judged, SkipReason } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import type { EnteredLearner, List, RowFault } from "./listed-learners.js";

export type RowOutcome =
  | { readonly kind: "ready"; readonly isNew: boolean }
  | { readonly kind: "skipped"; readonly reason: SkipReason }
  | { readonly kind: "faulty"; readonly fault: RowFault };

export interface JudgedRow {
  readonly learner: EnteredLearner;
  readonly outcome: RowOutcome;
  /** The service's own message. It is empty if it would add nothing to the outcome. */
  readonly detail: string;
}

type ListRequest = Pick<
  MessageInitShape<typeof StartIssuanceRunRequestSchema>,
  "usernames" | "newLearners" | "facts"
>;

/** The request for a list, and the learners in the order of the request. */
interface RequestedList {
  readonly request: ListRequest;
  readonly requested: readonly EnteredLearner[];
  readonly addsLearners: boolean;
}

/** @param addsLearners whether to send the names of learners, so that the service creates missing records */
export function requestFor({ learners }: Pick<List, "learners">, addsLearners: boolean): RequestedList {
  const isNew = ({ fullName }: EnteredLearner) => addsLearners && fullName !== "";
  const existing = learners.filter((learner) => !isNew(learner));
  const added = learners.filter(isNew);
  return {
    request: {
      usernames: existing.map(({ username }) => username),
      newLearners: added.map(({ username, fullName, email }) => ({ username, fullName, email })),
      facts: learners.flatMap(({ username, facts }) =>
        Object.keys(facts).length === 0 ? [] : { username, ...facts },
      ),
    },
    requested: [...existing, ...added],
    addsLearners,
  };
}

/**
 * Returns the request without the rows that the service would skip, so the run contains exactly the planned rows. Rows
 * with an unusable name stay, because the plan's hash covers them.
 */
export function requestForPlanned(
  { requested, addsLearners }: RequestedList,
  judgements: readonly Judged[],
): ListRequest {
  const learners = requested.filter((_, index) => {
    const judged = judgements[index];
    return judged && (judged.isReady || refusedForName.includes(judged.reason));
  });
  return requestFor({ learners }, addsLearners).request;
}

const refusedForName: readonly SkipReason[] = [SkipReason.NO_FULL_NAME, SkipReason.UNPRINTABLE_NAME];

/** Returns the outcomes of all rows, in the order of the file. */
export function judgeRows(
  { faulty }: List,
  { requested, addsLearners }: RequestedList,
  judgements: readonly Judged[],
): JudgedRow[] {
  const judged = requested.map((learner, index) => judgedRow(learner, judgements[index], addsLearners));
  const unread = faulty.map(
    ({ learner, reason }): JudgedRow => ({ learner, outcome: { kind: "faulty", fault: reason }, detail: "" }),
  );
  return [...judged, ...unread].sort((one, other) => one.learner.row - other.learner.row);
}

function judgedRow(learner: EnteredLearner, judged: Judged | undefined, addsLearners: boolean): JudgedRow {
  if (judged?.username !== learner.username) {
    throw new Error(`the service checked a different learner from the one in row ${learner.row}`);
  }
  const { isReady, isNew, reason, detail } = judged;
  if (isReady) return { learner, outcome: { kind: "ready", isNew }, detail };
  if (reason === SkipReason.UNKNOWN_LEARNER && addsLearners && learner.fullName === "")
    return { learner, outcome: { kind: "faulty", fault: { fault: "no-name" } }, detail: "" };
  const saysMore = reason === SkipReason.UNPRINTABLE_NAME || reason === SkipReason.INVALID;
  return { learner, outcome: { kind: "skipped", reason }, detail: saysMore ? detail : "" };
}

/** Returns a key that is equal for rows with the same outcome. */
export function rowKeyOf(outcome: RowOutcome): string {
  if (outcome.kind === "ready") return outcome.isNew ? "new" : "ready";
  return outcome.kind === "skipped" ? `skipped ${outcome.reason}` : `faulty ${outcome.fault.fault}`;
}
