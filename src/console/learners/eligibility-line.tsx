import { Link } from "@tanstack/react-router";
import type { CredentialEligibility } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { CheckIcon, WaitingIcon } from "../components/icons.js";
import { missingFor } from "../components/missing.js";
import { StateMark } from "../components/status.js";
import { useChapter } from "../i18n/chapter.js";
import { useFormats, useWords } from "../i18n/words.js";

/** How far a learner is from a credential: what is there, and what is missing. */
export function EligibilityLine({ entry }: { readonly entry: CredentialEligibility }) {
  const { learners: words } = useWords();
  const missing = missingFor(entry, words, useChapter("requirements"), useFormats());
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
      {missing.length > 0 && (
        <ul className="second">
          {missing.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
