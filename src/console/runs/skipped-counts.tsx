import type { SkippedCount } from "../../../gen/learning_credentials/v1/issuance_run_pb.js";
import { useFormats, useWords } from "../i18n/words.js";
import { reasonInWords } from "./skip-reasons.js";

/** How many are passed over, by reason. */
export function SkippedCounts({ counts }: { readonly counts: readonly SkippedCount[] }) {
  const { issuing } = useWords();
  const { number } = useFormats();
  return (
    <ul className="counts">
      {counts.map(({ reason, count }) => (
        <li key={reason}>
          <strong>{number(count)}</strong> {reasonInWords(reason, issuing)}
        </li>
      ))}
    </ul>
  );
}
