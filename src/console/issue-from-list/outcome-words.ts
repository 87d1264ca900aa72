import { SkipReason } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { useChapter } from "../i18n/words.js";
import { reasonInWords } from "../runs/skip-reasons.js";
import type { RowOutcome } from "./judged-rows.js";

/** Returns functions that describe an outcome: for a single row, or for all rows with that outcome. */
export function useOutcomeWords(): Record<"row" | "group", (outcome: RowOutcome) => string> {
  const issuing = useChapter("issuing");
  const { list } = issuing;

  function group(outcome: RowOutcome): string {
    if (outcome.kind === "ready") return outcome.isNew ? list.readyNew : list.ready;
    if (outcome.kind === "skipped") return reasonInWords(outcome.reason, issuing);
    if (outcome.fault.fault === "listed-twice") return reasonInWords(SkipReason.REPEATED, issuing);
    return list.rowFaults[outcome.fault.fault];
  }
  function row(outcome: RowOutcome): string {
    return outcome.kind === "faulty" && outcome.fault.fault === "listed-twice"
      ? list.listedTwice({ row: outcome.fault.firstRow })
      : group(outcome);
  }
  return { row, group };
}
