import { groupBy } from "#foundation/group-by.js";
import type { FailedCredential } from "#gen/learning_credentials/v1/issuance_run_pb.js";

export interface FailureGroup {
  readonly reason: string;
  readonly failures: readonly FailedCredential[];
}

/** Groups failures by reason. The most frequent reason comes first. */
export function groupFailures(failures: readonly FailedCredential[]): FailureGroup[] {
  return [...groupBy(failures, ({ reason }) => reason)]
    .map(([reason, grouped]) => ({ reason, failures: grouped }))
    .sort((one, other) => other.failures.length - one.failures.length);
}
