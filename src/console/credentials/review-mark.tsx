import { WarningIcon } from "../components/icons.js";
import { StateMark } from "../components/status.js";
import { useChapter } from "../i18n/words.js";

export function ReviewMark() {
  const words = useChapter("trees");
  return (
    <StateMark tone="warn" Icon={WarningIcon}>
      {words.needsReview}
    </StateMark>
  );
}
