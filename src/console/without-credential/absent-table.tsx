import { Link } from "@tanstack/react-router";
import type { ListLearnersWithoutCredentialResponse } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import type { SkipReason } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { LearnerLink } from "../components/learner-link.js";
import { ListTable } from "../components/list-table.js";
import { missingFor } from "../components/missing.js";
import { useChapter, useFormats, useWords } from "../i18n/words.js";
import { absenceInWords, absenceName } from "./absence.js";

/** Lists learners without a credential, each with what is missing. Shows the number of learners for each reason. */
export function AbsentTable({
  found: { learners, counts },
  contextKey,
  reason: shown,
  isStale,
}: {
  readonly found: ListLearnersWithoutCredentialResponse;
  readonly contextKey: string;
  readonly reason: SkipReason | undefined;
  readonly isStale: boolean;
}) {
  const { credentials, learners: words } = useWords();
  const issuing = useChapter("issuing");
  const requirements = useChapter("requirements");
  const formats = useFormats();
  return (
    <>
      <ul className="outcomes" aria-label={credentials.reason}>
        {counts.map(({ reason, count }) => (
          <li key={reason}>
            <Link
              to="/without-credential"
              search={({ configuration }) => ({
                configuration,
                reason: reason === shown ? undefined : absenceName(reason),
              })}
              className="outcome"
              data-ready={absenceName(reason) === "NEXT_RUN"}
              aria-current={reason === shown ? "true" : undefined}
            >
              <span>{absenceInWords(reason, issuing)}</span>
              <strong>{formats.number(count)}</strong>
            </Link>
          </li>
        ))}
      </ul>
      <ListTable
        caption={issuing.without.title}
        headings={[credentials.learner, credentials.reason]}
        isStale={isStale}
      >
        {learners.map(({ username, fullName, reason, eligibility }) => (
          <tr key={username}>
            <td className="main-cell">
              <LearnerLink username={username} fullName={fullName} />
            </td>
            <td>
              {absenceInWords(reason, issuing)}
              {eligibility &&
                missingFor(eligibility, contextKey, words, requirements, formats).map((line) => (
                  <span key={line} className="second">
                    {line}
                  </span>
                ))}
            </td>
          </tr>
        ))}
      </ListTable>
    </>
  );
}
