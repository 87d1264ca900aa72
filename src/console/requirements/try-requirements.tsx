import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import type { CredentialEligibility } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { Failure } from "../components/failure.js";
import { CheckIcon, WaitingIcon } from "../components/icons.js";
import { filledIn } from "../components/isolated.js";
import { lazily } from "../components/lazily.js";
import { missingFor } from "../components/missing.js";
import { type Choice, Picker } from "../components/picker.js";
import { StateMark } from "../components/status.js";
import { usePaused } from "../components/use-paused.js";
import { ContextPicker } from "../contexts/context-picker.js";
import { useChapter, useFormats, useWords } from "../i18n/words.js";
import { EligibleCount } from "./eligible-count.js";
import type { useEligibility } from "./use-eligibility.js";

const PlannedChange = lazily(() => import("./planned-change.js"), "PlannedChange");
const StepsOfLearner = lazily(() => import("./steps-of-learner.js"), "StepsOfLearner");

/** Shows how many learners would be eligible now, and why a given learner would not be. */
export function TryRequirements({
  eligibility: { data, error },
  context,
  isCompared,
  onContext,
  onLearner,
}: {
  readonly eligibility: Pick<ReturnType<typeof useEligibility>, "data" | "error">;
  readonly context: Choice | undefined;
  /** Whether to compare with the saved requirements. */
  readonly isCompared: boolean;
  /** undefined if the context can't be changed. */
  readonly onContext: ((context: Choice) => void) | undefined;
  readonly onLearner: (username: string) => void;
}) {
  const words = useChapter("requirements");
  const [learner, setLearner] = useState<Choice>();
  return (
    <section className="try-requirements" aria-label={words.try}>
      <div>
        <strong>{words.try}</strong>
        <p className="small faint">{words.tryMeans}</p>
      </div>
      {onContext && <ContextPicker label={words.tryIn} chosen={context} onChoose={onContext} />}
      {error && <Failure error={error} />}
      {data && <EligibleCount of={data} />}
      {data && isCompared && <PlannedChange of={data} />}
      {context && (
        <LearnerPicker
          chosen={learner}
          onChoose={(choice) => {
            setLearner(choice);
            onLearner(choice.key);
          }}
        />
      )}
      {learner && data?.eligibility && (
        <Outcome name={learner.title} of={data.eligibility} contextKey={context?.key ?? ""} />
      )}
    </section>
  );
}

function LearnerPicker({
  chosen,
  onChoose,
}: {
  readonly chosen: Choice | undefined;
  readonly onChoose: (learner: Choice) => void;
}) {
  const words = useChapter("requirements");
  const [typed, setTyped] = useState("");
  const query = usePaused(typed.trim());
  const found = useQuery(
    LearnerRecordService.method.searchLearners,
    { query, pageSize: 20 },
    { placeholderData: keepPreviousData },
  );
  return (
    <Picker
      label={words.learner}
      choices={found.data?.learners.flatMap(({ learner }) =>
        learner
          ? [{ key: learner.username, title: learner.fullName || learner.username, detail: learner.username }]
          : [],
      )}
      answered={found.isPlaceholderData ? "…" : query}
      chosen={chosen}
      onType={setTyped}
      onChoose={onChoose}
    />
  );
}

function Outcome({
  name,
  of,
  contextKey,
}: {
  readonly name: string;
  readonly of: CredentialEligibility;
  readonly contextKey: string;
}) {
  const words = useChapter("requirements");
  const { learners } = useWords();
  const missing = missingFor(of, contextKey, learners, words, useFormats());
  return (
    <div role="status">
      {of.isEligible ? (
        <StateMark tone="good" Icon={CheckIcon}>
          {filledIn(words.wouldGet, { name })}
        </StateMark>
      ) : (
        <>
          <StateMark tone="plain" Icon={WaitingIcon}>
            {filledIn(words.wouldNot, { name })}
          </StateMark>
          {!of.requirements && (
            <ul className="second">
              {(missing.length > 0 ? missing : [words.notEnrolled]).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
        </>
      )}
      {of.requirements && <StepsOfLearner entry={of} contextKey={contextKey} />}
    </div>
  );
}
