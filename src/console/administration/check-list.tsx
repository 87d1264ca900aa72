import { textFor } from "#foundation/languages/message.js";
import { CheckOutcome, type CheckResult } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { StateMark } from "../components/status.js";
import { useChapter, useFormats } from "../i18n/words.js";
import { bad, good, warning } from "./looks.js";

interface ResultWords {
  readonly steps: Readonly<Record<string, string>>;
  /** Translated texts, by the reason code of a result. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** Results of checks. Results without a translation show the service's text. */
export function CheckList({
  of,
  words: known,
}: {
  readonly of: readonly CheckResult[];
  readonly words?: ResultWords;
}) {
  const { connections: words, english } = useChapter("administration");
  const { colon } = useFormats();
  if (of.length === 0) return null;
  const stepOf = ({ what }: CheckResult) => known && textFor(known.steps, what);
  return (
    <>
      {!of.every(stepOf) && <p className="small faint">{english}</p>}
      <ul className="problem-list">
        {of.map((result) => {
          const { what, outcome, text, reason, detail } = result;
          const step = stepOf(result);
          return (
            <li key={`${what} ${text}`}>
              <StateMark {...({ OK: good, WARNING: warning }[CheckOutcome[outcome] ?? ""] ?? bad)}>
                {textFor(words.outcomes, CheckOutcome[outcome]?.toLowerCase() ?? "")}
              </StateMark>{" "}
              {step ? (
                <>
                  <b>
                    {step}
                    {colon}
                  </b>
                  {textFor(known?.reasons ?? {}, reason)}
                  <span className="second" lang="en" dir="ltr">
                    {detail}
                  </span>
                </>
              ) : (
                <span lang="en" dir="ltr">
                  {what}: {text}
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
