import type { FailedCredential } from "#gen/learning_credentials/v1/issuance_run_pb.js";

export interface FailureGroup {
  readonly reason: string;
  readonly failures: readonly FailedCredential[];
}

/** Groups failures by reason. The most frequent reason comes first. */
export function groupFailures(failures: readonly FailedCredential[]): FailureGroup[] {
  const groups = new Map<string, FailedCredential[]>();
  for (const failure of failures) {
    const group = groups.get(failure.reason);
    if (group) group.push(failure);
    else groups.set(failure.reason, [failure]);
  }
  return [...groups]
    .map(([reason, grouped]) => ({ reason, failures: grouped }))
    .sort((one, other) => other.failures.length - one.failures.length);
}
