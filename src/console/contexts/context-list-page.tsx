import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { LearnerRecordService } from "../../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { Failure } from "../parts/failure.js";
import { ListTable } from "../parts/list-table.js";
import { PageTitle } from "../parts/page-title.js";
import { Pager } from "../parts/pager.js";
import { RecordsStep } from "../parts/records-step.js";
import { SearchForm } from "../parts/search-form.js";
import { useFormats, useWords } from "../reader/words.js";

const PAGE_SIZE = 50;
/** The service counts no further. */
const COUNTED = 10_000;

/** Courses and learning paths, with how many are enrolled and how many credentials were issued. */
export function ContextListPage() {
  const { contexts: words, shell, credentials } = useWords();
  const { number } = useFormats();
  const search = useSearch({ from: "/contexts" });
  const navigate = useNavigate({ from: "/contexts" });
  const { data, error, refetch, isPlaceholderData } = useQuery(
    LearnerRecordService.method.listLearningContexts,
    { query: search.q ?? "", pageSize: PAGE_SIZE, pageToken: search.page ?? "" },
    { placeholderData: keepPreviousData },
  );
  const counted = (count: number) => `${number(count)}${count >= COUNTED ? "+" : ""}`;
  return (
    <section className="page">
      <PageTitle title={shell.contexts} />
      <SearchForm
        label={words.searchLabel}
        query={search.q}
        onSearch={(q) => void navigate({ search: q === undefined ? {} : { q } })}
      />
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.contexts.length === 0 && (
        <div className="empty">
          <h2>{credentials.noneFound}</h2>
          <p>{search.q ? words.noneFoundMeans : words.noneYetMeans}</p>
          {!search.q && <RecordsStep />}
        </div>
      )}
      {data && data.contexts.length > 0 && (
        <ListTable
          caption={shell.contexts}
          headings={[
            words.name,
            { amount: words.enrolled },
            { amount: words.configured },
            { amount: words.issued },
          ]}
          isStale={isPlaceholderData}
        >
          {data.contexts.map((context) => (
            <tr key={context.learningContextKey}>
              <td className="main-cell">
                <Link to="/credentials" search={{ context: context.learningContextKey }} className="row-link">
                  <bdi>{context.displayName || context.learningContextKey}</bdi>
                </Link>
                <span className="second">
                  <code dir="ltr">{context.learningContextKey}</code>
                </span>
              </td>
              <td className="amount" data-label={words.enrolled}>
                <Link to="/learners" search={{ context: context.learningContextKey }}>
                  {counted(context.enrolledCount)}
                </Link>
              </td>
              <td className="amount" data-label={words.configured}>
                {number(context.configuredCount)}
              </td>
              <td className="amount" data-label={words.issued}>
                <Link to="/credentials" search={{ context: context.learningContextKey }}>
                  {counted(context.issuedCount)}
                </Link>
              </td>
            </tr>
          ))}
        </ListTable>
      )}
      <Pager
        isFirst={search.page === undefined}
        next={data?.nextPageToken}
        onTurn={(page) => void navigate({ search: { ...search, page } })}
      />
    </section>
  );
}
