import { Link } from "@tanstack/react-router";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { ActorName } from "../components/actor-name.js";
import { Empty } from "../components/empty.js";
import { PageTitle } from "../components/page-title.js";
import { PagedTable, usePage } from "../components/paged-table.js";
import { ConfigurationName } from "../configurations/configuration-name.js";
import { useChapter, useFormats, useWords } from "../i18n/words.js";
import { RunState } from "./run-state.js";

export function RunListPage() {
  const { shell, status, credentials, events } = useWords();
  const issuing = useChapter("issuing");
  const { moment, number } = useFormats();
  const words = issuing.runs;
  const found = usePage(CredentialService.method.listIssuanceRuns, {});
  return (
    <section className="page">
      <div className="page-head">
        <PageTitle title={shell.runs} />
        <div className="actions">
          <Link to="/without-credential" className="button">
            {issuing.without.title}
          </Link>
          <Link to="/runs/new" className="button button-primary">
            {shell.startRun}
          </Link>
        </div>
      </div>
      <PagedTable
        of={found}
        rows={found.data?.runs}
        none={<Empty title={words.empty} means={words.emptyMeans} />}
        caption={shell.runs}
        headings={[
          words.started,
          credentials.one,
          words.state,
          { amount: words.issued },
          { amount: status.error },
          events.actor,
        ]}
      >
        {(run) => (
          <tr key={run.id}>
            <th scope="row">
              <Link to="/runs/$id" params={{ id: run.id }} className="row-link">
                {run.startTime ? moment(run.startTime) : run.id}
              </Link>
            </th>
            <td>
              <ConfigurationName id={run.configurationId} />
            </td>
            <td>
              <RunState of={run.state} />
            </td>
            <td className="amount" data-label={words.issued}>
              {number(run.issuedCount)}
            </td>
            <td className="amount" data-label={status.error}>
              {number(run.failedCount)}
            </td>
            <td>
              <ActorName of={run.startedBy} />
            </td>
          </tr>
        )}
      </PagedTable>
    </section>
  );
}
