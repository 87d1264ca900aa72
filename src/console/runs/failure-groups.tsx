import type { IssuanceRun } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { useChapter } from "../i18n/words.js";
import { groupFailures } from "./grouped-failures.js";

/** The first 100 failures of a run, grouped by reason. */
export function FailureGroups({ run }: { readonly run: IssuanceRun }) {
  const issuing = useChapter("issuing");
  return (
    <section className="card padded panel">
      <h2>{issuing.run.failures}</h2>
      {groupFailures(run.failures).map(({ reason, failures }) => (
        <details key={reason}>
          <summary>
            {issuing.run.failuresWith({ count: failures.length })}{" "}
            <span lang="en" dir="ltr">
              {reason}
            </span>
          </summary>
          <ul className="names">
            {failures.map(({ uuid, username }) => (
              <li key={uuid}>
                <bdi>{username}</bdi>
              </li>
            ))}
          </ul>
        </details>
      ))}
      {run.failedCount > run.failures.length && (
        <p className="small faint">{issuing.firstOnly({ count: run.failures.length })}</p>
      )}
    </section>
  );
}
