import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { CredentialService } from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import type { IssuanceRun } from "../../../gen/learning_credentials/v1/issuance_run_pb.js";
import { ConfigurationName } from "../configurations/configuration-name.js";
import { Failure } from "../parts/failure.js";
import { ListTable } from "../parts/list-table.js";
import { PageTitle } from "../parts/page-title.js";
import { Pager } from "../parts/pager.js";
import { useFormats, useWords } from "../reader/words.js";
import { RunState } from "./run-state.js";

const PAGE_SIZE = 50;

/** All runs, the latest first. */
export function RunListPage() {
  const { shell, issuing } = useWords();
  const { page = "" } = useSearch({ from: "/runs" });
  const navigate = useNavigate({ from: "/runs" });
  const found = useQuery(
    CredentialService.method.listIssuanceRuns,
    { pageSize: PAGE_SIZE, pageToken: page },
    { placeholderData: keepPreviousData },
  );
  const runs = found.data?.runs ?? [];
  const next = found.data?.nextPageToken;
  const start = (
    <Link to="/runs/new" className="button button-primary">
      {issuing.runs.start}
    </Link>
  );
  return (
    <section className="page">
      <div className="page-head">
        <PageTitle title={shell.runs} />
        <div className="actions">
          <Link to="/without-credential" className="button">
            {issuing.without.title}
          </Link>
          {start}
        </div>
      </div>
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && runs.length === 0 && (
        <div className="empty">
          <h2>{issuing.runs.empty}</h2>
          <p>{issuing.runs.emptyMeans}</p>
        </div>
      )}
      {runs.length > 0 && <RunTable runs={runs} />}
      <Pager
        isFirst={page === ""}
        next={next}
        onTurn={(turned) => void navigate({ search: { page: turned } })}
      />
    </section>
  );
}

function RunTable({ runs }: { readonly runs: readonly IssuanceRun[] }) {
  const { issuing, shell, standing } = useWords();
  const { moment, number } = useFormats();
  const words = issuing.runs;
  return (
    <ListTable
      caption={shell.runs}
      headings={[
        words.started,
        issuing.configuration,
        words.state,
        { amount: words.issued },
        { amount: standing.error },
        words.startedBy,
      ]}
    >
      {runs.map((run) => (
        <tr key={run.id}>
          <th scope="row">
            <Link to="/runs/$id" params={{ id: run.id }}>
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
          <td className="amount" data-label={standing.error}>
            {number(run.failedCount)}
          </td>
          <td>
            <bdi>{run.startedBy}</bdi>
          </td>
        </tr>
      ))}
    </ListTable>
  );
}
