import type { z } from "zod";

/** Lists the faults that Zod found, each with its path. */
export function describeIssues(issues: readonly z.core.$ZodIssue[] = []): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
    .join("; ");
}
