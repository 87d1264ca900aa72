import type { PreviewEligibilityResponse } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { Button } from "../components/button.js";
import { LearnerLink } from "../components/learner-link.js";
import { ListTable } from "../components/list-table.js";
import { saveCsv } from "../components/save-csv.js";
import { useChapter, useWords } from "../i18n/words.js";

/** Number of names to show. The downloaded file has all names that the service lists. */
const MAX_NAMES = 20;

/** Lists who would become eligible, and who would no longer be eligible. */
export function PlannedChange({
  of: { gainedCount, lostCount, changes },
}: {
  readonly of: PreviewEligibilityResponse;
}) {
  const words = useChapter("trees");
  const { credentials } = useWords();
  const total = gainedCount + lostCount;
  return (
    <section className="stack" aria-label={words.plan}>
      <strong>{words.plan}</strong>
      <div role="status">
        {total === 0 ? (
          <p>{words.noChange}</p>
        ) : (
          <ul className="plan-counts">
            <li>{words.gained({ count: gainedCount })}</li>
            <li>{words.lost({ count: lostCount })}</li>
          </ul>
        )}
      </div>
      {total > 0 && (
        <>
          <p className="small faint">
            {words.keptAll} {total > changes.length && words.firstOfEach({ count: changes.length })}
          </p>
          <div className="actions">
            <Button
              onPress={() => {
                const rows = changes.map(({ username, fullName, isGained, hasCredential }) => [
                  username,
                  fullName,
                  isGained ? "gained" : "lost",
                  String(hasCredential),
                ]);
                const headings = ["username", "full_name", "change", "has_credential"];
                saveCsv("changed-eligibility.csv", [headings, ...rows]);
              }}
            >
              {credentials.exportCsv}
            </Button>
          </div>
          <details>
            <summary>{words.affected}</summary>
            <ListTable
              caption={words.affected}
              headings={[credentials.learner, words.change]}
              isStale={false}
            >
              {changes.slice(0, MAX_NAMES).map(({ username, fullName, isGained, hasCredential }) => (
                <tr key={username}>
                  <td className="main-cell">
                    <LearnerLink username={username} fullName={fullName} />
                  </td>
                  <td>
                    {isGained ? words.becomesEligible : words.noLongerEligible}
                    {hasCredential && <span className="second">{words.hasCredential}</span>}
                  </td>
                </tr>
              ))}
            </ListTable>
            {changes.length > MAX_NAMES && <p className="small faint">{words.restInFile}</p>}
          </details>
        </>
      )}
    </section>
  );
}
