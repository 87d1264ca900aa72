import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { LearnerRecordService } from "../../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { Button } from "../parts/button.js";
import { Failure } from "../parts/failure.js";
import { ListTable } from "../parts/list-table.js";
import { PageTitle } from "../parts/page-title.js";
import { Pager } from "../parts/pager.js";
import { RecordsStep } from "../parts/records-step.js";
import { SearchForm } from "../parts/search-form.js";
import { useFormats, useWords } from "../reader/words.js";
import type { LearnerSearch } from "./learner-search.js";

const PAGE_SIZE = 50;

/** The learners that the platform has told of. */
export function LearnerListPage() {
  const { learners: words, shell, credentials } = useWords();
  const { number } = useFormats();
  const search = useSearch({ from: "/learners" });
  const navigate = useNavigate({ from: "/learners" });
  const { data, error, refetch, isPlaceholderData } = useQuery(
    LearnerRecordService.method.searchLearners,
    {
      query: search.q ?? "",
      learningContextKey: search.context ?? "",
      pageSize: PAGE_SIZE,
      pageToken: search.page ?? "",
    },
    { placeholderData: keepPreviousData },
  );
  const show = (next: LearnerSearch) => void navigate({ search: next });

  return (
    <section className="page">
      <PageTitle title={shell.learners} />
      <SearchForm
        label={words.searchLabel}
        query={search.q}
        onSearch={(q) => show({ ...search, q, page: undefined })}
      />
      {search.context && (
        <ul className="chips" aria-label={credentials.filters}>
          <li>
            <Button
              className="chip"
              aria-label={`${credentials.removeFilter}: ${search.context}`}
              onPress={() => show({ ...search, context: undefined, page: undefined })}
            >
              {words.enrolledIn}: <bdi>{search.context}</bdi> <span aria-hidden>×</span>
            </Button>
          </li>
        </ul>
      )}
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.learners.length === 0 && (
        <div className="empty">
          <h2>{credentials.noneFound}</h2>
          <p>{search.q || search.context ? words.noneFoundMeans : words.noneYetMeans}</p>
          {!search.q && !search.context && <RecordsStep />}
        </div>
      )}
      {data && data.learners.length > 0 && (
        <ListTable
          caption={shell.learners}
          headings={[words.name, words.email, { amount: shell.credentials }]}
          isStale={isPlaceholderData}
        >
          {data.learners.map(({ learner, credentialCount }) => (
            <tr key={learner?.username}>
              <td className="main-cell">
                <Link
                  to="/learners/$username"
                  params={{ username: learner?.username ?? "" }}
                  className="row-link"
                >
                  <bdi>{learner?.fullName || learner?.username}</bdi>
                </Link>
                <span className="second">
                  <bdi>{learner?.username}</bdi>
                </span>
              </td>
              <td>
                <bdi>{learner?.email}</bdi>
              </td>
              <td className="amount" data-label={shell.credentials}>
                {number(credentialCount)}
              </td>
            </tr>
          ))}
        </ListTable>
      )}
      <Pager
        isFirst={search.page === undefined}
        next={data?.nextPageToken}
        onTurn={(page) => show({ ...search, page })}
      />
    </section>
  );
}
