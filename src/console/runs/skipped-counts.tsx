import type { SkippedCount } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { useChapter, useFormats } from "../i18n/words.js";
import { countedReason } from "./skip-reasons.js";

export function SkippedCounts({ counts }: { readonly counts: readonly SkippedCount[] }) {
  const issuing = useChapter("issuing");
  const { number } = useFormats();
  return (
    <ul className="counts">
      {counts.map(({ reason, count }) => (
        <li key={reason}>
          <strong>{number(count)}</strong> {countedReason(reason, count, issuing)}
        </li>
      ))}
    </ul>
  );
}
