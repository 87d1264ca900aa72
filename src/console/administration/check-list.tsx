import { textFor } from "#foundation/languages/message.js";
import { CheckOutcome, type CheckResult } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { StateMark } from "../components/status.js";
import { useChapter } from "../i18n/chapter.js";
import { bad, doubtful, good } from "./looks.js";

/** Results of checks, in the words of the service. */
export function CheckList({ of }: { readonly of: readonly CheckResult[] }) {
  const { connections: words, english } = useChapter("administration");
  if (of.length === 0) return null;
  return (
    <>
      <p className="small faint">{english}</p>
      <ul className="problem-list">
        {of.map(({ what, outcome, text }) => (
          <li key={`${what} ${text}`}>
            <StateMark {...({ OK: good, WARNING: doubtful }[CheckOutcome[outcome] ?? ""] ?? bad)}>
              {textFor(words.outcomes, CheckOutcome[outcome]?.toLowerCase() ?? "")}
            </StateMark>{" "}
            <span lang="en" dir="ltr">
              {what}: {text}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
