import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { EligibilityService } from "../../../gen/learning_credentials/v1/eligibility_service_pb.js";
import { SkipReason } from "../../../gen/learning_credentials/v1/issuance_run_pb.js";
import { Failure } from "../components/failure.js";
import { ListTable } from "../components/list-table.js";
import type { NamedConfiguration } from "../configurations/use-configurations.js";
import { useChapter } from "../i18n/chapter.js";
import { useFormats, useWords } from "../i18n/words.js";
import { EligibilityLine } from "../learners/eligibility-line.js";
import { reasonInWords } from "../runs/skip-reasons.js";
import type { AbsentLearner } from "./absent-learners.js";

type Reason = SkipReason | "next-run";

/** Learners without a credential, by reason, each with what is missing. */
export function AbsentTable({
  absent,
  configuration,
}: {
  readonly absent: readonly AbsentLearner[];
  readonly configuration: NamedConfiguration;
}) {
  const { credentials } = useWords();
  const issuing = useChapter("issuing");
  const { number } = useFormats();
  const [shownReason, setShownReason] = useState<Reason>();
  const counts = new Map<Reason, number>();
  for (const { reason = "next-run" as const } of absent) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const isShown = shownReason !== undefined && counts.has(shownReason);
  const shown = isShown ? absent.filter(({ reason = "next-run" }) => reason === shownReason) : absent;
  const say = (reason: Reason) =>
    reason === "next-run" ? issuing.without.waiting : reasonInWords(reason, issuing);

  return (
    <>
      <ul className="outcomes" aria-label={issuing.reason}>
        {[...counts].map(([reason, count]) => (
          <li key={reason}>
            <button
              type="button"
              className="outcome"
              data-ready={reason === "next-run"}
              aria-pressed={shownReason === reason}
              onClick={() => setShownReason(shownReason === reason ? undefined : reason)}
            >
              <strong>{number(count)}</strong>
              <span>{say(reason)}</span>
            </button>
          </li>
        ))}
      </ul>
      <ListTable caption={issuing.without.title} headings={[credentials.learner, issuing.reason]}>
        {shown.map(({ username, fullName, reason = "next-run" as const }) => (
          <tr key={username}>
            <td className="main-cell">
              <Link to="/learners/$username" params={{ username }} className="row-link">
                <bdi>{fullName || username}</bdi>
              </Link>
              <span className="second">
                <bdi>{username}</bdi>
              </span>
            </td>
            <td>
              {say(reason)}
              {reason === SkipReason.NOT_ELIGIBLE && (
                <Missing username={username} configuration={configuration} />
              )}
            </td>
          </tr>
        ))}
      </ListTable>
    </>
  );
}

/** What a learner lacks, asked for when it is opened: a page makes no call for each row. */
function Missing({
  username,
  configuration,
}: {
  readonly username: string;
  readonly configuration: NamedConfiguration;
}) {
  const issuing = useChapter("issuing");
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useQuery(
    EligibilityService.method.getEligibility,
    { username, learningContextKey: configuration.learningContextKey },
    { enabled: isOpen },
  );
  const entry = data?.credentials.find((each) => each.credentialTypeId === configuration.credentialTypeId);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="small">{issuing.without.missing}</summary>
      {error && <Failure error={error} />}
      {entry && <EligibilityLine entry={entry} />}
    </details>
  );
}
