import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import {
  type IssuancePlan,
  type SampleLearner,
  SkipReason,
} from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { LearnerLink } from "../components/learner-link.js";
import { ListTable } from "../components/list-table.js";
import { WarningSentence } from "../components/warning-sentence.js";
import { useChapter, useFormats, useWords } from "../i18n/words.js";
import type { PlanChanges } from "./plan-changes.js";
import { reasonInWords } from "./skip-reasons.js";
import { SkippedCounts } from "./skipped-counts.js";

const MAX_ROWS = 100;

export function PlanView({
  plan,
  configurationId,
}: {
  readonly plan: IssuancePlan;
  readonly configurationId: number;
}) {
  const issuing = useChapter("issuing");
  const words = issuing.plan;
  return (
    <div className="plan card padded">
      <p className="plan-count">
        {plan.issueCount > 0 ? words.willIssue({ count: plan.issueCount }) : words.nothing}
      </p>
      {plan.issueCount === 0 && <p>{words.nothingMeans}</p>}
      {plan.retryCount > 0 && <p>{words.retries({ count: plan.retryCount })}</p>}
      {plan.learners.length > 0 && (
        <Names summary={words.who} learners={plan.learners} count={plan.issueCount} />
      )}
      <PlanWarnings warnings={plan.explainedWarnings} />
      <SkippedLearners plan={plan} />
      <NotEarned plan={plan} />
      <p>
        <Link to="/without-credential" search={{ configuration: String(configurationId) }}>
          {issuing.without.title}
        </Link>
      </p>
    </div>
  );
}

/** Shows how many enrolled learners have not met the requirements. A plan lists only learners who have. */
function NotEarned({ plan: { enrolledCount, issueCount, skipped } }: { readonly plan: IssuancePlan }) {
  const issuing = useChapter("issuing");
  const earned = skipped.reduce((sum, { count }) => sum + count, issueCount);
  const count = Math.max(0, enrolledCount - earned);
  if (count === 0) return null;
  return <p>{issuing.plan.notEarned({ n: count, enrolled: enrolledCount })}</p>;
}

export function PlanWarnings({ warnings }: { readonly warnings: IssuancePlan["explainedWarnings"] }) {
  const issuing = useChapter("issuing");
  if (warnings.length === 0) return null;
  const { grade, letterGrade, passed, hours, learnerId } = issuing.list.meanings;
  const facts = { grade, letter_grade: letterGrade, passed, hours, learner_id: learnerId };
  return (
    <div className="notice notice-warn">
      <h3>{issuing.plan.warnings}</h3>
      <ul>
        {warnings.map((warning) => (
          <li key={warning.text}>
            <WarningSentence of={warning} facts={facts} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function SkippedLearners({ plan }: { readonly plan: IssuancePlan }) {
  const { credentials } = useWords();
  const issuing = useChapter("issuing");
  const shown = plan.skippedLearners.slice(0, MAX_ROWS);
  if (plan.skipped.length === 0) return <p className="faint">{issuing.plan.nobodySkipped}</p>;
  return (
    <section>
      <h2>{issuing.plan.skippedLearners}</h2>
      <SkippedCounts counts={plan.skipped} />
      {shown.length > 0 && (
        <ListTable
          caption={issuing.plan.skippedLearners}
          headings={[credentials.learner, credentials.reason]}
        >
          {shown.map(({ username, fullName, reason, detail }) => (
            <tr key={username}>
              <td className="main-cell">
                <LearnerLink username={username} fullName={fullName} />
              </td>
              <td>
                {reasonInWords(reason, issuing)}
                {detail && reason !== SkipReason.NO_FULL_NAME && (
                  <div className="small faint" lang="en" dir="ltr">
                    {detail}
                  </div>
                )}
              </td>
            </tr>
          ))}
        </ListTable>
      )}
      {plan.skippedLearners.length > MAX_ROWS && (
        <p className="small faint">{issuing.firstOnly({ count: MAX_ROWS })}</p>
      )}
    </section>
  );
}

export function PlanChanged({ changes }: { readonly changes: PlanChanges }) {
  const issuing = useChapter("issuing");
  const words = issuing.plan;
  return (
    <div role="alert" className="notice notice-warn">
      <p className="notice-heading">{words.changed}</p>
      <p>{words.changedMeans}</p>
      <p>{words.changedCount({ before: changes.before, now: changes.now })}</p>
      {changes.joined.length > 0 && (
        <Names summary={words.joined} learners={changes.joined} count={changes.joined.length} isOpen />
      )}
      {changes.left.length > 0 && (
        <Names summary={words.left} learners={changes.left} count={changes.left.length} isOpen />
      )}
    </div>
  );
}

function Names({
  summary,
  learners,
  count,
  isOpen = false,
}: {
  readonly summary: ReactNode;
  readonly learners: readonly Pick<SampleLearner, "username" | "fullName">[];
  readonly count: number;
  readonly isOpen?: boolean;
}) {
  const issuing = useChapter("issuing");
  const { number } = useFormats();
  return (
    <details open={isOpen}>
      <summary>
        {summary} ({number(count)})
      </summary>
      <ul className="names">
        {learners.slice(0, MAX_ROWS).map(({ username, fullName }) => (
          <li key={username} title={username}>
            <bdi>{fullName || username}</bdi>
          </li>
        ))}
      </ul>
      {count > MAX_ROWS && <p className="small faint">{issuing.firstOnly({ count: MAX_ROWS })}</p>}
    </details>
  );
}
