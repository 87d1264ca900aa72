import { counted } from "#foundation/text/counted.js";
import type { ImportCounts } from "./import-records.js";
import type { LearnerRecord } from "./record.js";

/** Returns a warning if an accepted record looks wrong. */
export function recordWarning(record: LearnerRecord): string | undefined {
  if (record.kind !== "course" || record.isDeleted || record.weights.length === 0) return undefined;
  const sum = record.weights.reduce((total, weight) => total + weight, 0);
  if (Math.abs(sum - 1) < 1e-6) return undefined;
  return `${record.courseKey}: the weights of the grading policy sum to ${Number(sum.toFixed(6))}, not to 1.`;
}

/** Returns warnings about the records that an import skipped: how many there are, and how to import them. */
export function skippedWarnings({
  erased,
  ownedElsewhere,
}: Pick<ImportCounts, "erased" | "ownedElsewhere">): string[] {
  const warnings: string[] = [];
  if (erased > 0) {
    warnings.push(
      `${counted(erased, "record of an erased learner was", "records of erased learners were")} skipped: only records with an observe_time after the erasure are imported.`,
    );
  }
  if (ownedElsewhere > 0) {
    warnings.push(
      `${counted(ownedElsewhere, "record was skipped because a connector owns it", "records were skipped because connectors own them")}. Set take_over in a record to transfer it to the API.`,
    );
  }
  return warnings;
}
