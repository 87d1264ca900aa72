import { Link } from "@tanstack/react-router";
import type { CredentialEligibility } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { CheckIcon, WaitingIcon } from "../components/icons.js";
import { lazily } from "../components/lazily.js";
import { missingFor } from "../components/missing.js";
import { StateMark } from "../components/status.js";
import { useChapter, useFormats, useWords } from "../i18n/words.js";
import type { OtherEntry } from "../requirements/steps-of-learner.js";

const StepsOfLearner = lazily(() => import("../requirements/steps-of-learner.js"), "StepsOfLearner");

export function EligibilityLine({
  entry,
  contextKey,
  others,
}: {
  readonly entry: CredentialEligibility;
  readonly contextKey: string;
  /** The learner's credentials in all courses and paths. Requirements may refer to any of them. */
  readonly others: readonly OtherEntry[];
}) {
  const { learners: words } = useWords();
  const missing = missingFor(entry, contextKey, words, useChapter("requirements"), useFormats());
  const existing = entry.existingCredential;
  return (
    <div className="eligibility">
      {entry.isEligible ? (
        <StateMark tone="good" Icon={CheckIcon}>
          {words.eligible}
        </StateMark>
      ) : (
        <StateMark tone="plain" Icon={WaitingIcon}>
          {words.notEligible}
        </StateMark>
      )}{" "}
      <bdi>{entry.name}</bdi>
      {existing && (
        <>
          {" · "}
          <Link to="/credentials/$uuid" params={{ uuid: existing.uuid }}>
            {words.hasOne}
          </Link>
        </>
      )}
      {entry.requirements && <StepsOfLearner entry={entry} contextKey={contextKey} others={others} />}
      {!entry.requirements && missing.length > 0 && (
        <ul className="second">
          {missing.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
