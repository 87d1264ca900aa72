import { Link } from "@tanstack/react-router";
import type {
  CredentialEligibility,
  Grade,
} from "../../../gen/learning_credentials/v1/eligibility_service_pb.js";
import { CheckIcon, WaitingIcon } from "../components/icons.js";
import { StateMark } from "../components/status.js";
import { useFormats, useWords } from "../i18n/words.js";

/** How far a learner is from a credential: what is there, and what is missing. */
export function EligibilityLine({ entry }: { readonly entry: CredentialEligibility }) {
  const { learners: words } = useWords();
  const { percent } = useFormats();
  const missing = missingGrades(entry);
  const existing = entry.existingCredential;
  const { currentCompletion, requiredCompletion } = entry;
  const lacksCompletion = requiredCompletion !== undefined && (currentCompletion ?? 0) < requiredCompletion;
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
      {!entry.isEligible && (
        <ul className="second">
          {missing.map(({ key, now, needed }) => (
            <li key={key}>
              {key === "total" ? words.total : <bdi>{key}</bdi>}:{" "}
              {words.nowOf.replace("{now}", percent(now / 100)).replace("{needed}", percent(needed / 100))}
            </li>
          ))}
          {lacksCompletion && (
            <li>
              {words.completion}:{" "}
              {words.nowOf
                .replace("{now}", percent(currentCompletion ?? 0))
                .replace("{needed}", percent(requiredCompletion))}
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

function missingGrades({ currentGrades, requiredGrades }: CredentialEligibility) {
  const attained = new Map(currentGrades.map((grade: Grade) => [grade.key, grade.value]));
  return requiredGrades.flatMap(({ key, value }) => {
    const now = attained.get(key) ?? 0;
    return now < value ? [{ key, now, needed: value }] : [];
  });
}
